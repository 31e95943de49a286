import assert from 'node:assert/strict'
import { marksOf } from '../../../schema/fields.ts'
import { resourceByName } from '../../../schema/resources/index.ts'
import type { Changes, RowsOf } from '../../../schema/sync.ts'
import { storedFields } from '../../../server/resource/store.ts'
import { replicated } from '../../../server/sync/feed/replicated.ts'

type Row = Readonly<Record<string, string | number | null>>

/** References that a database looks after: from which column of which resource to which other one. */
const kept = replicated.flatMap((resource) =>
  Object.entries(storedFields(resource)).flatMap(([column, field]) => {
    const { kind, to } = marksOf(field)
    return kind === 'ref' && to && resource.name !== 'conflict' ? [{ from: resource.name, column, to }] : []
  }),
)

/** A copy as a station has one: every page must leave it without a reference that leads nowhere. */
export class Replica {
  readonly rows = new Map<string, Map<number, Row>>()
  pages = 0

  of(resource: string): Map<number, Row> {
    const known = this.rows.get(resource) ?? new Map<number, Row>()
    this.rows.set(resource, known)
    return known
  }

  put(resource: string, { columns, rows }: RowsOf): void {
    for (const cells of rows) {
      const row = Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? null]))
      this.of(resource).set(Number(row.id), { ...this.of(resource).get(Number(row.id)), ...row })
    }
  }

  /** Takes a page and checks that everything in the copy points at something in the copy. */
  apply(page: Changes): void {
    this.pages += 1
    const order = replicated.map(({ name }) => name)
    const sent = Object.keys(page.rows)
    assert.deepEqual(
      sent,
      sent.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
    )
    for (const [resource, rows] of Object.entries(page.rows)) this.put(resource, rows)
    for (const [resource, ids] of Object.entries(page.gone))
      for (const id of ids) this.of(resource).delete(id)
    for (const event of page.lost) {
      this.of('event').delete(event)
      for (const [name, rows] of this.rows)
        if (resourceByName.get(name)?.scope === 'event')
          for (const [id, row] of rows) if (row.event === event) rows.delete(id)
    }
    this.check()
  }

  /** Throws when a row points at one that is not there. */
  check(): void {
    for (const { from, column, to } of kept)
      for (const row of this.of(from).values()) {
        const id = row[column] ?? null
        if (id !== null)
          assert.ok(
            this.of(to).has(Number(id)),
            `${from} ${row.id} points by ${column} at ${to} ${id}, which is not there`,
          )
      }
    for (const [name, rows] of this.rows)
      if (resourceByName.get(name)?.scope === 'event')
        for (const row of rows.values())
          assert.ok(
            this.of('event').has(Number(row.event)),
            `${name} ${row.id} is of event ${row.event}, which is not there`,
          )
  }

  ids(resource: string): number[] {
    return [...this.of(resource).keys()].toSorted((a, b) => a - b)
  }
}
