import { randomBytes, randomUUID } from 'node:crypto'

/** The outside world: clock, chance, timers and network. Everything else in the server is handed one of these. */
export interface Env {
  /** Milliseconds since 1970, by the machine's clock. */
  now(): number
  /** Milliseconds since some moment, never going back. */
  elapsed(): number
  randomBytes(count: number): Uint8Array
  uuid(): string
  /** Calls back once after some milliseconds; the result takes it back. */
  after(milliseconds: number, callback: () => void): () => void
  fetch: typeof fetch
}

/** The real world. */
export const realEnv: Env = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  randomBytes: (count) => randomBytes(count),
  uuid: () => randomUUID(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds)
    // What is due later does not keep a program from ending.
    timer.unref()
    return () => clearTimeout(timer)
  },
  fetch: (input, init) => fetch(input, init),
}

/** A moment in milliseconds as the 27 characters that are stored: UTC with microseconds. */
export const instantOf = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`
