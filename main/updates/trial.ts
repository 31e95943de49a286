import { endedForRoom } from '../../schema/updates/update-files.ts'
import type { Cancel, ShellClock } from '../common/clock.ts'
import type { Programs } from './programs.ts'

/** How long a new version has until it is healthy; milliseconds. */
export const healthyWithin = 120_000

const lookEvery = 500

/** What a trial looks at. */
interface TrialOptions {
  readonly programs: Programs
  readonly clock: ShellClock
  /** Whether a page is to show itself as well. */
  readonly needsPage: boolean
  /** Asks the server whether it can do its work. */
  readonly isReady: (url: string) => Promise<boolean>
  /** Ends the server without asking. */
  readonly kill: () => void
}

/** A version that has to show that it is healthy. */
export interface Trial {
  /** The server answers at this address. */
  answersAt(url: string): void
  /** The page of this version has asked something. */
  sawPage(): void
  /** The server has ended with a code; `wasAsked` where this program ended it for a reason of its own. */
  ended(wasAsked: boolean, code: number | null): void
}

/** Asks a server on this machine whether it can do its work. */
export const isReadyAt = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) })).ok
  } catch {
    return false
  }
}

/** Watches a new version until it is found to be healthy, or its time is over. */
export function beginTrial({ programs, clock, needsPage, isReady, kill }: TrialOptions): Trial {
  let verdict: 'open' | 'passed' | 'late' | 'no room' = 'open'
  let isServerReady = false
  let isPageSeen = !needsPage
  let cancelLook: Cancel = () => {}
  const cancelLate = clock.after(healthyWithin, () => {
    verdict = 'late'
    cancelLook()
    kill()
  })

  function judge(): void {
    if (verdict !== 'open' || !isServerReady || !isPageSeen) return
    verdict = 'passed'
    cancelLate()
    if (programs.passed()) return
    // Nothing was taken in yet: the version before it comes back.
    verdict = 'no room'
    kill()
  }

  function look(url: string): void {
    void isReady(url).then((ready) => {
      if (verdict !== 'open') return
      isServerReady = ready
      if (ready) judge()
      else cancelLook = clock.after(lookEvery, () => look(url))
    })
  }

  return {
    answersAt: look,
    sawPage() {
      isPageSeen = true
      judge()
    },
    ended(wasAsked, code) {
      cancelLate()
      cancelLook()
      if (verdict === 'passed') return
      // Asked to end by a person, it is tried again at the next start.
      if (wasAsked && verdict === 'open') return
      if (verdict === 'late') programs.failed('not healthy')
      else programs.failed(verdict === 'no room' || code === endedForRoom ? 'no room' : 'ended')
    },
  }
}
