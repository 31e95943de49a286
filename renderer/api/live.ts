import type { ScanResult } from '../../schema/bodies/scan-result.ts'
import type { Counts, DemoProgress, Scanner, StationState } from '../../schema/bodies/station-state.ts'
import type { Alert, LinkStatus } from '../../schema/station-link.ts'

/** What the server reports without being asked. */
interface LiveEvents {
  readonly result: ScanResult
  readonly counts: Counts
  readonly scanners: readonly Scanner[]
  readonly settings: StationState
  readonly demo: DemoProgress
  readonly link: LinkStatus
  readonly alert: Alert
  /** The station's own scanner read a code, and the station is not set up to judge it. */
  readonly unjudged: { readonly code: string }
}

/** Hears what the server reports, and when the line breaks and is back. */
type Listener = {
  readonly [Name in keyof LiveEvents]: (data: LiveEvents[Name]) => void
} & { readonly opened: () => void; readonly broken: () => void }

const names = ['result', 'counts', 'scanners', 'settings', 'demo', 'link', 'alert', 'unjudged'] as const
const waits = [500, 1000, 2000, 3000]

/** Listens to the server for good: a broken line is opened again, sooner at first. Returns how to stop. */
export function listen(listener: Listener, url = '/api/v1/station/live'): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  const open = () => {
    const line = new EventSource(url)
    source = line
    line.onopen = () => {
      failures = 0
      listener.opened()
    }
    line.onerror = () => {
      line.close()
      listener.broken()
      timer = setTimeout(open, waits[Math.min(failures++, waits.length - 1)])
    }
    for (const name of names) line.addEventListener(name, (event) => deliver(listener[name], event.data))
  }
  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}

/** The server's word for the shape is taken: page and server come from one package. */
const deliver = (hears: (data: never) => void, text: string): void => hears(JSON.parse(text) as never)
