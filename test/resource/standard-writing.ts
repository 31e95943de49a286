import assert from 'node:assert/strict'
import { marksOf } from '../../schema/fields.ts'
import type { RowData } from '../../server/resource/codec.ts'
import type { Fixture } from '../fixtures/fixture.ts'
import type { World } from '../fixtures/world.ts'
import { ask, make, makeFull, mutableFields, pathOf, subjectOf, writableFields } from './subject.ts'

/** What changes of itself whenever a row is changed. */
const moving = new Set(['last_modified', 'updated'])

const without = (row: RowData, names: Iterable<string>): RowData => {
  const left = new Set(names)
  return Object.fromEntries(Object.entries(row).filter(([name]) => !left.has(name)))
}

/** Fields by the groups in which they are changed, one by one where nothing else is said. */
function changeable(fixture: Fixture): string[][] {
  const excluded = new Set([...(fixture.fixed ?? []), ...(fixture.settled ?? [])])
  const groups = fixture.together ?? []
  const single = mutableFields(fixture).map(([name]) => name)
  return single
    .filter((name) => !excluded.has(name) && !groups.some((group) => group.slice(1).includes(name)))
    .map((name) => [...(groups.find((group) => group[0] === name) ?? [name])])
}

/** Fields that are not reset where they are not sent. */
const lasting = (fixture: Fixture): ReadonlySet<string> =>
  new Set([...(fixture.filledIn ?? []), ...(fixture.settled ?? [])])

/** What is shown of a row that was made from a body, as far as the declaration tells. */
function expected(fixture: Fixture, body: RowData): RowData {
  const kept = lasting(fixture)
  const rest = writableFields(fixture).filter(([name]) => !(name in body) && !kept.has(name))
  return Object.fromEntries(rest.map(([name, field]) => [name, marksOf(field).default]))
}

/** Checks that every value of a resource is stored as it was sent, when it is created and when it is replaced. */
export function checkValues(fixture: Fixture, worldNow: () => World): void {
  const { resource } = fixture

  it('keeps every value that it is made with', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    const body = fixture.full(subject.world, subject.n)
    const row = await make(subject, body)
    for (const [name, value] of Object.entries(body)) assert.deepEqual(row[name], value, name)
    const read = await ask(subject, 'GET', pathOf(subject, row), 200)
    assert.deepEqual(without(read, ['valid_keys']), without(row, fixture.shownOnce ?? []))
  })

  it('is replaced as a whole by PUT, which resets what is not sent', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    const row = await makeFull(subject)
    const body = fixture.minimal(subject.world, subject.n)
    const next = await ask(subject, 'PUT', pathOf(subject, row), 200, body)
    const kept = new Set([...lasting(fixture), ...(resource.immutable ?? [])])
    for (const [name, value] of Object.entries(expected(fixture, body)))
      if (!kept.has(name)) assert.deepEqual(next[name], value, name)
    for (const name of kept) assert.deepEqual(next[name], row[name], name)
  })
}

/** Checks that a resource is created, read and changed as its declaration says. */
export function checkWriting(fixture: Fixture, worldNow: () => World): void {
  const { resource } = fixture
  it('is made from what is needed alone, the rest at its defaults', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    const body = fixture.minimal(subject.world, subject.n)
    const row = await make(subject, body)
    const computed = Object.keys(resource.computed ?? {})
    const names = (list: Iterable<string>) => [...list].filter((name) => !computed.includes(name)).sort()
    assert.deepEqual(names(Object.keys(row)), names(Object.keys(resource.fields)))
    for (const [name, value] of Object.entries(expected(fixture, body)))
      assert.deepEqual(row[name], value, name)
    for (const name of fixture.filledIn ?? []) assert.match(String(row[name]), /^[A-Z0-9]{8,16}$/)
  })

  it('ignores what it does not know and what cannot be written', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    const readOnly = Object.entries(resource.fields).filter(([, field]) => marksOf(field).readOnly)
    const junk = Object.fromEntries(readOnly.map(([name]) => [name, 4711]))
    const body = fixture.minimal(subject.world, subject.n)
    const row = await make(subject, { ...junk, unheard_of: [1], ...body })
    for (const [name] of readOnly) assert.notDeepEqual(row[name], 4711, name)
    const changed = await ask(subject, 'PATCH', pathOf(subject, row), 200, { ...junk, unheard_of: [1] })
    assert.deepEqual(without(changed, ['valid_keys']), without(row, fixture.shownOnce ?? []))
  })

  it('changes what is sent and nothing else', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    const other = fixture.other(subject.world, subject.n)
    let row = await makeFull(subject)
    for (const group of changeable(fixture)) {
      const change = Object.fromEntries(group.map((name) => [name, other[name]]))
      for (const name of group) assert.notDeepEqual(row[name], change[name], `${name} stays the same`)
      const next = await ask(subject, 'PATCH', pathOf(subject, row), 200, change)
      const left = [...moving, ...Object.keys(resource.computed ?? {})]
      assert.deepEqual(without(next, left), without({ ...row, ...change }, left), String(group))
      assert.deepEqual(await ask(subject, 'GET', pathOf(subject, row), 200), next)
      row = next
    }
  })

  const required = writableFields(fixture).filter(([, field]) => marksOf(field).required)
  if (required.length > 0)
    it('needs every field that has no default, to be made and to be replaced', async () => {
      const subject = await subjectOf(worldNow(), fixture)
      const body = fixture.minimal(subject.world, subject.n)
      const row = await make(subject, body)
      for (const [name] of required) {
        for (const [method, path] of [
          ['POST', subject.path],
          ['PUT', pathOf(subject, row)],
        ] as const) {
          if (method === 'PUT' && resource.immutable?.includes(name)) continue
          const refused = await ask(subject, method, path, 400, without(body, [name]))
          assert.deepEqual(Object.keys(refused), [name])
        }
      }
    })

  for (const name of resource.immutable ?? [])
    it(`keeps its ${name} whatever is sent`, async () => {
      const subject = await subjectOf(worldNow(), fixture)
      const row = await makeFull(subject)
      const other = fixture.other(subject.world, subject.n)
      assert.notDeepEqual(other[name], row[name])
      const next = await ask(subject, 'PATCH', pathOf(subject, row), 200, { [name]: other[name] })
      assert.deepEqual(next[name], row[name])
    })

  for (const name of fixture.settled ?? [])
    it(`refuses to change its ${name}`, async () => {
      const subject = await subjectOf(worldNow(), fixture)
      const row = await makeFull(subject)
      const change = { [name]: fixture.other(subject.world, subject.n)[name] }
      const refused = await ask(subject, 'PATCH', pathOf(subject, row), 400, change)
      assert.deepEqual(Object.keys(refused), [name])
      await ask(subject, 'PATCH', pathOf(subject, row), 200, { [name]: row[name] })
    })
}
