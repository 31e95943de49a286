import assert from 'node:assert/strict'
import { type Field, marksOf } from '../../schema/fields.ts'
import { canonicalInstant } from '../../schema/instants.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { insertRows, storedFields } from '../../server/resource/store.ts'
import type { Fixture } from '../fixtures/fixture.ts'
import type { World } from '../fixtures/world.ts'
import { ask, firstPages, make, makeFull, pageAt, type Subject, stored, subjectOf, walk } from './subject.ts'

/** Copies of a row, which differ where a list can be ordered by it. */
async function insertCopies(subject: Subject, row: RowData, count: number, last = false): Promise<void> {
  const { fixture, world } = subject
  const original = await stored(subject, row)
  const words = (fixture.resource.ordering?.allowed ?? []).filter((word) => word in original)
  await world.server.running.transactions.write((tx) => {
    const copies = Array.from({ length: count }, (): RowData => {
      const n = world.next()
      const varied = words.map((word) => [
        word,
        vary(storedFields(fixture.resource)[word], original[word], n),
      ])
      const end = last ? fixture.growing?.last(n) : {}
      return {
        ...original,
        ...Object.fromEntries(varied),
        ...fixture.copy?.(n),
        ...end,
        id: tx.nextId(),
      }
    })
    return insertRows(tx, fixture.resource, subject.place, copies)
  })
}

/** Another value of the same kind, of which several rows have the same. */
function vary(field: Field<unknown> | undefined, value: unknown, n: number): unknown {
  const step = (n * 7) % 13
  if (field && 'enum' in field) return value
  switch (field && marksOf(field).kind) {
    case 'integer':
      return step
    case 'text':
      return `${'Zaäb'[n % 4]}${value}${step}`
    case 'datetime':
      return `2031-03-${String(step + 10)}T10:00:00Z`
    default:
      return value
  }
}

const bytes = (text: string): Buffer => Buffer.from(canonicalInstant(text) ?? text)

const compare = (a: unknown, b: unknown): number => {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(bytes(a), bytes(b))
  return Number(a) - Number(b)
}

/** Checks that rows are in the order of some words, and of their ids where these are the same. */
function assertOrdered(rows: readonly RowData[], words: readonly string[]): void {
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1]
    if (!before) continue
    const order = words
      .map((word) =>
        word.startsWith('-')
          ? compare(row[word.slice(1)], before[word.slice(1)])
          : compare(before[word], row[word]),
      )
      .find((difference) => difference !== 0)
    const tie = 'id' in row ? compare(before.id, row.id) : -1
    assert.ok((order ?? tie) < 0, `${words}: ${JSON.stringify(before)} before ${JSON.stringify(row)}`)
  }
}

/** Checks the pages, filters and orders of a resource's list. */
export function checkLists(fixture: Fixture, worldNow: () => World): void {
  const { resource } = fixture
  const { allowed, default: standard } = resource.ordering ?? { allowed: ['id'], default: 'id' }
  // A date's start is not a field of the list that belongs to it.
  const words = allowed.filter((word) => word in resource.fields)
  const keyOf = (row: RowData): unknown => row[resource.key ?? 'id']

  it('is listed in pages that hold every row once, also while rows are added', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    await insertCopies(subject, await makeFull(subject), 120)
    const first = await pageAt(subject, subject.path)
    const pages = Math.ceil(first.count / 50)
    assert.equal(first.results.length, 50)
    assert.equal(first.previous, null)
    assert.equal(first.next, `${subject.world.server.url}${subject.path}?page=2`)
    const second = await pageAt(subject, `${subject.path}?page=2&page_size=7`)
    assert.equal(second.results.length, 7)
    assert.equal(second.previous, `${subject.world.server.url}${subject.path}?page_size=7`)
    const all = await walk(subject)
    assert.equal(new Set(all.map(keyOf)).size, first.count)
    assert.equal(all.length, first.count)
    const ordering = fixture.growing?.ordering ?? 'id'
    let added = 0
    const grown = await walk(subject, `ordering=${ordering}`, async () => {
      if (added === 2) return
      added += 1
      await insertCopies(subject, all[0] ?? {}, 5, true)
    })
    assert.equal(new Set(grown.map(keyOf)).size, grown.length)
    assert.deepEqual(new Set(grown.slice(0, first.count).map(keyOf)), new Set(all.map(keyOf)))
    for (const wrong of ['0', 'x', '-1', '', String(pages + 5)]) {
      const refused = await ask(subject, 'GET', `${subject.path}?page=${wrong}`, 404)
      assert.deepEqual(refused, { detail: 'Invalid page.' })
    }
    for (const size of ['500', '0', 'x'])
      assert.equal((await pageAt(subject, `${subject.path}?page_size=${size}`)).results.length, 50)
  })

  it('is listed in every order that it offers, and in its own when asked for another', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    await insertCopies(subject, await makeFull(subject), 20)
    for (const word of words) {
      assertOrdered(await firstPages(subject, `ordering=${word}`), [word])
      assertOrdered(await firstPages(subject, `ordering=-${word}`), [`-${word}`])
    }
    const own = await firstPages(subject)
    assert.deepEqual((await firstPages(subject, 'ordering=colour')).map(keyOf), own.map(keyOf))
    if (standard.split(',').every((word) => word in resource.fields)) assertOrdered(own, standard.split(','))
  })

  const isVaried = (field: string) => field in resource.fields && !fixture.fixed?.includes(field)

  for (const [name, filter] of Object.entries(resource.filters ?? {}))
    if (isVaried(filter.field))
      it(`is chosen by ${name}`, async () => {
        const subject = await subjectOf(worldNow(), fixture)
        const { world } = subject
        const mine = await makeFull(subject)
        const others = await make(subject, fixture.other(world, world.next()))
        const value = filter.by === 'at-least' ? mine[filter.field] : (mine[filter.field] ?? '')
        const found = await walk(subject, `${name}=${encodeURIComponent(String(value))}`)
        const keys = new Set(found.map(keyOf))
        assert.ok(keys.has(keyOf(mine)), `${name}=${value} does not find what has it`)
        if (filter.by === 'at-least') {
          assert.ok(found.every((row) => compare(row[filter.field], value) >= 0))
          assert.deepEqual(await walk(subject, `${name}=2999-01-01T00:00:00Z`), [])
        } else {
          assert.ok(!keys.has(keyOf(others)), `${name}=${value} finds what has another`)
          const same = (row: RowData) =>
            row[filter.field] === value || (filter.by === 'equals-or-null' && row[filter.field] === null)
          assert.ok(found.every(same))
        }
        const { kind } = marksOf(storedFields(resource)[filter.field] as Field<unknown>)
        if (kind === 'text') return
        const refused = await ask(subject, 'GET', `${subject.path}?${name}=nonsense`, 400)
        assert.deepEqual(Object.keys(refused), [name])
      })
}
