/** Thrown when a transaction takes more ids than are at hand; it is begun again with more. */
export class OutOfIds extends Error {}

const perBlock = 1000

/** Ids of this process, taken from the database in blocks so that no transaction waits for a counter. */
export class Ids {
  readonly #reserve: (count: number) => Promise<number>
  #next = 0
  #end = 0
  #fetching: Promise<void> | undefined
  /** As many as the hungriest transaction so far has taken: the next one may be like it. */
  #usual = perBlock / 10

  /** `reserve` takes a block of ids from the database; its first id. */
  constructor(reserve: (count: number) => Promise<number>) {
    this.#reserve = reserve
  }

  /** The id after the last one of the block at hand. */
  get end(): number {
    return this.#end
  }

  get left(): number {
    return this.#end - this.#next
  }

  take(): number {
    if (this.#next >= this.#end) throw new OutOfIds()
    const id = this.#next
    this.#next += 1
    return id
  }

  /** Sees to it that enough ids are at hand; all who wait for a block share it. */
  async provide(needed: number): Promise<void> {
    const wanted = Math.max(needed, this.#usual)
    while (this.left < wanted) {
      this.#fetching ??= this.#refill(Math.max(perBlock, wanted * 4)).finally(() => {
        this.#fetching = undefined
      })
      await this.#fetching
    }
  }

  async #refill(count: number): Promise<void> {
    const first = await this.#reserve(count)
    this.#next = first
    this.#end = first + count
  }

  /** Notes how many ids a transaction has taken. */
  learn(taken: number): void {
    this.#usual = Math.max(this.#usual, taken)
  }

  /** How many to provide for a transaction that ran out of those provided for it. */
  after(needed: number): number {
    return Math.max(needed, this.#usual) * 8
  }

  /** Forgets the block at hand. */
  clear(): void {
    this.#next = 0
    this.#end = 0
  }
}
