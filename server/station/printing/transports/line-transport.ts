import { profileNamed } from '../../../../schema/bodies/printer-profiles.ts'
import { drawerPulse, escposStatus } from '../../../domain/printers/escpos.ts'
import { eplStatus, zplStatus } from '../../../domain/printers/label-status.ts'
import type { StatusDialect } from '../../../domain/printers/status-dialect.ts'
import type { ConnectionEvents, Env, TcpConnection } from '../../../env.ts'
import type { PrinterPlace } from '../../../services/devices/printer-places.ts'
import type { PrintEnding, PrinterTrouble, Printout, Transport } from './transport.ts'

/** Opens a connection; null where nothing can be at an address. */
type Connect = (events: ConnectionEvents) => TcpConnection

/** Milliseconds within which a printer has to be there, says how it is, and has printed what it was sent. */
const reachWithin = 3000
const answerWithin = 1000
const printWithin = 20_000

/** Milliseconds after which one that has something left to print is asked again. */
const askAgainAfter = 100

/** Printers stall on larger pieces. */
const pieceSize = 2048

const dialects = { escpos: escposStatus, zpl: zplStatus, epl: eplStatus, none: null } as const

/** How a printer is asked how it is; null for one that does not answer. */
const dialectOf = ({ profile, answers }: PrinterPlace): StatusDialect | null =>
  answers ? dialects[profileNamed(profile).status] : null

/** A way to printers that take bytes one after the other, and answer on the same line. */
export function lineTransport(connectTo: (env: Env, place: PrinterPlace) => Connect | null): Transport {
  return {
    async look({ env }, place) {
      const connect = connectTo(env, place)
      if (!connect) return 'unreachable'
      const line = openLine(env, connect)
      try {
        if (!(await line.opens(reachWithin))) return 'unreachable'
        const dialect = dialectOf(place)
        return dialect && unsentReason(await troubleOf(line, dialect))
      } finally {
        line.close()
      }
    },
    async print({ env }, place, printout) {
      const connect = connectTo(env, place)
      if (!connect) return { kind: 'unsent', reason: 'unreachable' }
      const line = openLine(env, connect)
      try {
        return await printOn(line, env, { place, printout })
      } finally {
        line.close()
      }
    },
  }
}

/** A connection that breaks before anything is sent is none. */
const unsentReason = (trouble: PrinterTrouble | 'broken-off' | null): PrinterTrouble | null =>
  trouble === 'broken-off' ? 'unreachable' : trouble

/** Sends a document on a line, with the opening of the drawer before it. */
async function printOn(
  line: PrinterLine,
  env: Env,
  { place, printout }: { readonly place: PrinterPlace; readonly printout: Printout },
): Promise<PrintEnding> {
  if (!(await line.opens(reachWithin))) return { kind: 'unsent', reason: 'unreachable' }
  const { drawerPin } = profileNamed(place.profile)
  // The guest gets their change also where there is no paper.
  if (place.drawer && drawerPin !== null && (await printout.pulse())) line.write(drawerPulse(drawerPin))
  printout.prepare()
  const dialect = dialectOf(place)
  const before = dialect && unsentReason(await troubleOf(line, dialect))
  if (before !== null) return { kind: 'unsent', reason: before }
  const document = await printout.commands()
  if (!(await printout.begin())) return { kind: 'withdrawn' }
  line.forget()
  for (let at = 0; at < document.length; at += pieceSize) line.write(document.subarray(at, at + pieceSize))
  if (!dialect)
    return (await line.ends(printWithin)) ? { kind: 'sent' } : { kind: 'unknown', reason: 'broken-off' }
  if (dialect.printedRequest) {
    line.write(dialect.printedRequest)
    if (await line.hears(({ length }) => length > 0, printWithin)) return { kind: 'printed' }
  }
  // Some do not know the question; those that say that all is well have nothing left to print.
  return untilPrinted(line, env, dialect)
}

/** Asks how it is until there is nothing left to print. */
async function untilPrinted(line: PrinterLine, env: Env, dialect: StatusDialect): Promise<PrintEnding> {
  const until = env.elapsed() + printWithin
  for (;;) {
    const trouble = await troubleOf(line, dialect)
    if (trouble !== null) return { kind: 'unknown', reason: trouble }
    if (!dialect.isBusy(line.heard)) return { kind: 'printed' }
    if (env.elapsed() >= until) return { kind: 'unknown', reason: 'silent' }
    await line.waits(askAgainAfter)
  }
}

type PrinterLine = ReturnType<typeof openLine>

/** What keeps a printer from printing, as it says itself; null for nothing. */
async function troubleOf(
  line: PrinterLine,
  dialect: StatusDialect,
): Promise<'broken-off' | PrinterTrouble | null> {
  line.forget()
  line.write(dialect.request)
  if (await line.hears((heard) => dialect.isWhole(heard), answerWithin)) return dialect.trouble(line.heard)
  return line.isClosed ? 'broken-off' : 'silent'
}

/** A connection to a printer, and what is waited for on it: each wait ends with its time, or with the connection. */
function openLine(env: Env, connect: Connect) {
  let heard: number[] = []
  let state: 'connecting' | 'open' | 'closed' | 'broken' = 'connecting'
  let look = (): void => undefined
  const connection = connect({
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
    hears: (isEnough: (heard: readonly number[]) => boolean, milliseconds: number) =>
      within(milliseconds, () => isEnough(heard)),
    waits: (milliseconds: number) => within(milliseconds, () => false),
    /** Waits until everything was taken on the other side. */
    ends(milliseconds: number) {
      connection.end()
      return within(milliseconds, () => state === 'closed')
    },
    close: () => connection.close(),
  }
}
