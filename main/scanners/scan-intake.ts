import { randomUUID } from 'node:crypto'
import type { Cancel, ShellClock } from '../common/clock.ts'
import type { ShellLog } from '../common/log.ts'
import type { ServerAddress } from '../common/server-address.ts'
import type { HidScan } from './hid-report.ts'
import type { ScannerState } from './scanners.ts'

/** Brings what scanners read to the server, in order, also across a restart of the server. */
interface ScanIntake {
  readonly add: (scan: HidScan) => void
  readonly setScanners: (scanners: readonly ScannerState[]) => void
  /** The server answers here from now on. */
  readonly connect: (address: ServerAddress) => void
  /** The server is away: scans wait. */
  readonly disconnect: () => void
  /** Sends nothing more, and says how many scans are left unsent. */
  readonly stop: () => void
}

interface Waiting {
  readonly body: object
  /** When it was read, in milliseconds. */
  readonly at: number
  failures: number
}

// As many as a person can scan in the minutes that a restart may take at worst.
const MAX_WAITING = 500
// Failing answers to one and the same scan until the next has its turn.
const MAX_FAILURES = 20
const ANSWER_WITHIN = 10_000
const RETRY_AFTER = 500
// A scan that waited longer is judged by the time at which it was read.
const AT_ONCE = 2000

type Outcome = 'done' | 'later' | 'refused'

/** What is to be sent, and how far the sending is. */
interface Outbox {
  readonly clock: ShellClock
  readonly log: ShellLog
  readonly waiting: Waiting[]
  /** Null while the server is away. */
  address: ServerAddress | null
  scanners: readonly ScannerState[]
  scannersSent: boolean
  isSending: boolean
  lost: number
  cancelRetry: Cancel
}

/** Makes the intake; it waits for the first address. Scans carry a nonce, so that a repeated post is one scan. */
export function makeScanIntake(clock: ShellClock, log: ShellLog, maxWaiting = MAX_WAITING): ScanIntake {
  const outbox = emptyOutbox(clock, log)
  const { waiting } = outbox
  return {
    add(scan) {
      if (waiting.length >= maxWaiting) {
        countLost(outbox, `A scan was not kept, because ${waiting.length} are waiting for the server`)
        return
      }
      waiting.push({ body: bodyOf(scan), at: clock.now(), failures: 0 })
      if (outbox.address === null) log(`The server is away; scans waiting: ${waiting.length}`)
      void sendAll(outbox)
    },
    setScanners(next) {
      outbox.scanners = next
      outbox.scannersSent = false
      void sendAll(outbox)
    },
    connect(next) {
      if (waiting.length > 0) log(`The server is back; scans sent now: ${waiting.length}`)
      outbox.address = next
      outbox.scannersSent = outbox.scanners.length === 0
      void sendAll(outbox)
    },
    disconnect() {
      outbox.address = null
      outbox.cancelRetry()
    },
    stop() {
      outbox.address = null
      outbox.cancelRetry()
      if (waiting.length > 0) log(`Scans read and not sent before the end: ${waiting.length}`)
    },
  }
}

function emptyOutbox(clock: ShellClock, log: ShellLog): Outbox {
  return {
    clock,
    log,
    waiting: [],
    address: null,
    scanners: [],
    scannersSent: true,
    isSending: false,
    lost: 0,
    cancelRetry: () => {},
  }
}

function bodyOf({ code, symbology }: HidScan): object {
  return { code, source: 'hid', ...(symbology === null ? {} : { symbology }), nonce: randomUUID() }
}

async function sendAll(outbox: Outbox): Promise<void> {
  if (outbox.isSending) return
  outbox.isSending = true
  outbox.cancelRetry()
  let outcome: Outcome = 'done'
  while (outbox.address !== null && outcome !== 'later') {
    const first = outbox.waiting[0]
    if (!outbox.scannersSent) outcome = await sendScanners(outbox, outbox.address)
    else if (first !== undefined) outcome = await sendScan(outbox, outbox.address, first)
    else break
  }
  outbox.isSending = false
  if (outcome !== 'later' || outbox.address === null) return
  outbox.cancelRetry = outbox.clock.after(RETRY_AFTER, () => void sendAll(outbox))
}

async function sendScanners(outbox: Outbox, to: ServerAddress): Promise<Outcome> {
  const sent = outbox.scanners
  const status = await request(to, 'PUT', 'scanners', sent)
  if (status === null) return 'later'
  // Only for show: a server that refuses the list must not hold up the scans.
  if (status >= 300) outbox.log(`The server did not take the list of scanners (status ${status})`)
  if (sent === outbox.scanners) outbox.scannersSent = true
  return 'done'
}

async function sendScan(outbox: Outbox, to: ServerAddress, scan: Waiting): Promise<Outcome> {
  const isLate = outbox.clock.now() - scan.at > AT_ONCE
  const time = isLate ? { datetime: new Date(scan.at).toISOString() } : {}
  const status = await request(to, 'POST', 'scan', { ...scan.body, ...time })
  const outcome = judge(status)
  if (status !== null) scan.failures++
  if (outcome === 'later' && scan.failures < MAX_FAILURES) return 'later'
  outbox.waiting.shift()
  if (outcome !== 'done') {
    const why =
      status === 409 ? 'no event and check-in list are chosen yet, or the station sells' : `status ${status}`
    countLost(outbox, `A scan was not judged: ${why}`)
  }
  return 'done'
}

function countLost(outbox: Outbox, message: string): void {
  outbox.lost++
  outbox.log(`${message} (${outbox.lost} since the start)`)
}

// A foreign key (401, 403) is the one of an earlier start of the server: the next address brings the right one.
function judge(status: number | null): Outcome {
  if (status === null || status >= 500) return 'later'
  if (status === 401 || status === 403 || status === 408 || status === 429) return 'later'
  return status < 300 ? 'done' : 'refused'
}

async function request(
  to: ServerAddress,
  method: 'POST' | 'PUT',
  path: string,
  body: unknown,
): Promise<number | null> {
  try {
    const response = await fetch(`${to.url}/api/v1/station/${path}/`, {
      method,
      headers: { authorization: `Station ${to.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN),
    })
    await response.body?.cancel()
    return response.status
  } catch {
    return null
  }
}
