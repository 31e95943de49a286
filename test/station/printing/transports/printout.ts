import { realEnv } from '../../../../server/env.ts'
import { type PrinterPlace, printerPlace } from '../../../../server/services/devices/printer-places.ts'
import type {
  PrinterWorld,
  Printout,
  RunProgram,
} from '../../../../server/station/printing/transports/transport.ts'

/** A document of a test, and what was asked for it in which order. */
export interface TestPrintout extends Printout {
  readonly calls: readonly string[]
}

/** A document whose bytes are what a test says. */
export function printout(text = 'document', { wanted = true } = {}): TestPrintout {
  const calls: string[] = []
  const said = <T>(call: string, value: T): Promise<T> => {
    calls.push(call)
    return Promise.resolve(value)
  }
  return {
    calls,
    name: 'job-1',
    prepare: () => undefined,
    commands: () => said('commands', Buffer.from(text)),
    pdf: () => said('pdf', Buffer.from(`%PDF ${text}`)),
    pictures: () => said('pictures', [{ width: 16, height: 2, rows: Uint8Array.of(0xff, 0, 0, 0xff) }]),
    pulse: () => said('pulse', true),
    begin: () => said('begin', wanted),
  }
}

/** A world with the real network, in which no window is open, and programs are what a test says. */
export const worldWith = (run: RunProgram = async () => ({ code: null, output: '' })): PrinterWorld => ({
  env: realEnv,
  run,
  window: { isThere: false, print: async () => ({ kind: 'unsent', reason: 'unreachable' }) },
})

/** A printer that is reached in a way. */
export const placeOf = (way: PrinterPlace['way'], address: string, more: Partial<PrinterPlace> = {}) =>
  printerPlace({ way, address, ...more })
