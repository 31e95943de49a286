import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShellClock } from '../common/clock.ts'
import type { ShellLog } from '../common/log.ts'
import type { ServerAddress } from '../common/server-address.ts'
import type { HidPort } from '../scanners/hid-port.ts'
import { makeScanIntake } from '../scanners/scan-intake.ts'
import { watchScanners } from '../scanners/scanners.ts'
import { type ForkServer, keepServer } from './server-process.ts'

/** What differs between the two shells, and who hears what happens. */
interface StationOptions {
  readonly dataFolder: string
  readonly fork: ForkServer
  readonly clock: ShellClock
  readonly log: ShellLog
  readonly forward: (text: string) => void
  /** Gives the access to HID devices; null where there is none. */
  readonly loadHid: (log: ShellLog) => Promise<HidPort | null>
  readonly onReady: (address: ServerAddress) => void
  readonly onFailed: (message: string) => void
}

/** The running parts of a station that need no window: the server and the scanners. */
interface Station {
  /** Ends them in order. */
  stop(): Promise<void>
}

/** Starts the server and the scanners, which go on independently of each other. */
export function startStation(options: StationOptions): Station {
  const { dataFolder, fork, clock, log, forward, onFailed } = options
  const intake = makeScanIntake(clock, log)
  const server = keepServer({
    fork,
    dataFolder,
    port: readPort(dataFolder),
    clock,
    log,
    forward,
    onReady(address) {
      keepPort(dataFolder, Number(new URL(address.url).port))
      intake.connect(address)
      options.onReady(address)
    },
    onDown: intake.disconnect,
    onFailed,
  })
  const scanners = options.loadHid(log).then((port) => {
    if (port === null) return async () => {}
    return watchScanners({ port, clock, log, onScan: intake.add, onChange: intake.setScanners })
  })
  return {
    async stop() {
      const stopScanners = await scanners
      await stopScanners()
      intake.stop()
      await server.stop()
    },
  }
}

/**
 * The port of the last start, or 0. A station that answers on the same port every time keeps its page's
 * origin, and with it what the page has stored in the browser.
 */
export function readPort(dataFolder: string): number {
  try {
    const port = Number(readFileSync(join(dataFolder, 'port'), 'utf8'))
    return Number.isInteger(port) && port >= 1024 && port <= 65_535 ? port : 0
  } catch {
    return 0
  }
}

/** Remembers the port for the next start. A folder that cannot be written only costs the memory. */
function keepPort(dataFolder: string, port: number): void {
  if (port === readPort(dataFolder)) return
  try {
    writeFileSync(join(dataFolder, 'port'), `${port}\n`, { mode: 0o600 })
  } catch {}
}
