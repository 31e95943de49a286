import type { EventSettings } from '../../../schema/event-settings.ts'
import type { ShownReceiptPayment, StoredReceipt } from '../../../schema/resources/drawer/receipt.ts'
import type { StoredReceiptSignature } from '../../../schema/resources/drawer/receipt-signature.ts'
import type { TranslateServer } from '../../../schema/texts/server.ts'
import { cashProviderId } from '../../domain/drawer/receipts.ts'
import { type Slip, type SlipPlace, slipPen, slipRule } from './slip.ts'

/** Where a slip of a till is read, and whose it is. */
export interface SlipSetting extends SlipPlace {
  readonly settings: EventSettings
  /** The name of the till that wrote it. */
  readonly till: string
}

/** Where a receipt is read, and what of it is not part of the journal. */
export interface ReceiptSetting extends SlipSetting {
  /** Which copy it is; 0 for the receipt itself. */
  readonly copy: number
  /** What became of having it signed, as far as that is known. */
  readonly signature?: StoredReceiptSignature | undefined
}

/**
 * What a receipt says: drawn from what is stored of it, never from the catalogue, so that it says the same each time.
 */
export function receiptSlip(row: StoredReceipt, at: ReceiptSetting): Slip {
  const pen = slipPen(
    at,
    row.lines.map((line) => line.amount),
  )
  const { t, amount, pair, centred, said, moment } = pen
  const paid = ({ provider, amount: sum, given, change }: ShownReceiptPayment): string[] => [
    ...pair(paymentName(provider, t), amount(sum)),
    ...(given === null ? [] : pair(t('receipt.given'), amount(given))),
    ...(change === null ? [] : pair(t('receipt.change'), amount(change))),
  ]
  const warning = row.training ? [slipRule, ...centred(t('receipt.training')), slipRule] : []
  const number = `${row.site}-${row.number}`
  const lines = [
    ...pen.wholeWidth(),
    ...senderLines(at.settings, t).flatMap(centred),
    ...warning,
    ...centred(t(`receipt.title.${row.type}`)),
    ...(at.copy === 0 ? [] : centred(t('receipt.copy', { number: String(at.copy) }))),
    ...pen.amounts(),
    slipRule,
    ...row.lines.flatMap((line) =>
      pair(line.text.trim() === '' ? t(`receipt.line.${line.kind}`) : line.text, amount(line.amount)),
    ),
    slipRule,
    ...pair(t('receipt.total', { currency: row.currency }), amount(row.total)),
    ...row.payments.flatMap(paid),
    ...(row.taxes.length === 0 ? [] : [slipRule]),
    ...row.taxes.flatMap(({ rate, net, tax }) => [
      ...pair(t('receipt.net', { rate: amount(rate) }), amount(net)),
      ...pair(t('receipt.tax', { rate: amount(rate) }), amount(tax)),
    ]),
    slipRule,
    ...pen.wholeWidth(),
    ...said(t('receipt.number', { number })),
    ...said(t('receipt.till', { till: at.till })),
    ...said(t('receipt.cashier', { cashier: row.cashier })),
    ...(row.order === null ? [] : said(t('receipt.order', { order: row.order }))),
    ...said(t('receipt.started', { when: moment(row.started) })),
    ...said(t('receipt.ended', { when: moment(row.ended) })),
    ...(row.reason === '' ? [] : said(t('receipt.reason', { reason: row.reason }))),
    ...(row.signing === '' ? [] : signingLines(at.signature, t).flatMap(said)),
    ...warning,
  ]
  return { title: t('receipt.number', { number }), ...slipFrame(at, row.ended), lines }
}

/** What a slip says of the signature that a receipt should have. */
function signingLines(signature: StoredReceiptSignature | undefined, t: TranslateServer): string[] {
  if (!signature) return [t('receipt.signing.waiting')]
  const { state, provider, serial, transaction, counter, signature: value } = signature
  if (state === 'failed') return [t('receipt.signing.failed')]
  return [
    ...(provider === 'simulator' ? [t('receipt.signing.simulated')] : []),
    t('receipt.signing.device', { serial }),
    t('receipt.signing.transaction', { transaction: String(transaction), counter: String(counter) }),
    t('receipt.signing.value', { signature: value }),
  ]
}

/** What a slip takes over from where it is read. */
export const slipFrame = ({ locale, columns }: SlipPlace, written: string) => ({ locale, columns, written })

/** Who sells, line by line, as the organizer has set it. */
export function senderLines(settings: EventSettings, t: TranslateServer): string[] {
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

/** A way of paying as a slip names it. */
export function paymentName(provider: string, t: TranslateServer): string {
  if (provider === cashProviderId) return t('receipt.paid.boxoffice')
  if (provider === 'giftcard') return t('receipt.paid.giftcard')
  return provider === 'cardterminal' ? t('receipt.paid.cardterminal') : provider
}
