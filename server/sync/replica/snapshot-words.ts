import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { textsBetween } from '../../services/orders/order-search-text.ts'
import type { Queryable } from '../../storage/database.ts'
import type { SearchText } from '../../storage/search.ts'
import { chunksOf } from '../feed/rows.ts'
import { type Cut, idOf, type ReplicaShape } from './replica-rows.ts'

/** By what the tickets of a snapshot are found, read while their rows are at hand. */
export interface SnapshotWords {
  /** Reads the words of rows that have just been stored, if they are tickets. */
  take(tx: Queryable, shape: ReplicaShape, rows: readonly Cut[]): Promise<void>
  /** Forgets what was taken since the last settling: its transaction begins anew. */
  forget(): void
  /** What was taken since the last settling, which is committed. */
  settle(): readonly SearchText[]
  /** Tickets whose words could not be read by then, some at a time: what they belong to comes behind them. */
  late(): readonly (readonly number[])[]
}

/** Begins to gather words of an organizer's tickets. */
export function gatherWords(organizer: number): SnapshotWords {
  let [settled, reached] = [0, 0]
  let taken: SearchText[] = []
  let waiting: number[] = []
  const late: number[] = []

  return {
    async take(tx, shape, rows) {
      if (shape.resource !== orderPosition) return
      const addonAt = shape.places[shape.columns.indexOf('addon_to')] ?? -1
      const before = reached
      for (const row of rows) {
        const id = idOf(shape, row)
        if (id <= before || Number(row[addonAt] ?? 0) > id) waiting.push(id)
        reached = Math.max(reached, id)
      }
      taken.push(...(await textsBetween(tx, organizer, before, reached)))
    },
    forget() {
      taken = []
      waiting = []
      reached = settled
    },
    settle() {
      const texts = taken
      late.push(...waiting)
      settled = reached
      taken = []
      waiting = []
      return texts
    },
    late: () => chunksOf(late),
  }
}
