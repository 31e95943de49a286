const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Schemes that are never an application's own, whatever a browser does with them. */
const dangerous = /^(javascript|data|vbscript|file|blob|about|filesystem|view-source|ftp|mailto|tel):$/

/** Why an address that a browser is to be sent back to is not taken: a word that the page has a sentence for. */
export type RedirectProblem = 'form' | 'fragment' | 'insecure' | 'credentials'

/**
 * Why an application may not have an address, or null. It is compared letter by letter later, so it must be written the
 * way browsers write it; https, or http on the same machine, or a scheme of the application's own with a dot in it
 * (RFC 8252).
 */
export function redirectProblem(text: string): RedirectProblem | null {
  const address = URL.parse(text)
  if (!address || text.length > 500 || /[\s*\\"<>^`{|}]/.test(text)) return 'form'
  if (text.includes('#')) return 'fragment'
  if (address.username !== '' || address.password !== '') return 'credentials'
  if (address.protocol === 'https:') return address.host === '' ? 'form' : null
  if (address.protocol === 'http:') return loopback.has(address.hostname) ? null : 'insecure'
  if (dangerous.test(address.protocol) || !/^[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:$/.test(address.protocol))
    return 'insecure'
  return null
}

/** An address with more parameters, those it has kept. */
export function withParameters(
  address: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const result = new URL(address)
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) result.searchParams.set(name, value)
  return result.href
}

/** Where a form may lead by a redirect, as a content security policy says it. */
export function formTarget(address: string): string {
  const { protocol, origin } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol
}
