import {
  drawerPulse,
  type PrinterTrouble,
  printedRequest,
  statusLength,
  statusRequest,
  troubleIn,
} from '../../domain/printers/escpos.ts'
import type { Env } from '../../env.ts'
import type { PrinterPlace } from '../../services/devices/station-settings.ts'

/** What is printed, and what is stored before a printer does it. */
interface Printout {
  /** Asked for once the drawer is open and the printer is ready. */
  readonly bytes: () => Promise<Uint8Array>
  /** Notes that the drawer is told to open; false where it was before, or is not to. */
  readonly pulse: () => Promise<boolean>
  /** Notes that the first byte is about to go; false where it is not wanted any more. */
  readonly begin: () => Promise<boolean>
}

/** How sending something to a printer has ended. */
export type PrintEnding =
  /** Not a byte of the document was sent. */
  | { readonly kind: 'unsent'; readonly reason: 'unreachable' | 'silent' | PrinterTrouble }
  | { readonly kind: 'withdrawn' }
  /** It has taken everything, and says nothing. */
  | { readonly kind: 'sent' }
  | { readonly kind: 'printed' }
  | { readonly kind: 'unknown'; readonly reason: 'broken-off' | 'silent' | PrinterTrouble }

/** Milliseconds within which a printer has to be there, says how it is, and has printed what it was sent. */
const reachWithin = 3000
const answerWithin = 1000
const printWithin = 20_000

/** Printers stall on larger pieces. */
const pieceSize = 2048

/** Sends a document to a printer, with the opening of the drawer before it. */
export async function sendToPrinter(
  env: Env,
  place: PrinterPlace,
  { bytes, pulse, begin }: Printout,
): Promise<PrintEnding> {
  const line = connectPrinter(env, place)
  try {
    if (!(await line.opens(reachWithin))) return { kind: 'unsent', reason: 'unreachable' }
    // The guest gets their change also where there is no paper.
    if (place.drawer && (await pulse())) line.write(drawerPulse)
    const before = place.answers ? await troubleOf(line) : null
    if (before !== null) return { kind: 'unsent', reason: before === 'broken-off' ? 'unreachable' : before }
    const document = await bytes()
    if (!(await begin())) return { kind: 'withdrawn' }
    line.forget()
    for (let at = 0; at < document.length; at += pieceSize) line.write(document.subarray(at, at + pieceSize))
    if (!place.answers)
      return (await line.ends(printWithin)) ? { kind: 'sent' } : { kind: 'unknown', reason: 'broken-off' }
    line.write(printedRequest)
    if (await line.hears(1, printWithin)) return { kind: 'printed' }
    // Some do not know the question; those that say that all is well have nothing left to print.
    const after = await troubleOf(line)
    return after === null ? { kind: 'printed' } : { kind: 'unknown', reason: after }
  } finally {
    line.close()
  }
}

type PrinterLine = ReturnType<typeof connectPrinter>

/** What keeps a printer from printing, as it says itself; null for nothing. */
async function troubleOf(line: PrinterLine): Promise<'broken-off' | 'silent' | PrinterTrouble | null> {
  line.forget()
  line.write(statusRequest)
  if (await line.hears(statusLength, answerWithin)) return troubleIn(line.heard)
  return line.isClosed ? 'broken-off' : 'silent'
}

/** A connection to a printer, and what is waited for on it: each wait ends with its time, or with the connection. */
function connectPrinter(env: Env, { host, port }: PrinterPlace) {
  let heard: number[] = []
  let state: 'connecting' | 'open' | 'closed' | 'broken' = 'connecting'
  let look = (): void => undefined
  const connection = env.connect(host, port, {
    opened() {
      state = 'open'
      look()
    },
    received(piece) {
      heard.push(...piece)
      look()
    },
    closed(isBroken) {
      state = isBroken ? 'broken' : 'closed'
      look()
    },
  })
  const isOver = (): boolean => state === 'closed' || state === 'broken'
  function within(milliseconds: number, isThere: () => boolean): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const stop = env.after(milliseconds, () => resolve(isThere()))
    look = () => {
      if (isThere() || isOver()) resolve(isThere())
    }
    look()
    return promise.finally(stop)
  }
  return {
    get heard(): readonly number[] {
      return heard
    },
    get isClosed(): boolean {
      return isOver()
    },
    forget() {
      heard = []
    },
    write: (bytes: Uint8Array) => connection.write(bytes),
    opens: (milliseconds: number) => within(milliseconds, () => state === 'open'),
    hears: (count: number, milliseconds: number) => within(milliseconds, () => heard.length >= count),
    /** Waits until everything was taken on the other side. */
    ends(milliseconds: number) {
      connection.end()
      return within(milliseconds, () => state === 'closed')
    },
    close: () => connection.close(),
  }
}
