import sql from 'sql-template-tag'
import type { Invoice } from '../../../schema/resources/orders/invoice.ts'
import type { InvoiceAddress } from '../../../schema/resources/orders/order.ts'
import { serverTranslator, type TranslateServer } from '../../../schema/texts/server.ts'
import { otherCurrency } from '../../domain/orders/invoices.ts'
import { countryName, inLanguage } from '../../domain/text/multilingual.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { OrderCells } from '../orders/order-present.ts'
import { type DateCells, inWords, readable } from '../orders/ticket-print.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { type InvoiceLines, lineBreak, linesOf, oneLineOf } from './invoice-lines.ts'

type Key = 'id' | 'order_id' | 'refers_id' | 'number' | 'prefix' | 'date' | 'created' | 'is_cancellation'

/** What an invoice says, without its number and date. */
export type InvoiceContent = Omit<Invoice, Key>

/** An order that is invoiced. */
export type InvoicedCells = OrderCells & {
  readonly locale: string
  readonly datetime: string
  readonly expires: string
}

/** Who sends the invoices of an event. */
export const senderFields = ({ settings }: EventFacts) => ({
  invoice_from: settings.invoice_address_from,
  invoice_from_name: settings.invoice_address_from_name,
  invoice_from_zipcode: settings.invoice_address_from_zipcode,
  invoice_from_city: settings.invoice_address_from_city,
  invoice_from_state: settings.invoice_address_from_state,
  invoice_from_country: settings.invoice_address_from_country || null,
  invoice_from_tax_id: settings.invoice_address_from_tax_id,
  invoice_from_vat_id: settings.invoice_address_from_vat_id,
})

/** What an invoice of an order says now. */
export async function invoiceContent(tx: Tx, at: OrderScope, order: InvoicedCells): Promise<InvoiceContent> {
  const { event } = at
  const { settings } = event
  const locale = languageFor(order, event)
  const t = serverTranslator(locale)
  const address: InvoiceAddress | null = JSON.parse(order.invoice_address ?? 'null')
  const billed = await linesOf(tx, at, order.id, { locale, t, address, ordered: order.datetime })
  const paid = await paidFor(tx, at, order.id)
  const isPaid = order.status === 'p'
  const written = (text: Readonly<Record<string, string>> | null): string =>
    asMarkup(inLanguage(text, locale))
  const other = address && otherCurrency(settings, event.currency, address.country)
  return {
    ...senderFields(event),
    ...recipientFields(address, { locale, t }),
    locale,
    introductory_text: written(settings.invoice_introductory_text),
    additional_text: [written(settings.invoice_additional_text), ...notesBelow(billed, t)].join(
      `${lineBreak}${lineBreak}`,
    ),
    payment_provider_text: paymentText(order, event, { locale, t, isStarted: paid.count > 0 }),
    payment_provider_stamp: isPaid && paid.count > 0 ? t('invoice.stamp') : null,
    footer_text: inLanguage(settings.invoice_footer_text, locale),
    lines: billed.lines,
    foreign_currency_display: other,
    foreign_currency_rate: null,
    foreign_currency_rate_date: null,
    transmission_provider: null,
    transmission_status: 'pending',
    transmission_date: null,
    shredded: false,
    sent_to_organizer: false,
    printed: {
      currency: event.currency,
      timezone: event.timezone,
      ...(await occasionOf(tx, at, locale)),
      custom_field_label: inLanguage(settings.invoice_address_custom_field, locale),
      reverse_charge: billed.isReverseCharge,
      paid: settings.invoice_show_payments && !isPaid && paid.sum > 0 ? paid.sum : null,
    },
  }
}

function languageFor(order: InvoicedCells, { locale, settings }: EventFacts): string {
  const { invoice_language: chosen } = settings
  return chosen === '__user__' ? order.locale || locale : chosen
}

/** A text with its lines as markup, as programs expect it that show invoices. */
const asMarkup = (text: string): string => text.replaceAll('\r', '').replaceAll('\n', lineBreak)

/** What is said below the lines because of what they are, as one paragraph or none. */
function notesBelow({ location, isReverseCharge }: InvoiceLines, t: TranslateServer): string[] {
  const notes = [
    ...(location === null ? [] : [t('invoice.location', { location: oneLineOf(location) })]),
    ...(isReverseCharge ? [t('invoice.reverse-charge')] : []),
  ]
  return notes.length > 0 ? [notes.join(lineBreak)] : []
}

interface Words {
  readonly locale: string
  readonly t: TranslateServer
}

function recipientFields(address: InvoiceAddress | null, words: Words) {
  if (address === null)
    return {
      ...{ invoice_to: '', invoice_to_is_business: null, invoice_to_company: null, invoice_to_name: null },
      ...{ invoice_to_street: null, invoice_to_zipcode: null, invoice_to_city: null, invoice_to_state: null },
      ...{ invoice_to_country: null, invoice_to_vat_id: null, invoice_to_beneficiary: null },
      ...{ invoice_to_transmission_info: null, custom_field: null, internal_reference: '' },
      transmission_type: 'email',
    }
  return {
    invoice_to: asWritten(address, words),
    invoice_to_is_business: address.is_business,
    invoice_to_company: address.company,
    invoice_to_name: address.name,
    invoice_to_street: address.street,
    invoice_to_zipcode: address.zipcode,
    invoice_to_city: address.city,
    invoice_to_state: address.state,
    invoice_to_country: address.country || null,
    invoice_to_vat_id: address.vat_id || null,
    invoice_to_beneficiary: '',
    invoice_to_transmission_info: {},
    custom_field: address.custom_field,
    internal_reference: address.internal_reference,
    transmission_type: 'email',
  }
}

/** An address as it is written on a letter. */
function asWritten(address: InvoiceAddress, { locale, t }: Words): string {
  const { company, name, street, zipcode, city, state, country, vat_id } = address
  return [
    company,
    name,
    street,
    [zipcode, city, state].filter(Boolean).join(' '),
    country && countryName(country, locale),
    vat_id && t('invoice.vat-id', { id: vat_id }),
  ]
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
}

/** What is said of the payment of an order: that it is paid, or until when it is to be. */
function paymentText(
  { status, expires }: InvoicedCells,
  { settings, timezone }: EventFacts,
  { locale, t, isStarted }: Words & { readonly isStarted: boolean },
): string {
  if (status === 'p') return isStarted ? t('invoice.paid-already') : ''
  if (status !== 'n' || !settings.invoice_include_expire_date) return ''
  return t('invoice.expires', { date: inWords(expires, timezone, locale, { dateStyle: 'medium' }) })
}

/** What was paid for an order and not given back, in hundredths, and how many payments there are that were not given up. */
async function paidFor(
  tx: Tx,
  { place }: OrderScope,
  orderId: number,
): Promise<{ sum: number; count: number }> {
  const ofOrder = sql`organizer = ${place.organizer} AND order_id = ${orderId}`
  const row = await tx.get<{ paid: number | null; refunded: number | null; count: number }>(
    sql`SELECT
          (SELECT sum(amount) FROM order_payment WHERE ${ofOrder} AND state IN ('confirmed', 'refunded')) AS paid,
          (SELECT sum(amount) FROM order_refund WHERE ${ofOrder} AND state IN ('created', 'transit', 'done')) AS refunded,
          (SELECT count(*) FROM order_payment WHERE ${ofOrder} AND state NOT IN ('failed', 'canceled')) AS count`,
  )
  return { sum: (row?.paid ?? 0) - (row?.refunded ?? 0), count: row?.count ?? 0 }
}

/** The event as a page names it, and when it is. */
async function occasionOf(tx: Tx, { place, event }: OrderScope, locale: string) {
  const row = await tx.get<DateCells>(
    sql`SELECT name, date_from, date_to, date_admission, location FROM event
        WHERE organizer = ${place.organizer} AND id = ${place.event}`,
  )
  if (!row) throw new Error('The event of an invoice is gone.')
  const style = { dateStyle: 'long' } as const
  const [from, to] = [row.date_from, row.date_to ?? row.date_from].map((instant) =>
    inWords(instant, event.timezone, locale, style),
  )
  const when = event.hasSubevents ? '' : from === to ? from : `${from} – ${to}`
  return { event: readable(row.name, locale), when: when ?? '' }
}
