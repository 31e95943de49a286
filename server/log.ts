import { destination, pino } from 'pino'

/** Writes one JSON line per happening: the event's name first, then its fields. Never names, addresses or ticket codes. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void
  error(event: string, fields?: Readonly<Record<string, unknown>>): void
}

/** A log on the standard error stream, so that standard output stays free for answers. */
export function openLog(level = 'info'): Log {
  const logger = pino({ level, base: null, messageKey: 'event' }, destination({ fd: 2, sync: true }))
  return {
    info: (event, fields = {}) => logger.info(fields, event),
    warn: (event, fields = {}) => logger.warn(fields, event),
    error: (event, fields = {}) => logger.error(fields, event),
  }
}

/** A log that keeps nothing. */
export const silentLog: Log = { info() {}, warn() {}, error() {} }
