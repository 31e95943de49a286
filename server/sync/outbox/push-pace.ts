import { factsPerPush } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import type { PushOutcome } from './push-request.ts'

/** How much is reported at once, and when, as attempts succeed and fail. */
export interface Pace {
  /** How many facts to tell at once. */
  readonly most: number
  /** Milliseconds until the next attempt; 0 or less where it may be made now. */
  readonly pause: number
  /** Whether the upstream server has asked to wait: then not even what somebody waits for is reported. */
  readonly mustWait: boolean
  /** Draws the conclusions from an attempt to report some facts. */
  conclude(outcome: PushOutcome, facts: number): void
  /** Notes that an attempt was answered with a wish to wait. */
  wait(milliseconds: number): void
  /** Nothing waits any more. */
  empty(): void
  /** Ends a pause after failures; the wish of the upstream server stands. */
  resume(): void
}

/** Milliseconds between attempts that fail: twice as long each time, up to this. */
const longestPause = 30_000

/** Milliseconds between attempts while we are not admitted. */
const refusedPause = 60_000

/** What is tried with a link that loses answers: few enough that they get through. */
const fewest = 25

/** Begins with as much as is taken at once. `chance` gives numbers from 0 to 1, so that not all nodes come together. */
export function createPace(env: Env, chance: () => number): Pace {
  let most = factsPerPush
  /** More than so many were too much, for as long as the queue has not been empty since. */
  let ceiling = factsPerPush
  let failures = 0
  /** How many facts in a row failed although they were reported singly: the next ones would as well. */
  let failedSingly = 0
  let pausedUntil = 0
  let mustWaitUntil = 0

  function fail(): void {
    const pause = Math.min(longestPause, 1000 * 2 ** Math.min(failures, 10))
    pausedUntil = env.elapsed() + pause * (1 - chance() / 2)
    failures += 1
  }

  function failedWith(facts: number): void {
    // One of them may be what the server cannot cope with: once it is found, it is put aside and the others go on.
    most = Math.max(1, Math.floor(facts / 2))
    failedSingly += facts === 1 ? 1 : 0
    if (facts > 1 || failedSingly > 1) fail()
  }

  function conclude(outcome: PushOutcome, facts: number): void {
    switch (outcome.kind) {
      case 'answered':
        failures = 0
        failedSingly = 0
        most = Math.min(ceiling, most * 2)
        return
      case 'too large':
        ceiling = facts === 1 ? factsPerPush : Math.floor(facts / 2)
        most = Math.min(most, ceiling)
        return
      case 'failed':
        failedWith(facts)
        return
      case 'refused':
        pausedUntil = env.elapsed() + refusedPause * (1 - chance() / 2)
        return
      case 'silent':
        most = Math.max(Math.min(most, fewest), Math.floor(most / 2))
        fail()
        return
      case 'wait':
        return
    }
  }

  return {
    get most() {
      return most
    },
    get pause() {
      return Math.max(pausedUntil, mustWaitUntil) - env.elapsed()
    },
    get mustWait() {
      return env.elapsed() < mustWaitUntil
    },
    conclude,
    wait(milliseconds) {
      mustWaitUntil = env.elapsed() + milliseconds
    },
    empty() {
      ceiling = factsPerPush
    },
    resume() {
      pausedUntil = 0
    },
  }
}
