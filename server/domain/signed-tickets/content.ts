import { instantAt, microsecondsOf } from '../../../schema/instants.ts'

/** What a signed ticket says. Times are stored instants of whole seconds. */
export interface TicketContent {
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly valid_from: string | null
  readonly valid_until: string | null
  /** When it was issued and for which position, where the scheme says so. */
  readonly issued: string | null
  readonly position: number | null
}

/** A code taken apart, before anybody knows whether the signature is right. */
export interface Sealed {
  readonly signed: Uint8Array
  readonly signature: Uint8Array
  /** The number of the key that is said to have signed it, where the scheme says so. */
  readonly keyId: number | null
  /** What the signed bytes say; undefined when they are not a ticket. Asked only after the signature was found right. */
  read(): TicketContent | undefined
}

/** The end of the year 9999, after which an instant has no place to be stored in. */
const lastSecond = 253_402_300_799

/** Zero and nothing mean none. */
export const idOrNone = (value: number | undefined): number | null => value || null

/** The instant of a number of seconds since 1970, where zero means none; undefined when nobody can mean it. */
export function instantOrNone(seconds: number | undefined): string | null | undefined {
  if (!seconds) return null
  return seconds <= lastSecond ? instantAt(seconds * 1e6) : undefined
}

/** Whole seconds since 1970 of an instant, 0 for none. What ends within a second ends with it. */
export function secondsOf(instant: string | null, edge: 'start' | 'end'): number {
  if (instant === null) return 0
  const seconds = microsecondsOf(instant) / 1e6
  return Math.max(0, edge === 'start' ? Math.floor(seconds) : Math.ceil(seconds))
}
