import { writtenAddress } from '../selling/sale-details.ts'

/** Whom the invoice of a sale goes to that is paid later; the country in two letters. */
export interface InvoiceTo {
  readonly company: string
  readonly name: string
  readonly street: string
  readonly zipcode: string
  readonly city: string
  readonly country: string
  readonly email: string
}

/** What is asked about that, in its order, and which of it may be left out. */
export const invoiceFields = [
  { key: 'company', optional: true, autocomplete: 'organization' },
  { key: 'name', optional: false, autocomplete: 'name' },
  { key: 'street', optional: false, autocomplete: 'street-address' },
  { key: 'zipcode', optional: true, autocomplete: 'postal-code' },
  { key: 'city', optional: false, autocomplete: 'address-level2' },
  { key: 'email', optional: false, autocomplete: 'email' },
] as const satisfies readonly {
  readonly key: keyof InvoiceTo
  readonly optional: boolean
  readonly autocomplete: string
}[]

/** An address of which nothing is known but the country and, where it was asked for, where mail goes. */
export const blankInvoice = (country: string, email = ''): InvoiceTo => ({
  ...{ company: '', name: '', street: '', zipcode: '', city: '' },
  ...{ country, email },
})

/** What is wrong with a field of it, or null. */
export function invoiceObjection(
  { key, optional }: (typeof invoiceFields)[number],
  to: InvoiceTo,
): 'answer.required' | 'answer.email' | null {
  const text = to[key].trim()
  if (text === '') return optional ? null : 'answer.required'
  return key === 'email' && !writtenAddress.test(text) ? 'answer.email' : null
}

/** The same as orders are created with it. */
export function orderAddress({ email: _, ...to }: InvoiceTo) {
  const trimmed = Object.fromEntries(Object.entries(to).map(([key, text]) => [key, text.trim()]))
  return { ...trimmed, is_business: to.company.trim() !== '' }
}
