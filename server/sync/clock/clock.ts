import { type Env, instantOf } from '../../env.ts'
import type { Stamp } from '../../resource/facts.ts'

/** The four moments of one question and its answer: ours by this machine's clock, theirs by theirs; milliseconds. */
interface Exchange {
  readonly sent: number
  readonly received: number
  readonly answered: number
  readonly arrived: number
}

/** What is added to this machine's clock, and how wrong that can be. */
interface KnownOffset {
  readonly offset: number
  readonly uncertainty: number | null
}

/** The time as the upstream servers know it. */
export interface Clock {
  /** Which start of the program `mono` counts from. */
  readonly boot: string
  /** Milliseconds since 1970, corrected; by the machine's clock while the time is not known. */
  now(): number
  /** The same as the 27 characters that are stored. */
  instant(): string
  /** Milliseconds since the start of the program, never going back. */
  mono(): number
  /** When a fact happens, by everything that this machine can say. */
  stamp(): Stamp
  /** Milliseconds to add to the machine's clock, or null while the time is not known. */
  readonly offset: number | null
  readonly uncertainty: number | null
  /** Whether the machine's own clock is so wrong that somebody should set it. */
  readonly skewed: boolean
  /** Learns from an exchange; of the last ten the one with the shortest way counts, as in NTP. */
  observe(exchange: Exchange): void
  /** Takes an offset that was known at an earlier start, until the time is measured anew. */
  recall(known: KnownOffset): void
  /** By how many milliseconds the machine's clock was set since this was last asked, or 0 for less than two seconds. */
  jumped(): number
}

interface Sample {
  readonly offset: number
  readonly trip: number
}

const samplesUsed = 10
const jumpOf = 2000
const skewOf = 30_000

/** Makes the clock of a program that was just started; `boot` names this start. */
export function createClock(env: Env, boot: string): Clock {
  const started = env.elapsed()
  let samples: readonly Sample[] = []
  let offset: number | null = null
  let uncertainty: number | null = null
  let lead = env.now() - env.elapsed()

  /** Jumps that nobody has been told of. */
  let unreported = 0
  const mono = (): number => env.elapsed() - started

  /** The machine's clock, with the offset put right where it was set since it was last read. */
  function read(): number {
    const shown = env.now()
    const fresh = shown - env.elapsed()
    const jump = fresh - lead
    lead = fresh
    if (Math.abs(jump) < jumpOf) return shown
    unreported += jump
    samples = []
    // A clock that goes back was set. One that goes ahead was more likely that of a machine that slept, which is right.
    if (jump < 0 && offset !== null) offset = Math.round(offset - jump)
    return shown
  }

  const now = (): number => read() + (offset ?? 0)

  return {
    boot,
    now,
    instant: () => instantOf(now()),
    mono,
    stamp: () => ({
      deviceTime: instantOf(read()),
      mono: Math.round(mono()),
      boot,
      clockOffset: offset,
    }),
    get offset() {
      return offset
    },
    get uncertainty() {
      return uncertainty
    },
    get skewed() {
      return offset !== null && Math.abs(offset) > skewOf
    },
    observe({ sent, received, answered, arrived }) {
      read()
      const trip = arrived - sent - (answered - received)
      const measured = (received - sent + (answered - arrived)) / 2
      if (!Number.isFinite(measured) || trip < 0) return
      samples = [...samples, { offset: measured, trip }].slice(-samplesUsed)
      const best = samples.reduce((a, b) => (b.trip < a.trip ? b : a))
      offset = Math.round(best.offset)
      uncertainty = Math.ceil(best.trip / 2)
    },
    recall(known) {
      if (offset !== null) return
      offset = known.offset
      uncertainty = known.uncertainty
    },
    jumped() {
      read()
      const jump = Math.round(unreported)
      unreported = 0
      return jump
    },
  }
}
