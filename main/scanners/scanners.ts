import type { Cancel, ShellClock } from '../common/clock.ts'
import type { ShellLog } from '../common/log.ts'
import { chooseScanners, type ScannerDevice } from './choose-scanners.ts'
import { layoutFromDescriptor } from './hid-descriptor.ts'
import type { HidConnection, HidPort } from './hid-port.ts'
import { type HalfScan, type HidScan, type ReportLayout, receiveReport } from './hid-report.ts'

/** A scanner as the station's screen shows it. */
export interface ScannerState {
  readonly name: string
  readonly connected: boolean
}

/** Who hears about scans and scanners. */
interface ScannersOptions {
  readonly port: HidPort
  readonly clock: ShellClock
  readonly log: ShellLog
  readonly onScan: (scan: HidScan) => void
  /** Called with all scanners seen since the start, whenever one has come or gone. */
  readonly onChange: (scanners: readonly ScannerState[]) => void
}

// Looking is a scan of the bus: too often slows the devices themselves on some systems.
const PAUSE_WITHOUT = 2500
const PAUSE_WITH = 10_000
// A new device file appears a moment before it may be opened.
const PAUSE_AFTER_HINT = 300

const HONEYWELL = 0x0c2e
// Honeywell's report in this mode only after this feature report.
const HONEYWELL_START = [0xfe, 0x01]

interface OpenScanner {
  readonly device: ScannerDevice
  readonly connection: HidConnection
  readonly layout: ReportLayout | null
  half: HalfScan | null
  saidJunk: boolean
}

/** Opens every scanner in HID POS mode that is there or comes later. Returns what closes them all. */
export function watchScanners(options: ScannersOptions): () => Promise<void> {
  const { port, clock, log } = options
  const complaints = makeComplaints(log)
  const scanners = holdScanners(options, complaints, () => lookIn(PAUSE_WITHOUT))
  let looking: Promise<void> | null = null
  let lookAgain = false
  let stopped = false
  let cancelLook: Cancel = () => {}

  function lookIn(milliseconds: number): void {
    cancelLook()
    if (!stopped) cancelLook = clock.after(milliseconds, look)
  }

  function look(): void {
    if (looking !== null) {
      lookAgain = true
      return
    }
    looking = lookOnce().finally(() => {
      looking = null
      lookIn(lookAgain ? PAUSE_AFTER_HINT : scanners.isEmpty() ? PAUSE_WITHOUT : PAUSE_WITH)
      lookAgain = false
    })
  }

  async function lookOnce(): Promise<void> {
    let devices: readonly ScannerDevice[]
    try {
      devices = chooseScanners(await port.devices())
    } catch (error) {
      complaints.add(`The USB scanners cannot be listed: ${explain(error)}`)
      return
    }
    for (const device of devices) {
      if (!stopped) await scanners.open(device)
    }
    await scanners.closeMissing(devices)
  }

  const endHints = port.onHint(() => {
    if (looking === null) lookIn(PAUSE_AFTER_HINT)
    else lookAgain = true
  })
  look()
  return async () => {
    stopped = true
    endHints()
    cancelLook()
    await looking
    cancelLook()
    await scanners.closeAll()
  }
}

interface HeldScanners {
  readonly isEmpty: () => boolean
  /** Opens this one, unless it is open. */
  readonly open: (device: ScannerDevice) => Promise<void>
  /** Closes those that are not among the devices. */
  readonly closeMissing: (devices: readonly ScannerDevice[]) => Promise<void>
  readonly closeAll: () => Promise<void>
}

function holdScanners(options: ScannersOptions, complaints: Complaints, onClosed: () => void): HeldScanners {
  const { port, log, onChange } = options
  const open = new Map<string, OpenScanner>()
  const seen = new Map<string, ScannerDevice>()

  async function openScanner(device: ScannerDevice): Promise<void> {
    const scanner = await connect(port, device)
    const { connection } = scanner
    open.set(device.path, scanner)
    connection.onError((error) => void closeScanner(scanner, `cannot be read: ${error.message}`))
    connection.onReport((report) => receive(scanner, report, options))
    if (device.vendorId === HONEYWELL) await connection.sendFeatureReport(HONEYWELL_START).catch(() => {})
    if (open.get(device.path) !== scanner) return
    seen.set(device.path, device)
    complaints.clear()
    log(`Scanner ${device.name} is connected`)
    reportChange()
  }

  async function closeScanner(scanner: OpenScanner, why: string): Promise<void> {
    if (open.get(scanner.device.path) !== scanner) return
    open.delete(scanner.device.path)
    log(`Scanner ${scanner.device.name} ${why}`)
    if (scanner.half !== null) log(`Scanner ${scanner.device.name}: a scan was unfinished`)
    reportChange()
    await scanner.connection.close().catch(() => {})
    onClosed()
  }

  function reportChange(): void {
    onChange([...seen.values()].map(({ name, path }) => ({ name, connected: open.has(path) })))
  }

  return {
    isEmpty: () => open.size === 0,
    async open(device) {
      if (open.has(device.path)) return
      await openScanner(device).catch((error: unknown) => {
        const hint = process.platform === 'linux' ? ` (may this user read and write ${device.path}?)` : ''
        complaints.add(`Scanner ${device.name} cannot be opened: ${explain(error)}${hint}`)
      })
    },
    async closeMissing(devices) {
      // Not every system reports an unplugged device as a read error.
      const there = new Set(devices.map((device) => device.path))
      for (const scanner of [...open.values()]) {
        if (!there.has(scanner.device.path)) await closeScanner(scanner, 'is gone')
      }
    },
    async closeAll() {
      await Promise.all([...open.values()].map((scanner) => scanner.connection.close().catch(() => {})))
      open.clear()
    },
  }
}

async function connect(port: HidPort, device: ScannerDevice): Promise<OpenScanner> {
  const descriptor = await port.descriptor(device.path)
  const connection = await port.open(device.path)
  const layout = descriptor === null ? null : layoutFromDescriptor(descriptor)
  return { device, connection, layout, half: null, saidJunk: false }
}

function receive(scanner: OpenScanner, report: Uint8Array, { clock, log, onScan }: ScannersOptions): void {
  const { half, scan, losses } = receiveReport(scanner.half, report, clock.now(), scanner.layout)
  scanner.half = half
  for (const loss of losses) {
    if (loss === 'junk' && scanner.saidJunk) continue
    if (loss === 'junk') scanner.saidJunk = true
    log(
      `Scanner ${scanner.device.name}: ${loss === 'junk' ? 'a report that is no scan' : `a scan was ${loss}`}`,
    )
  }
  if (scan !== null) onScan(scan)
}

interface Complaints {
  /** Logs it, unless it was logged since the last clear. */
  readonly add: (message: string) => void
  readonly clear: () => void
}

function makeComplaints(log: ShellLog): Complaints {
  const logged = new Set<string>()
  return {
    add(message) {
      if (logged.has(message)) return
      logged.add(message)
      log(message)
    },
    clear: () => logged.clear(),
  }
}

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
