import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../server/resource/codec.ts'
import type { Fixture } from '../fixtures/fixture.ts'
import type { World } from '../fixtures/world.ts'
import { ask, make, makeFull, pathOf, type Subject, stored, subjectOf } from './subject.ts'

/** What the feed says about its rows: how many numbers were given out, and which number each row has. */
async function feedOf({ world, place, fixture }: Subject) {
  const { database } = world.server.running.transactions
  const event = fixture.resource.scope === 'event' ? place.event : 0
  const here = sql`organizer = ${place.organizer} AND event = ${event}`
  const counter = await database.get<{ seq: number }>(sql`SELECT seq FROM feed WHERE ${here}`)
  const changes = await database.all<{ resource: string; row_id: number; seq: number; op: string }>(
    sql`SELECT resource, row_id, seq, op FROM change WHERE ${here} ORDER BY seq`,
  )
  return { last: counter?.seq ?? 0, changes }
}

const auditOf = ({ world, place, fixture }: Subject, id: number): Promise<{ action: string }[]> =>
  world.server.running.transactions.database.all<{ action: string }>(
    sql`SELECT action FROM audit WHERE organizer = ${place.organizer} AND resource = ${fixture.resource.name} AND row_id = ${id} ORDER BY id`,
  )

/** Checks that every write leaves its trace in the feed and the audit trail, and that reads and refusals leave none. */
export function checkTraces(fixture: Fixture, worldNow: () => World): void {
  const { resource } = fixture

  /** Carries something out and checks that the feed got numbers for it without a gap; how many it got. */
  async function numbersOf(subject: Subject, work: () => Promise<unknown>): Promise<number> {
    const before = await feedOf(subject)
    await work()
    const after = await feedOf(subject)
    const fresh = after.changes.filter(({ seq }) => seq > before.last).map(({ seq }) => seq)
    assert.deepEqual(
      fresh,
      fresh.map((_, index) => before.last + index + 1),
    )
    assert.equal(after.last, before.last + fresh.length)
    return fresh.length
  }

  const isChanged = !resource.omit?.includes('update')

  if (isChanged)
    it('leaves one entry in the feed and the audit trail for each change, and none for a change of nothing', async () => {
      const subject = await subjectOf(worldNow(), fixture)
      let row: RowData = {}
      assert.equal(
        await numbersOf(subject, async () => {
          row = await makeFull(subject)
        }),
        fixture.entries ?? 1,
      )
      const { id } = await stored(subject, row)
      const path = pathOf(subject, row)
      const field = resource.fields.name ? 'name' : String(Object.keys(changeOf(subject))[0])
      const change = { [field]: changeOf(subject)[field] }
      assert.equal(
        await numbersOf(subject, () => ask(subject, 'PATCH', path, 200, change)),
        fixture.entries ?? 1,
      )
      assert.equal(await numbersOf(subject, () => ask(subject, 'PATCH', path, 200, change)), 0)
      assert.equal(await numbersOf(subject, () => ask(subject, 'PATCH', path, 200, {})), 0)
      assert.equal(await numbersOf(subject, () => ask(subject, 'GET', path, 200)), 0)
      assert.equal(await numbersOf(subject, () => ask(subject, 'POST', subject.path, 400, [])), 0)
      const actions = (await auditOf(subject, Number(id))).map(({ action }) => action.split('.').at(-1))
      assert.deepEqual(actions, ['added', 'changed'])
    })

  const changeOf = ({ world, n }: Subject): RowData => {
    const other = fixture.other(world, n)
    const awkward = new Set([
      ...(fixture.settled ?? []),
      ...(fixture.together ?? []).flat(),
      ...(resource.immutable ?? []),
    ])
    return Object.fromEntries(Object.entries(other).filter(([name]) => !awkward.has(name)))
  }

  if (resource.omit?.includes('delete')) {
    it('cannot be deleted', async () => {
      const subject = await subjectOf(worldNow(), fixture)
      const row = await make(subject, fixture.minimal(subject.world, subject.n))
      await ask(subject, 'DELETE', pathOf(subject, row), fixture.staysWhenDeleted ? 204 : 405)
      await ask(subject, 'GET', pathOf(subject, row), 200)
    })
    return
  }

  it('is gone once it is deleted, and leaves a tombstone', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    const row = await make(subject, fixture.minimal(subject.world, subject.n))
    const { id } = await stored(subject, row)
    const path = pathOf(subject, row)
    await numbersOf(subject, () => ask(subject, 'DELETE', path, 204))
    const { changes } = await feedOf(subject)
    const entry = changes.find((change) => change.resource === resource.name && change.row_id === id)
    assert.equal(entry?.op, 'delete')
    const actions = (await auditOf(subject, Number(id))).map(({ action }) => action.split('.').at(-1))
    assert.deepEqual(actions, ['added', 'deleted'])
    // Nobody is told whether an event exists that they may not enter.
    const gone = resource.name === 'event' ? 403 : 404
    for (const method of ['GET', ...(isChanged ? ['PATCH', 'PUT'] : []), 'DELETE'])
      assert.deepEqual(Object.keys(await ask(subject, method, path, gone, bodyFor(method))), ['detail'])
  })

  const bodyFor = (method: string): RowData | undefined => (method.startsWith('P') ? {} : undefined)

  it('is not found under what is no id', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    if (resource.name === 'event') return
    for (const id of ['0', 'x', '99999999999999999999', '-1'])
      await ask(subject, 'GET', `${subject.path}${id}/`, 404)
  })

  it('answers 405 to a method that it does not have', async () => {
    const subject = await subjectOf(worldNow(), fixture)
    await ask(subject, 'DELETE', subject.path, 405)
    await ask(subject, 'PUT', subject.path, 405, {})
  })
}
