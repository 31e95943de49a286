import type { EventSettings } from '../../../schema/event-settings.ts'
import type { OrderStatus } from './payments.ts'

/** What decides whether an order may have an invoice; the total is in hundredths. */
export interface InvoicedOrder {
  readonly status: OrderStatus
  readonly require_approval: boolean
  readonly total: number
  readonly sales_channel: string
  /** Whether it is a business that the invoice goes to. */
  readonly is_business: boolean
}

/** Whether an order may have an invoice. */
export const mayHaveInvoice = (order: InvoicedOrder, settings: EventSettings): boolean =>
  order.total !== 0 &&
  !order.require_approval &&
  order.status !== 'c' &&
  order.status !== 'e' &&
  settings.invoice_generate_sales_channels.includes(order.sales_channel) &&
  (order.is_business || !settings.invoice_generate_only_business)

/** Whether a new order gets its invoice at once. */
export const isInvoicedAtOnce = (order: InvoicedOrder, settings: EventSettings): boolean =>
  mayHaveInvoice(order, settings) && isInvoiceTime(order.status, settings)

/** Whether an event makes any invoice without being asked for it. */
export const makesInvoices = ({ invoice_generate: occasion }: EventSettings): boolean =>
  occasion === 'True' || occasion === 'paid'

/** Whether what tills sell in a channel may be paid later: the event lets that, and invoices are made for it at once. */
export const mayPayLater = (settings: EventSettings, channel: string): boolean =>
  settings.till_pay_later &&
  settings.invoice_generate === 'True' &&
  settings.invoice_generate_sales_channels.includes(channel)

/** Whether an invoice is made by itself for an order in a state. */
const isInvoiceTime = (status: OrderStatus, { invoice_generate: occasion }: EventSettings): boolean =>
  occasion === 'True' || (occasion === 'paid' && status === 'p')

/** The invoices of an order so far. */
export interface IssuedInvoices {
  /** How many there are, cancellations aside. */
  readonly issued: number
  readonly canceled: number
  /** Whether the last one is not canceled, and what it comes to, in hundredths. */
  readonly live: { readonly total: number } | null
}

/** What becomes of the invoices of an order: the last one is canceled, or a new one is made, or both, in this order. */
export interface InvoiceSteps {
  readonly cancel: boolean
  readonly issue: boolean
}

const nothing: InvoiceSteps = { cancel: false, issue: false }

/** What follows for the invoices of an order from a change of its state. */
export function stepsAfterMove(
  before: InvoicedOrder,
  after: InvoicedOrder & { readonly keepsFee: boolean },
  { issued, canceled, live }: IssuedInvoices,
  settings: EventSettings,
): InvoiceSteps {
  const cancel = live !== null
  if (after.status === 'c' || after.status === 'e') return { cancel, issue: false }
  const may = mayHaveInvoice(after, settings)
  if (after.keepsFee) return { cancel, issue: may && issued > 0 }
  if (!may) return nothing
  const isWithout = issued > 0 && canceled >= issued
  const cameBack = before.status === 'c' || (before.status === 'e' && after.status === 'n')
  if (cameBack) return { cancel: false, issue: isWithout }
  if (after.status === 'p' && before.status !== 'p') {
    const isDue = issued === 0 && isInvoiceTime('p', settings)
    const isStale = live !== null && live.total !== after.total
    return { cancel: isStale, issue: isDue || isWithout || isStale }
  }
  const isApproved = before.require_approval && issued === 0
  return { cancel: false, issue: isApproved && isInvoiceTime(after.status, settings) }
}

/** What follows for the invoices of an order from a change of what was bought. */
export function stepsAfterChange(
  after: InvoicedOrder,
  { live }: IssuedInvoices,
  settings: EventSettings,
): InvoiceSteps {
  const cancel = live !== null
  if (!mayHaveInvoice(after, settings)) return { cancel, issue: false }
  const isNow = makesInvoices(settings) ? isInvoiceTime(after.status, settings) : live !== null
  return isNow ? { cancel, issue: true } : nothing
}

/** What the number of an invoice begins with; the date is `YYYY-MM-DD`. */
export function invoicePrefix(
  settings: EventSettings,
  {
    slug,
    date,
    isCancellation,
    testmode,
  }: {
    readonly slug: string
    readonly date: string
    readonly isCancellation: boolean
    readonly testmode: boolean
  },
): string {
  const usual = settings.invoice_numbers_prefix || `${slug.toUpperCase()}-`
  const chosen = (isCancellation && settings.invoice_numbers_prefix_cancellations) || usual
  const [year = '', month = '', day = ''] = date.split('-')
  const parts: Readonly<Record<string, string>> = { Y: year, y: year.slice(-2), m: month, d: day, '%': '%' }
  const dated = chosen.replaceAll(/%([Yymd%])/g, (found, name: string) => parts[name] ?? found)
  return testmode ? `${dated}TEST-` : dated
}

/** A line of an invoice as it is added up; amounts are in hundredths, the rate is in hundredths of a percent. */
export interface TaxedLine {
  readonly gross: number
  readonly tax: number
  readonly rate: number
  readonly name: string
}

/** The sums of an invoice for one rate of tax. */
export interface TaxSum extends TaxedLine {
  readonly net: number
}

/** What is taxed alike, added up; the highest rate first. */
export function taxSums(lines: readonly TaxedLine[]): readonly TaxSum[] {
  const sums = new Map<string, TaxSum>()
  for (const { gross, tax, rate, name } of lines) {
    const key = `${rate} ${name}`
    const sum = sums.get(key) ?? { gross: 0, tax: 0, net: 0, rate, name }
    sums.set(key, { ...sum, gross: sum.gross + gross, tax: sum.tax + tax, net: sum.net + gross - tax })
  }
  return [...sums.values()].toSorted((a, b) => b.rate - a.rate)
}

/** Those of the countries of the European Union that have a currency of their own. */
const ownCurrencies: ReadonlyMap<string, string> = new Map(
  Object.entries({ CZ: 'CZK', DK: 'DKK', HU: 'HUF', PL: 'PLN', RO: 'RON', SE: 'SEK' }),
)

/** The currency beside that of the event in which an invoice gives its amounts, or null. */
export function otherCurrency(
  { invoice_eu_currencies: wanted }: EventSettings,
  currency: string,
  country: string,
): string | null {
  const other = wanted === 'True' ? ownCurrencies.get(country) : wanted === 'False' ? undefined : wanted
  return other === undefined || other === currency ? null : other
}
