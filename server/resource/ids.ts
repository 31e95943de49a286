import sql from 'sql-template-tag'
import { siteSpan } from '../../schema/sites.ts'
import type { Database } from '../storage/database.ts'

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

/** Whether ids at hand may be those of rows that came with an organizer from another server meanwhile. */
export async function isOvertaken(database: Database, ids: Ids, site: number): Promise<boolean> {
  const row = await database.get<{ ids_from: number }>(sql`SELECT ids_from FROM node WHERE id = 1`)
  return ids.end - ids.left < site * siteSpan + (row?.ids_from ?? 0)
}

/** The ids of a site, taken from its node row in portions. */
export const idsOf = (database: Database, site: number): Ids =>
  new Ids(async (count) => {
    const row = await database.transaction(
      (tx) =>
        tx.get<{ next_id: number }>(
          sql`UPDATE node SET next_id = next_id + ${count} WHERE id = 1 RETURNING next_id`,
        ),
      // A scan may wait for them.
      { isUrgent: true },
    )
    if (!row) throw new Error('The database has lost its node row.')
    return site * siteSpan + row.next_id - count
  })
