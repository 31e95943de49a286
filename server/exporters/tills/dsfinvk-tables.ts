import type { Run } from '../format/exporter.ts'
import { receiptTables } from './dsfinvk-receipts.ts'
import { type BookedReceipt, type ClosedDrawer, receiptsOfClosing } from './dsfinvk-rows.ts'
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

/** Sums of a closing by what a key says, in the order of the keys; training counts nowhere. */
async function sumsOf<T>(
  run: Run,
  closed: ClosedDrawer,
  partsOf: (receipt: BookedReceipt) => readonly (readonly [key: string, part: T])[],
  add: (sum: T | undefined, part: T) => T,
): Promise<(readonly [key: string, sum: T])[]> {
  const sums = new Map<string, T>()
  for await (const one of receiptsOfClosing(run, closed)) {
    if (one.training) continue
    for (const [key, part] of partsOf(one)) sums.set(key, add(sums.get(key), part))
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
}

const inAll = (sum: number | undefined, amount: number): number => (sum ?? 0) + amount

const paid = ({ payments }: BookedReceipt): [string, number][] =>
  payments.map(({ provider, amount }) => [`${paymentType(provider)};${provider}`, amount])

async function* closingRow(run: Run, closed: ClosedDrawer): AsyncGenerator<readonly DsfinvkCell[]> {
  const { settings } = closed.event
  let [first, last] = ['', '']
  for await (const one of receiptsOfClosing(run, closed)) {
    first ||= one.id
    last = one.id
  }
  const payments = await sumsOf(run, closed, paid, inAll)
  const sum = (some: typeof payments): number => some.reduce((all, [, amount]) => all + amount, 0)
  const day = bookedMoment(closed.row.closed).slice(0, 10)
  yield [
    ...[day, '2.3', first, last, settings.invoice_address_from_name, settings.invoice_address_from],
    ...[settings.invoice_address_from_zipcode, settings.invoice_address_from_city],
    ...[settings.invoice_address_from_country, settings.invoice_address_from_tax_id],
    ...[settings.invoice_address_from_vat_id, sum(payments)],
    sum(payments.filter(([key]) => key.startsWith('Bar;'))),
  ]
}

/** The files of the package whose rows come from closings and receipts, in the order of the description. */
export const dsfinvkTables: readonly DsfinvkTable[] = [
  {
    file: 'cashpointclosing.csv',
    title: 'Stamm_Abschluss',
    columns: dsfinvkColumns(
      'Z_BUCHUNGSTAG TAXONOMIE_VERSION Z_START_ID Z_ENDE_ID NAME STRASSE PLZ ORT LAND STNR USTID Z_SE_ZAHLUNGEN:2 Z_SE_BARZAHLUNGEN:2',
    ),
    rowsOf: closingRow,
  },
  {
    file: 'location.csv',
    title: 'Stamm_Orte',
    columns: dsfinvkColumns('LOC_NAME LOC_STRASSE LOC_PLZ LOC_ORT LOC_LAND LOC_USTID'),
    rowsOf: (_run, { event: { slug, settings } }) => [
      [
        ...[slug, settings.invoice_address_from, settings.invoice_address_from_zipcode],
        ...[settings.invoice_address_from_city, settings.invoice_address_from_country],
        settings.invoice_address_from_vat_id,
      ],
    ],
  },
  {
    file: 'cashregister.csv',
    title: 'Stamm_Kassen',
    columns: dsfinvkColumns(
      'KASSE_BRAND KASSE_MODELL KASSE_SERIENNR KASSE_SW_BRAND KASSE_SW_VERSION KASSE_BASISWAEH_CODE KEINE_UST_ZUORDNUNG',
    ),
    rowsOf: (_run, { row, name, serial }) => [['', name, serial, 'Gatehouse', '', row.currency, '']],
  },
  {
    file: 'slaves.csv',
    title: 'Stamm_Terminals',
    columns: dsfinvkColumns(
      'TERMINAL_ID TERMINAL_BRAND TERMINAL_MODELL TERMINAL_SERIENNR TERMINAL_SW_BRAND TERMINAL_SW_VERSION',
    ),
    rowsOf: async function* (run, closed) {
      const tills = new Set<string>()
      for await (const { till } of receiptsOfClosing(run, closed)) tills.add(till)
      for (const till of tills) yield [till, '', '', till, 'Gatehouse', '']
    },
  },
  {
    file: 'vat.csv',
    title: 'Stamm_USt',
    columns: dsfinvkColumns('UST_SCHLUESSEL UST_SATZ:2 UST_BESCHR'),
    rowsOf: async function* (run, closed) {
      const rates = await sumsOf(
        run,
        closed,
        ({ lines }) => lines.map(({ rate }) => [String(rate), 0]),
        inAll,
      )
      for (const [rate] of rates) yield [taxKey(Number(rate)), Number(rate), '']
    },
  },
  {
    file: 'tse.csv',
    title: 'Stamm_TSE',
    columns: dsfinvkColumns(
      'TSE_ID TSE_SERIAL TSE_SIG_ALGO TSE_ZEITFORMAT TSE_PD_ENCODING TSE_PUBLIC_KEY TSE_ZERTIFIKAT_I TSE_ZERTIFIKAT_II',
    ),
    rowsOf: async function* (run, closed) {
      const serials = new Set<string>()
      for await (const { signature } of receiptsOfClosing(run, closed))
        if (signature?.serial) serials.add(String(signature.serial))
      for (const serial of serials) yield [serial, serial, '', 'utcTime', 'UTF-8', '', '', '']
    },
  },
  {
    file: 'businesscases.csv',
    title: 'Z_GV_Typ',
    columns: dsfinvkColumns('GV_TYP GV_NAME AGENTUR_ID UST_SCHLUESSEL Z_UMS_BRUTTO:2 Z_UMS_NETTO:2 Z_UST:2'),
    rowsOf: async function* (run, closed) {
      const sums = await sumsOf<Taxed>(
        run,
        closed,
        ({ lines }) => lines.map((line) => [`${line.case};${taxKey(line.rate)}`, line]),
        addTaxed,
      )
      for (const [key, { gross, tax }] of sums) {
        const [kind = '', rate = ''] = key.split(';')
        yield [kind, '', '0', rate, gross, gross - tax, tax]
      }
    },
  },
  {
    file: 'payment.csv',
    title: 'Z_Zahlart',
    columns: dsfinvkColumns('ZAHLART_TYP ZAHLART_NAME Z_ZAHLART_BETRAG:2'),
    rowsOf: async function* (run, closed) {
      for (const [key, sum] of await sumsOf(run, closed, paid, inAll)) yield [...key.split(';'), sum]
    },
  },
  {
    file: 'cash_per_currency.csv',
    title: 'Z_Waehrungen',
    columns: dsfinvkColumns('ZAHLART_WAEH ZAHLART_BETRAG_WAEH:2'),
    rowsOf: async function* (run, closed) {
      const sums = await sumsOf(run, closed, paid, inAll)
      const cash = sums.filter(([key]) => key.startsWith('Bar;')).reduce((all, [, sum]) => all + sum, 0)
      yield [closed.row.currency, cash]
    },
  },
  ...receiptTables,
]
