import type { DisplayOpened } from '../../schema/bodies/customer-display.ts'
import type { ParkedBaskets } from '../../schema/bodies/parked-baskets.ts'
import type { PrintPages, ShownPrintJobs } from '../../schema/bodies/print-jobs.ts'
import type { ScanResult } from '../../schema/bodies/scan-result.ts'
import type { Counts, DemoProgress, Scanner, StationState } from '../../schema/bodies/station-state.ts'
import type { Alert, LinkStatus } from '../../schema/station-link.ts'
import type { UpdateStatus } from '../../schema/updates/update-status.ts'

/** What the server reports to the screens without being asked. */
export interface LiveEvents {
  readonly result: ScanResult
  readonly counts: Counts
  readonly scanners: readonly Scanner[]
  readonly settings: StationState
  readonly demo: DemoProgress
  readonly link: LinkStatus
  readonly alert: Alert
  readonly update: UpdateStatus
  /** The baskets that the tills of this station have parked. */
  readonly baskets: ParkedBaskets
  /** What the printers of this station have not printed, or may not have. */
  readonly prints: ShownPrintJobs
  /** Pages that the window of this station is to print. */
  readonly 'print-pages': PrintPages
  /** The station's own scanner read a code, and the station is not set up to judge it. */
  readonly unjudged: { readonly code: string }
  /** What keeps the kiosk out of order has changed. */
  readonly kiosk: object
  /** A display of one of the tills wants to know what it shows. */
  readonly display: DisplayOpened
}

/** Hears when the line breaks and is back. */
interface Line {
  readonly opened: () => void
  readonly broken: () => void
}

/** Hears what the server reports. */
type Hears<Events> = { readonly [Name in keyof Events]: (data: Events[Name]) => void }

const waits = [500, 1000, 2000, 3000]

/** Listens to the server for good: a broken line is opened again, sooner at first. Returns how to stop. */
export function listen<Events>(
  hears: Hears<Events>,
  { opened, broken }: Line,
  url = '/api/v1/station/live',
): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  const open = () => {
    const line = new EventSource(url)
    source = line
    line.onopen = () => {
      failures = 0
      opened()
    }
    line.onerror = () => {
      line.close()
      broken()
      timer = setTimeout(open, waits[Math.min(failures++, waits.length - 1)])
    }
    for (const name in hears)
      line.addEventListener(name, (event: MessageEvent<string>) => deliver(hears[name], event.data))
  }
  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}

/** The server's word for the shape is taken: page and server come from one package. */
const deliver = (hears: (data: never) => void, text: string): void => hears(JSON.parse(text) as never)
