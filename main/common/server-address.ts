/** Where the embedded server answers, and with which key this start of it is used. */
export interface ServerAddress {
  /** Its origin, as `http://127.0.0.1:PORT`. */
  readonly url: string
  /** What a window loads first: it is given its cookie there. */
  readonly open: string
  /** What the shell itself sends as `Authorization: Station KEY`. */
  readonly key: string
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

function originOf(text: unknown): string | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.protocol === 'http:' && LOOPBACK.has(url.hostname) ? url.origin : null
}

/**
 * Reads the line the server prints when it is ready. Null for any other line, and for an address that is
 * not on this machine: the key must not be sent elsewhere.
 */
export function readServerAddress(line: string): ServerAddress | null {
  if (!line.startsWith('{')) return null
  let value: Partial<Record<keyof ServerAddress, unknown>>
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  const origin = originOf(value.url)
  if (origin === null || originOf(value.open) !== origin) return null
  if (typeof value.open !== 'string' || typeof value.key !== 'string' || value.key === '') return null
  return { url: origin, open: value.open, key: value.key }
}
