/** What the transactions of a bank statement are matched by. */
export interface ReferenceWords {
  /** The slugs of events and what the numbers of invoices begin with. */
  readonly prefixes: readonly string[]
  /** How many characters codes of orders and numbers of invoices have. */
  readonly shortest: number
  readonly longest: number
}

/** An order or an invoice as a transaction names it. */
export interface BankReference {
  /** Its prefix without hyphens and spaces, in capitals. */
  readonly prefix: string
  readonly code: string
}

/** A prefix in the form in which prefixes are compared. */
export const barePrefix = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '')

/** A prefix with or without its hyphens, which do not survive every form. */
const anyForm = (prefix: string): string =>
  prefix
    .split(/[\s-]+/)
    .map((part) => part.replace(/\W/g, '\\$&'))
    .join('[- ]*')

/** What finds references, the longest prefix first: one may begin as another one does. Null where there are none. */
export function referencePattern({ prefixes, shortest, longest }: ReferenceWords): RegExp | null {
  const words = [...new Set(prefixes.map((prefix) => prefix.toUpperCase().replace(/^[\s-]+|[\s-]+$/g, '')))]
  const known = words.filter((word) => word !== '').toSorted((a, b) => b.length - a.length)
  if (known.length === 0) return null
  return new RegExp(`(${known.map(anyForm).join('|')})[ \\-_]*([A-Z0-9]{${shortest},${longest}})`, 'g')
}

const found = (text: string, pattern: RegExp): BankReference[] =>
  [...text.matchAll(pattern)].map(([, prefix = '', code = '']) => ({ prefix: barePrefix(prefix), code }))

/**
 * The orders and invoices that a reference names. Lines break anywhere in it, and two codes may be divided by nothing but
 * a space: it is read with and without spaces, and what finds more counts.
 */
export function bankReferencesIn(reference: string, pattern: RegExp | null): BankReference[] {
  if (!pattern) return []
  const spaced = found(reference.replaceAll('\n', ' ').toUpperCase(), pattern)
  const joined = found(reference.replace(/[ \n]/g, '').toUpperCase(), pattern)
  return joined.length > spaced.length ? joined : spaced
}
