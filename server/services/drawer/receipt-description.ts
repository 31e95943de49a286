import type { EventSettings } from '../../../schema/event-settings.ts'
import type { ShownReceiptPayment, StoredReceipt } from '../../../schema/resources/drawer/receipt.ts'
import { serverTranslator, type TranslateServer } from '../../../schema/texts/server.ts'
import { cashProviderId } from '../../domain/drawer/receipts.ts'
import { writtenLanguage } from '../../domain/text/multilingual.ts'
import { hundredths } from '../../resource/codec.ts'
import { inWords } from '../orders/ticket-print.ts'

/** Where a receipt is shown, and what of it is not part of the journal. */
export interface ReceiptSetting {
  readonly settings: EventSettings
  readonly timezone: string
  readonly locale: string
  /** The name of the till that wrote it. */
  readonly till: string
  /** How many characters a line of the paper has. */
  readonly columns: number
}

const special = /[\\|{}~_"^\-=`]/g

/** A text as receiptline takes it: as it is, whatever characters are in it. */
const plain = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').replaceAll(special, '\\$&')

/** How many columns of the paper a text takes: letters of East Asia and pictures are as wide as two. */
export const paperWidth = (text: string): number =>
  Array.from(text).reduce((sum, one) => sum + (wide.test(one) ? 2 : 1), 0)

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u

/** A text in lines of at most so many columns, broken between words where that is possible. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/u).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (paperWidth(longer) <= columns) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const letter of word) {
      if (paperWidth(line + letter) > columns) {
        lines.push(line)
        line = ''
      }
      line += letter
    }
  }
  return line === '' ? lines : [...lines, line]
}

/**
 * What a receipt says, as a document of receiptline: drawn from what is stored of it, never from the catalogue, so that
 * it says the same each time.
 */
export function receiptDescription(row: StoredReceipt, at: ReceiptSetting): string {
  const { columns, locale } = at
  const t = serverTranslator(locale)
  const number = new Intl.NumberFormat(writtenLanguage(locale), {
    ...{ minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false },
  })
  const amount = (text: string): string => number.format(hundredths(text) / 100).replace('\u2212', '-')
  const amountColumns = Math.max(10, ...row.lines.map((line) => amount(line.amount).length))
  const pair = (left: string, right: string): string[] => {
    const parts = wrapped(left, columns - amountColumns - 1)
    return parts.map((part, index) => `${plain(part)} | ${index < parts.length - 1 ? '' : plain(right)}`)
  }
  const centred = (text: string): string[] => wrapped(text, columns).map(plain)
  const said = (text: string): string[] => wrapped(text, columns).map((line) => `${plain(line)} |`)
  const moment = (when: string): string =>
    inWords(when, at.timezone, locale, { dateStyle: 'short', timeStyle: 'medium' })
  const paid = ({ provider, amount: sum, given, change }: ShownReceiptPayment): string[] => {
    return [
      ...pair(nameOf(provider, t), amount(sum)),
      ...(given === null ? [] : pair(t('receipt.given'), amount(given))),
      ...(change === null ? [] : pair(t('receipt.change'), amount(change))),
    ]
  }
  const warning = row.training ? ['---', ...centred(t('receipt.training')), '---'] : []
  return [
    '{w:*}',
    ...sender(at.settings, t).flatMap(centred),
    ...warning,
    ...centred(t(`receipt.title.${row.type}`)),
    `{w:*,${amountColumns}}`,
    '---',
    ...row.lines.flatMap((line) =>
      pair(line.text.trim() === '' ? t(`receipt.line.${line.kind}`) : line.text, amount(line.amount)),
    ),
    '---',
    ...pair(t('receipt.total', { currency: row.currency }), amount(row.total)),
    ...row.payments.flatMap(paid),
    ...(row.taxes.length === 0 ? [] : ['---']),
    ...row.taxes.flatMap(({ rate, net, tax }) => [
      ...pair(t('receipt.net', { rate: amount(rate) }), amount(net)),
      ...pair(t('receipt.tax', { rate: amount(rate) }), amount(tax)),
    ]),
    '---',
    '{w:*}',
    ...said(t('receipt.number', { number: `${row.site}-${row.number}` })),
    ...said(t('receipt.till', { till: at.till })),
    ...said(t('receipt.cashier', { cashier: row.cashier })),
    ...(row.order === null ? [] : said(t('receipt.order', { order: row.order }))),
    ...said(t('receipt.started', { when: moment(row.started) })),
    ...said(t('receipt.ended', { when: moment(row.ended) })),
    ...(row.reason === '' ? [] : said(t('receipt.reason', { reason: row.reason }))),
    ...warning,
  ].join('\n')
}

/** Who sells, line by line, as the organizer has set it. */
function sender(settings: EventSettings, t: TranslateServer): string[] {
  const { invoice_address_from_tax_id: tax, invoice_address_from_vat_id: vat } = settings
  const city = [
    settings.invoice_address_from_zipcode,
    settings.invoice_address_from_city,
    settings.invoice_address_from_state,
  ]
  return [
    settings.invoice_address_from_name,
    ...settings.invoice_address_from.split('\n'),
    city.filter(Boolean).join(' '),
    tax && t('invoice.tax-id', { id: tax }),
    vat && t('invoice.vat-id', { id: vat }),
  ].filter((line) => line.trim() !== '')
}

/** A way of paying as a receipt names it. */
function nameOf(provider: string, t: TranslateServer): string {
  if (provider === cashProviderId) return t('receipt.paid.boxoffice')
  if (provider === 'giftcard') return t('receipt.paid.giftcard')
  return provider === 'cardterminal' ? t('receipt.paid.cardterminal') : provider
}
