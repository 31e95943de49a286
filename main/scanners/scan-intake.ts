import { randomUUID } from 'node:crypto'
import type { Cancel, Clock } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import type { ServerAddress } from '../common/server-address.ts'
import type { Scan } from './hid-report.ts'
import type { ScannerState } from './scanners.ts'

/** Brings what scanners read to the server, in order, also across a restart of the server. */
export interface ScanIntake {
  readonly add: (scan: Scan) => void
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

/** Makes the intake; it waits for the first address. Scans carry a nonce, so that a repeated post is one scan. */
export function makeScanIntake(clock: Clock, log: Log, maxWaiting = MAX_WAITING): ScanIntake {
  const waiting: Waiting[] = []
  let address: ServerAddress | null = null
  let scanners: readonly ScannerState[] = []
  let scannersSent = true
  let sending = false
  let lost = 0
  let cancelRetry: Cancel = () => {}

  async function send(): Promise<void> {
    if (sending) return
    sending = true
    cancelRetry()
    let outcome: Outcome = 'done'
    while (address !== null && outcome !== 'later') {
      const first = waiting[0]
      if (!scannersSent) outcome = await sendScanners(address)
      else if (first !== undefined) outcome = await sendScan(address, first)
      else break
    }
    sending = false
    if (outcome === 'later' && address !== null) cancelRetry = clock.after(RETRY_AFTER, () => void send())
  }

  async function sendScanners(to: ServerAddress): Promise<Outcome> {
    const sent = scanners
    const status = await request(to, 'PUT', 'scanners', sent)
    if (status === null) return 'later'
    // Only for show: a server that refuses the list must not hold up the scans.
    if (status >= 300) log(`The server did not take the list of scanners (status ${status})`)
    if (sent === scanners) scannersSent = true
    return 'done'
  }

  async function sendScan(to: ServerAddress, scan: Waiting): Promise<Outcome> {
    const isLate = clock.now() - scan.at > AT_ONCE
    const time = isLate ? { datetime: new Date(scan.at).toISOString() } : {}
    const status = await request(to, 'POST', 'scan', { ...scan.body, ...time })
    const outcome = judge(status)
    if (status !== null) scan.failures++
    if (outcome === 'later' && scan.failures < MAX_FAILURES) return 'later'
    waiting.shift()
    if (outcome !== 'done') {
      const why = status === 409 ? 'no event and check-in list are chosen yet' : `status ${status}`
      countLost(`A scan was not judged: ${why}`)
    }
    return 'done'
  }

  function countLost(message: string): void {
    lost++
    log(`${message} (${lost} since the start)`)
  }

  return {
    add(scan) {
      if (waiting.length >= maxWaiting) {
        countLost(`A scan was not kept, because ${waiting.length} are waiting for the server`)
        return
      }
      const symbology = scan.symbology === null ? {} : { symbology: scan.symbology }
      waiting.push({
        body: { code: scan.code, source: 'hid', ...symbology, nonce: randomUUID() },
        at: clock.now(),
        failures: 0,
      })
      if (address === null) log(`The server is away; scans waiting: ${waiting.length}`)
      void send()
    },
    setScanners(next) {
      scanners = next
      scannersSent = false
      void send()
    },
    connect(next) {
      if (waiting.length > 0) log(`The server is back; scans sent now: ${waiting.length}`)
      address = next
      scannersSent = scanners.length === 0
      void send()
    },
    disconnect() {
      address = null
      cancelRetry()
    },
    stop() {
      address = null
      cancelRetry()
      if (waiting.length > 0) log(`Scans read and not sent before the end: ${waiting.length}`)
    },
  }
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
