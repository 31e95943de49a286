import sql from 'sql-template-tag'
import type { InvoiceLine } from '../../../schema/resources/orders/invoice.ts'
import { type feeTypes, orderFee } from '../../../schema/resources/orders/order-fee.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import type { ServerTextKey } from '../../../schema/texts/server.ts'
import { taxCodeOf } from '../../domain/pricing/taxes.ts'
import { findRows } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { type DateCells, inWords, readable } from '../orders/ticket-print.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import {
  type BilledFee,
  type BilledPosition,
  type LineFacts,
  type LineMaker,
  type LineTerms,
  loadLineFacts,
  type ServicePeriod,
} from './invoice-facts.ts'
import { feePeriod, periodFields, servicePeriod, wholePeriod } from './invoice-periods.ts'

/** The lines of an invoice, and what is said about them below. */
export interface InvoiceLines {
  readonly lines: readonly InvoiceLine[]
  readonly location: string | null
  readonly isReverseCharge: boolean
}

/** Between two paragraphs or lines of a text. */
export const lineBreak = '<br />'

/** The lines that an invoice of an order has now. */
export async function linesOf(
  tx: Tx,
  at: OrderScope,
  orderId: number,
  terms: LineTerms,
): Promise<InvoiceLines> {
  const { place, event } = at
  const { settings } = event
  const open = sql`order_id = ${orderId} AND canceled = 0`
  const positions = inFamilies(await findRows(tx, orderPosition, place, { where: open }))
  const fees = await findRows(tx, orderFee, place, { where: open })
  const facts = await loadLineFacts(tx, at, positions, fees)
  const dateOf = ({ subevent }: BilledPosition): DateCells => facts.dates.get(subevent ?? 0) ?? facts.event
  const placeOf = (position: BilledPosition): string | null =>
    readable(dateOf(position).location ?? facts.event.location, terms.locale) || null
  const places = new Set(positions.map(placeOf))
  if (fees.length > 0 && event.hasSubevents) places.add(null)
  const [onlyPlace = null] = places
  const isShown = settings.invoice_event_location
  const maker: LineMaker = { at, facts, terms, now: tx.now, isManyPlaces: places.size > 1 }
  const parents = new Set(positions.map(({ addon_to }) => addon_to))
  const sold = positions.map((position, index) => ({
    position,
    line: positionLine(maker, position, {
      number: index + 1,
      date: dateOf(position),
      place: placeOf(position),
    }),
  }))
  const billed = sold.filter(
    ({ position: { id, price } }) => settings.invoice_include_free || price !== '0.00' || parents.has(id),
  )
  const charged = fees.map((fee, index) =>
    feeLine(maker, fee, {
      number: positions.length + index + 1,
      period: wholePeriod(billed.map(({ line }) => line)) ?? feePeriod(maker),
    }),
  )
  const lines = [...billed.map(({ line }) => line), ...charged]
  return {
    lines,
    location: isShown && places.size === 1 ? onlyPlace : null,
    isReverseCharge: lines.some((one) => one.tax_code === 'AE' && one.gross_value !== '0.00'),
  }
}

/** Positions in the order of their numbers, add-ons after what they belong to. */
function inFamilies(positions: readonly BilledPosition[]): BilledPosition[] {
  const numbers = new Map(positions.map(({ id, positionid }) => [id, positionid]))
  const family = ({ positionid, addon_to }: BilledPosition): number =>
    addon_to === null ? positionid : (numbers.get(addon_to) ?? positionid)
  const isAddon = ({ addon_to }: BilledPosition): number => (addon_to === null ? 0 : 1)
  return positions.toSorted(
    (a, b) => family(a) - family(b) || isAddon(a) - isAddon(b) || a.positionid - b.positionid,
  )
}

/** Where a line stands, and what it is about. */
interface LineSpot {
  readonly number: number
  readonly date: DateCells
  readonly place: string | null
}

function positionLine(
  maker: LineMaker,
  position: BilledPosition,
  { number, date, place }: LineSpot,
): InvoiceLine {
  const { at, facts, terms } = maker
  const { settings } = at.event
  const { item, variation, subevent } = position
  const name = settings.invoice_attendee_name ? position.attendee_name : null
  const period = servicePeriod(maker, position, date)
  return {
    position: number,
    description: descriptionOf(maker, position, { date, place, name }),
    ...{ item, variation, subevent, attendee_name: name },
    ...periodFields(period),
    event_location: settings.invoice_event_location ? place : null,
    gross_value: position.price,
    ...taxFields(facts, terms, position),
    fee_type: null,
    fee_internal_type: null,
  }
}

function descriptionOf(
  { at, facts, terms, isManyPlaces }: LineMaker,
  position: BilledPosition,
  { date, place, name }: Pick<LineSpot, 'date' | 'place'> & { readonly name: string | null },
): string {
  const { locale, t } = terms
  const { event } = at
  const words = [
    readable(facts.items.get(position.item), locale),
    readable(facts.variations.get(position.variation ?? 0), locale),
  ].filter(Boolean)
  const product = `${position.addon_to === null ? '' : '  + '}${words.join(' - ')}`
  const style = { dateStyle: 'long', timeStyle: 'short' } as const
  const day = `${readable(date.name, locale)} - ${inWords(date.date_from, event.timezone, locale, style)}`
  const answers = facts.questions.flatMap(({ id, question }) => {
    const answer = position.answers.find((one) => one.question === id)?.answer
    const asked = readable(question, locale)
    return answer ? [`${asked}${asked.endsWith('?') ? '' : ':'} ${answer}`] : []
  })
  const isPlaceShown = event.settings.invoice_event_location && place !== null && isManyPlaces
  return [
    product,
    ...(name ? [t('invoice.attendee', { name })] : []),
    ...answers,
    ...(event.hasSubevents ? [t('invoice.day', { when: day })] : []),
    ...(isPlaceShown ? [t('invoice.location', { location: oneLineOf(place) })] : []),
  ].join(lineBreak)
}

/** A place in one line. */
export const oneLineOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(', ')

const feeWords = {
  payment: 'invoice.fee.payment',
  shipping: 'invoice.fee.shipping',
  service: 'invoice.fee.service',
  cancellation: 'invoice.fee.cancellation',
  insurance: 'invoice.fee.insurance',
  other: 'invoice.fee.other',
  giftcard: 'invoice.fee.giftcard',
  passbook: 'invoice.fee.passbook',
} as const satisfies Readonly<Record<(typeof feeTypes)[number], ServerTextKey>>

function feeLine(
  { at: { event }, facts, terms }: LineMaker,
  fee: BilledFee,
  { number, period }: { readonly number: number; readonly period: ServicePeriod },
): InvoiceLine {
  const { locale, t } = terms
  const kind = t(feeWords[fee.fee_type])
  const isNamed = fee.fee_type === 'other' && fee.description !== ''
  const place = event.hasSubevents ? null : readable(facts.event.location, locale) || null
  return {
    position: number,
    description: isNamed ? fee.description : [kind, fee.description].filter(Boolean).join(' - '),
    ...{ item: null, variation: null, subevent: null, attendee_name: null },
    ...periodFields(period),
    event_location: event.settings.invoice_event_location ? place : null,
    gross_value: fee.value,
    ...taxFields(facts, terms, fee),
    fee_type: fee.fee_type,
    fee_internal_type: fee.internal_type || null,
  }
}

type Taxed = Pick<BilledPosition, 'tax_rate' | 'tax_value' | 'tax_rule'>

function taxFields({ rules }: LineFacts, { locale, address }: LineTerms, taxed: Taxed) {
  const { tax_rate, tax_value, tax_rule } = taxed
  const rule = rules.get(tax_rule ?? 0)
  const isFree = rule !== undefined && tax_rate === '0.00' && tax_value === '0.00'
  return {
    tax_value,
    tax_rate,
    tax_code: isFree
      ? taxCodeOf({ ...rule, eu_reverse_charge: rule.eu_reverse_charge === 1 }, address)
      : null,
    tax_name: readable(rule?.name, locale),
  }
}
