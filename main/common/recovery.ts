import type { WebContents } from 'electron'
import type { ShellClock } from './clock.ts'
import type { ShellLog } from './log.ts'

const CRASHES = 5
const MINUTE = 60_000

/** Counts crashes; the returned function says whether this one is the sixth within a minute, which is too many. */
export function countCrashes(clock: ShellClock): () => boolean {
  let times: readonly number[] = []
  return () => {
    const now = clock.now()
    times = [...times.filter((time) => now - time < MINUTE), now]
    return times.length > CRASHES
  }
}

/** What to do about a page that crashed. */
interface RecoveryOptions {
  readonly clock: ShellClock
  readonly log: ShellLog
  readonly reload: () => void
  /** Reloading has not helped: start the whole program again. */
  readonly giveUp: () => void
}

/** Loads a page again that has crashed or hangs, and gives up when it does so again and again. */
export function recoverPage(contents: WebContents, options: RecoveryOptions): void {
  const { clock, log, reload, giveUp } = options
  const tooMany = countCrashes(clock)
  contents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit') return
    log(`The page's process has ended (${details.reason})`)
    if (tooMany()) giveUp()
    else reload()
  })
  contents.on('unresponsive', () => {
    log('The page does not answer and is ended')
    contents.forcefullyCrashRenderer()
  })
}
