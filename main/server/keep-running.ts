import type { Cancel, ShellClock } from '../common/clock.ts'
import type { ShellLog } from '../common/log.ts'

/** How a child process ended: with a code, or by a signal. */
export interface Exit {
  readonly code: number | null
  readonly signal: string | null
}

/** A child process, however it was started. */
export interface Child {
  readonly pid: number | undefined
  /** Called once, when the process is gone. */
  onExit(act: (exit: Exit) => void): void
  /** Asks it to end in order. */
  terminate(): void
  /** Ends it without asking. */
  kill(): void
}

/** What to keep running, and how patiently. */
export interface KeepOptions<C extends Child> {
  readonly name: string
  readonly start: () => C
  readonly clock: ShellClock
  readonly log: ShellLog
  /** A child that ran this long counts as healthy: the next failure starts counting at one. */
  readonly stableAfter?: number
  /** How long an orderly stop may take before the child is killed. */
  readonly stopWithin?: number
  /** Whether to start it again; `failures` counts the ends in a row without a healthy run. */
  readonly again?: (exit: Exit, failures: number) => boolean
}

/** A child that is started again whenever it ends. */
export interface SupervisedServer {
  /** Ends the child in order, and with force when it does not; it is not started again. */
  stop(): Promise<void>
}

/** Milliseconds to wait before the next start: half a second, doubled with each failure, at most 30 seconds. */
export function backoff(failures: number): number {
  return Math.min(30_000, 500 * 2 ** Math.max(0, Math.min(failures, 16) - 1))
}

/** Says how a process ended, for a log line. */
function describeExit(exit: Exit): string {
  return exit.signal === null ? `ended with code ${exit.code}` : `was ended by ${exit.signal}`
}

/** Starts a child at once and again with growing pauses whenever it ends, until it is stopped. */
export function keepRunning<C extends Child>(options: KeepOptions<C>): SupervisedServer {
  const { name, clock, log, stableAfter = 60_000, stopWithin = 10_000 } = options
  let failures = 0
  let child: Child | null = null
  let stopped: Promise<void> | null = null
  let cancelStart: Cancel = () => {}
  let gone = () => {}

  function start(): void {
    const startedAt = clock.now()
    try {
      const started = options.start()
      child = started
      started.onExit((exit) => {
        child = null
        gone()
        if (stopped === null) failed(exit, clock.now() - startedAt)
      })
    } catch (error) {
      log(`${name} could not be started: ${error instanceof Error ? error.message : String(error)}`)
      failed({ code: null, signal: null }, 0)
    }
  }

  function failed(exit: Exit, ran: number): void {
    failures = ran >= stableAfter ? 1 : failures + 1
    if (options.again?.(exit, failures) === false) return
    const pause = backoff(failures)
    log(`${name} ${describeExit(exit)}; it is started again in ${pause / 1000} s`)
    cancelStart = clock.after(pause, start)
  }

  async function stop(): Promise<void> {
    cancelStart()
    if (child === null) return
    const ending = child
    const ended = new Promise<void>((resolve) => {
      gone = resolve
    })
    const cancelKill = clock.after(stopWithin, () => {
      log(`${name} did not stop within ${stopWithin / 1000} s and is killed`)
      ending.kill()
    })
    ending.terminate()
    await ended
    cancelKill()
  }

  start()
  return {
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}
