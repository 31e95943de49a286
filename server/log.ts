import { hash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { type DestinationStream, pino } from 'pino'
import { currentTraceparent, traceOf } from './trace.ts'

/**
 * Writes one JSON line per happening: the event's name first, then its fields. Never names, addresses or ticket codes, but
 * what `loggedCode` makes of these.
 */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void
  error(event: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Where the text of a failure goes, which can quote what somebody has sent or stored. */
const quoting = new Set(['stack', 'why', 'trouble', 'detail', 'message'])

/**
 * The text of a failure without the values in it: mail addresses, what stands in quotes after a colon as databases and
 * parsers write it, and words that look like secrets. Names of tables and files stay.
 */
export const withoutValues = (text: string): string =>
  text
    .replace(/[^\s"'<>(),;:]+@[^\s"'<>(),;:]+/g, '…')
    .replace(/(: |token |=\()(["'])[^\n]*?\2(?=[\s,;.)]|$)/gm, '$1…')
    .replace(/=\([^)\n]*\)/g, '=(…)')
    .replace(/\b(?=[A-Za-z_-]*\d)[\w-]{16,}\b/g, '…')

const masked = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' && quoting.has(name) ? withoutValues(value) : value,
    ]),
  )

/** What a ticket's code is known by in the logs of all servers and stations: the first 16 digits of its SHA-256. */
export const loggedCode = (code: string): string => hash('sha256', code).slice(0, 16)

/** What a client calls its scan, as long as that is no text that could say something. */
export const loggedNonce = (nonce: unknown): string | undefined =>
  typeof nonce === 'string' && /^[\w-]{1,64}$/.test(nonce) ? nonce : undefined

/** By what the lines of one purpose are found in the logs of several programs, where the request came with that. */
function traceFields(): Record<string, string> {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? {} : { trace: traceOf(traceparent) }
}

const standardError: DestinationStream = { write: (line) => void writeSync(2, line) }

/** A place for lines that may be full or gone: a line that it does not take is lost, and nobody at a door with it. */
const tolerant = (into: DestinationStream): DestinationStream => ({
  write(line) {
    try {
      into.write(line)
    } catch {}
  },
})

/** A log on the standard error stream, so that standard output stays free for answers; or into something else. */
export function openLog(level = 'info', into: DestinationStream = standardError): Log {
  const logger = pino({ level, base: null, messageKey: 'event', mixin: traceFields }, tolerant(into))
  return {
    info: (event, fields = {}) => logger.info(masked(fields), event),
    warn: (event, fields = {}) => logger.warn(masked(fields), event),
    error: (event, fields = {}) => logger.error(masked(fields), event),
  }
}

/** A log that keeps nothing. */
export const silentLog: Log = { info() {}, warn() {}, error() {} }
