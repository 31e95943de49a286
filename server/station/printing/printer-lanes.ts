import type { Env } from '../../env.ts'
import type { PrinterTrouble } from './transports/transport.ts'

/** What is known of one printer. */
interface Lane {
  /** The job that it prints, or an empty text while it is asked how it is. */
  job: string | null
  /** What kept it from printing, and until when it is not tried again. */
  trouble: PrinterTrouble | null
  blockedUntil: number
  /** Done once it is free. */
  done: Promise<unknown>
}

/** Milliseconds until a printer that could not print is asked again. */
const againAfter = 5000

/** The printers of a station, each of which does one thing at a time, by what they are known by. */
export function openLanes(env: Env) {
  const lanes = new Map<string, Lane>()
  const laneOf = (key: string): Lane => {
    const lane = lanes.get(key) ?? { job: null, trouble: null, blockedUntil: 0, done: Promise.resolve() }
    lanes.set(key, lane)
    return lane
  }
  const occupied = async <T>(lane: Lane, job: string, work: () => Promise<T>): Promise<T> => {
    lane.job = job
    const working = work().finally(() => {
      lane.job = null
    })
    lane.done = working.catch(() => undefined)
    return working
  }
  return {
    /** Whether a printer can be given something: `blocked` had trouble a moment ago. */
    stateOf(key: string): 'free' | 'busy' | 'blocked' {
      const { job, blockedUntil } = laneOf(key)
      if (job !== null) return 'busy'
      return blockedUntil > env.elapsed() ? 'blocked' : 'free'
    },
    /** Whether a printer has a job in hand. */
    holds: (job: string): boolean => [...lanes.values()].some((lane) => lane.job === job),
    /** Has those tried again that had trouble. */
    retry(): void {
      for (const lane of lanes.values()) lane.blockedUntil = 0
    },
    /** Has a free printer print; `work` gives the trouble of one that took nothing. */
    async take(key: string, job: string, work: () => Promise<PrinterTrouble | null>): Promise<void> {
      const lane = laneOf(key)
      // Before the work says that it is over, since the next job is then looked for.
      await occupied(lane, job, async () => {
        const trouble = await work()
        lane.trouble = trouble
        lane.blockedUntil = trouble === null ? 0 : env.elapsed() + againAfter
      })
    },
    /** Asks a printer how it is, unless it is printing: what was known of it is the answer then. */
    async ask(key: string, look: () => Promise<PrinterTrouble | null>): Promise<PrinterTrouble | null> {
      const lane = laneOf(key)
      if (lane.job !== null && lane.job !== '') return lane.trouble
      if (lane.job === '') {
        await lane.done
        return lane.trouble
      }
      return occupied(lane, '', async () => {
        lane.trouble = await look()
        return lane.trouble
      })
    },
  }
}
