import { mebibyte } from '../../../schema/body-limits.ts'
import { layoutBackground } from '../../../schema/resources/layouts/layout-background.ts'
import type { Cells } from '../../storage/database.ts'

/** Of resources with rows of many mebibytes each, one is read at a time. */
const large: ReadonlySet<string> = new Set([layoutBackground.name])

const first = 32
const largestPortion = mebibyte

/** Characters of a row, which are about its bytes. */
const sizeOf = (row: Cells): number =>
  Object.values(row).reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)

/** Says how many rows of a resource are read at a time: few of large ones, many where those before were small. */
export class Portions {
  readonly #most: number
  readonly #rows = new Map<string, number>()
  /** How large all were that were read so far. */
  bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** How many rows of a resource are read next. */
  next(resource: string): number {
    return large.has(resource) ? 1 : (this.#rows.get(resource) ?? first)
  }

  /** Notes what was read of a resource. */
  add(resource: string, rows: readonly Cells[]): void {
    const size = rows.reduce((sum, row) => sum + sizeOf(row), 0)
    const before = this.#rows.get(resource) ?? first
    this.bytes += size
    if (size > largestPortion) this.#rows.set(resource, Math.max(1, before >> 2))
    else if (size < largestPortion / 4) this.#rows.set(resource, Math.min(this.#most, before * 2))
  }
}
