/** How many bytes of bodies are kept at a time. */
export interface ByteBounds {
  /** For one caller. */
  readonly each: number
  /** For all together. */
  readonly all: number
}

/** Counts the bytes of bodies that are being received or worked with, by caller. */
export class BytesInFlight {
  readonly #bounds: ByteBounds
  readonly #held = new Map<string, number>()
  #total = 0

  constructor(bounds: ByteBounds) {
    this.#bounds = bounds
  }

  /** Counts more bytes of a caller; says instead whose share is used up, where one is. */
  take(caller: string, bytes: number): 'taken' | keyof ByteBounds {
    const held = (this.#held.get(caller) ?? 0) + bytes
    if (held > this.#bounds.each) return 'each'
    if (this.#total + bytes > this.#bounds.all) return 'all'
    this.#held.set(caller, held)
    this.#total += bytes
    return 'taken'
  }

  /** Bytes that are not kept any more. */
  giveBack(caller: string, bytes: number): void {
    const held = (this.#held.get(caller) ?? 0) - bytes
    if (held > 0) this.#held.set(caller, held)
    else this.#held.delete(caller)
    this.#total -= bytes
  }
}
