import type { Env } from '../../env.ts'

/** For so many milliseconds who asked for changes counts as following: longer than anybody waits for an answer. */
const followsFor = 60_000

/** Those who follow the feeds at this server, and whether they have come to their end. */
export class Followers {
  readonly #env: Env
  readonly #asked = new Map<number, { readonly at: number; readonly isBehind: boolean }>()

  constructor(env: Env) {
    this.#env = env
  }

  /** Notes what a device was given: all that there is, or less. */
  note(device: number, isBehind: boolean): void {
    this.#asked.delete(device)
    this.#asked.set(device, { at: this.#env.elapsed(), isBehind })
  }

  /** How many have all that there is, or lack some. */
  count(isBehind: boolean): number {
    const since = this.#env.elapsed() - followsFor
    for (const [device, { at }] of this.#asked) {
      if (at >= since) break
      this.#asked.delete(device)
    }
    return [...this.#asked.values()].filter((one) => one.isBehind === isBehind).length
  }
}
