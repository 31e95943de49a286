import type { Run } from '../format/exporter.ts'
import { type BookedReceipt, type ClosedDrawer, receiptNamed, receiptsOfClosing } from './dsfinvk-rows.ts'
import {
  addTaxed,
  bookedMoment,
  type DsfinvkCell,
  type DsfinvkTable,
  dsfinvkColumns,
  paymentType,
  type Taxed,
  taxKey,
} from './dsfinvk-words.ts'

/** The kind of a receipt, and the name that those need which the package has no word for. */
function kindOf({ training, isNoSale }: BookedReceipt): readonly [kind: string, name: string] {
  if (training) return ['AVTraining', '']
  return isNoSale ? ['AVSonstige', 'Schublade ohne Verkauf'] : ['Beleg', '']
}

/** Rows for each receipt of a closing. */
const eachReceipt = (
  rows: (
    receipt: BookedReceipt,
    run: Run,
  ) => Iterable<readonly DsfinvkCell[]> | Promise<readonly (readonly DsfinvkCell[])[]>,
) =>
  async function* (run: Run, closed: ClosedDrawer): AsyncGenerator<readonly DsfinvkCell[]> {
    for await (const one of receiptsOfClosing(run, closed))
      for (const row of await rows(one, run)) yield [one.id, ...row]
  }

/** The files with a row or more for each receipt. */
export const receiptTables: readonly DsfinvkTable[] = [
  {
    file: 'transactions.csv',
    title: 'Bonkopf',
    columns: dsfinvkColumns(
      'BON_ID BON_NR:0 BON_TYP BON_NAME TERMINAL_ID BON_STORNO BON_START BON_ENDE BEDIENER_ID BEDIENER_NAME UMS_BRUTTO:2 KUNDE_NAME KUNDE_ID KUNDE_TYP KUNDE_STRASSE KUNDE_PLZ KUNDE_ORT KUNDE_LAND KUNDE_USTID BON_NOTIZ',
    ),
    rowsOf: eachReceipt((one) => [
      [
        ...[one.number, ...kindOf(one), one.till, one.isReversal ? '1' : '0'],
        ...[
          bookedMoment(one.started),
          bookedMoment(one.ended),
          String(one.staff ?? ''),
          one.cashier,
          one.total,
        ],
        ...['', '', '', '', '', '', '', '', one.reason],
      ],
    ]),
  },
  {
    file: 'transactions_vat.csv',
    title: 'Bonkopf_USt',
    columns: dsfinvkColumns('BON_ID UST_SCHLUESSEL BON_BRUTTO:2 BON_NETTO:2 BON_UST:2'),
    rowsOf: eachReceipt(({ lines }) =>
      [...Map.groupBy(lines, ({ rate }) => rate)].map(([rate, some]) => {
        const { gross, tax } = some.reduce<Taxed>(addTaxed, { gross: 0, tax: 0 })
        return [taxKey(rate), gross, gross - tax, tax]
      }),
    ),
  },
  {
    file: 'datapayment.csv',
    title: 'Bonkopf_Zahlarten',
    columns: dsfinvkColumns(
      'BON_ID ZAHLART_TYP ZAHLART_NAME ZAHLWAEH_CODE ZAHLWAEH_BETRAG:2 BASISWAEH_BETRAG:2',
    ),
    rowsOf: eachReceipt(({ payments, currency }) =>
      payments.map(({ provider, amount }) => [paymentType(provider), provider, currency, '', amount]),
    ),
  },
  {
    file: 'allocation_groups.csv',
    title: 'Bonkopf_AbrKreis',
    columns: dsfinvkColumns('BON_ID ABRECHNUNGSKREIS'),
    rowsOf: eachReceipt(({ order }) => (order === null ? [] : [[order]])),
  },
  {
    file: 'lines.csv',
    title: 'Bonpos',
    columns: dsfinvkColumns(
      'BON_ID POS_ZEILE GUTSCHEIN_NR ARTIKEL_TEXT POS_TERMINAL_ID GV_TYP GV_NAME INHAUS P_STORNO AGENTUR_ID ART_NR GTIN WARENGR_ID WARENGR MENGE:3 FAKTOR:3 EINHEIT STK_BR:2',
    ),
    rowsOf: eachReceipt(({ lines, till, isReversal }) =>
      lines.map((line, index) => [
        ...[
          String(index + 1),
          '',
          line.text,
          till,
          line.case,
          '',
          '',
          isReversal ? '1' : '0',
          '0',
          line.item,
        ],
        ...['', '', '', line.gross < 0 ? -100 : 100, 100, '', Math.abs(line.gross)],
      ]),
    ),
  },
  {
    file: 'lines_vat.csv',
    title: 'Bonpos_USt',
    columns: dsfinvkColumns('BON_ID POS_ZEILE UST_SCHLUESSEL POS_BRUTTO:2 POS_NETTO:2 POS_UST:2'),
    rowsOf: eachReceipt(({ lines }) =>
      lines.map(({ rate, gross, tax }, index) => [String(index + 1), taxKey(rate), gross, gross - tax, tax]),
    ),
  },
  {
    file: 'references.csv',
    title: 'Bon_Referenzen',
    columns: dsfinvkColumns('BON_ID POS_ZEILE REF_TYP REF_NAME REF_DATUM REF_Z_KASSE_ID REF_Z_NR REF_BON_ID'),
    rowsOf: eachReceipt(async ({ reverses }, run) => {
      const of = reverses === null ? undefined : await receiptNamed(run, reverses)
      return of ? [['', 'Transaktion', '', bookedMoment(of.ended), of.closedAt, of.closing, of.name]] : []
    }),
  },
  {
    file: 'transactions_tse.csv',
    title: 'TSE_Transaktionen',
    columns: dsfinvkColumns(
      'BON_ID TSE_ID TSE_TANR TSE_TA_START TSE_TA_ENDE TSE_TA_VORGANGSART TSE_TA_SIGZ TSE_TA_SIG TSE_TA_FEHLER TSE_TA_VORGANGSDATEN',
    ),
    rowsOf: eachReceipt(({ signature }) => (signature ? [signedRow(signature)] : [])),
  },
]

function signedRow(cells: NonNullable<BookedReceipt['signature']>): DsfinvkCell[] {
  const text = (name: string): string => String(cells[name] ?? '')
  const at = (name: string): string => (cells[name] ? bookedMoment(text(name)) : '')
  return [
    ...[text('serial'), text('transaction'), at('started'), at('finished'), 'Kassenbeleg-V1'],
    ...[text('counter'), text('signature'), text('problem'), text('signed_data')],
  ]
}
