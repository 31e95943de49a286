import assert from 'node:assert/strict'
import sql, { empty } from 'sql-template-tag'
import { device } from '../../../schema/resources/devices/device.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import { tellOfDevice } from '../../../server/services/devices/device-behaviour.ts'
import { shapesOf } from '../../../server/sync/feed/columns.ts'
import { feedViewOf } from '../../../server/sync/feed/view.ts'
import { carryAccess } from '../../../server/sync/renewal/carry-access.ts'
import { carryOver } from '../../../server/sync/renewal/swap.ts'
import { engines } from '../../support/engines/engines.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { openUpstreamNode, type UpstreamNode } from '../receive/upstream-node.ts'

const siteSpan = 2 ** 32
const own = 1000 * siteSpan + 1

describe("the access of a hub's own devices", () => {
  const open = async (values: object): Promise<UpstreamNode> => {
    const hub = await openUpstreamNode(await openMemory(), 1000)
    await hub.transactions.write((tx) =>
      insertRow(
        tx,
        device,
        { ...hub.place, event: 0 },
        {
          ...blankRow(device),
          id: own,
          device_id: 9,
          unique_serial: 'S',
          name: 'Tablet',
          created: '2030',
          ...values,
        },
      ),
    )
    return hub
  }
  const access = async ({ database }: UpstreamNode) =>
    Object.values(
      (await database.get<object>(
        sql`SELECT initialization_token, token_hash, initialized, revoked FROM device WHERE id = ${own}`,
      )) ?? {},
    )

  const cases: readonly (readonly [string, object, object, readonly unknown[]])[] = [
    [
      'goes over to a new copy before anybody above knows of it',
      { token_hash: 'hash', initialized: '2030' },
      {},
      [null, 'hash', '2030', 0],
    ],
    ['includes the one-time token', { initialization_token: 'once' }, {}, ['once', null, null, 0]],
    [
      'is not replaced by an older one',
      { token_hash: 'old', initialized: '2029' },
      { token_hash: 'new', initialized: '2030' },
      [null, 'new', '2030', 0],
    ],
    [
      'is not given to one that was revoked',
      { token_hash: 'hash', initialized: '2030' },
      { revoked: true },
      [null, null, null, 1],
    ],
  ]
  for (const [title, before, after, expected] of cases)
    it(title, async () => {
      const [from, to] = [await open(before), await open(after)]
      await carryAccess(from.transactions, to.transactions, sql`1 = 1`)
      assert.deepEqual(await access(to), expected)
      for (const one of [from, to]) await one.close()
    })

  const since = '2030-06-01T10:00:00.000000Z'
  const newer = { token_hash: 'new', initialized: '2030', site: 1005 }
  const older = { token_hash: 'old', initialized: '2029', site: 1002 }

  const gone = { revoked: true }

  /** What a new copy has after a hub has reported a device, its facts are in a state, and more has happened. */
  const afterSwap = async (
    state: string,
    reportAgain: boolean,
    after: object = {},
    { upstream = older, last = newer }: { upstream?: object; last?: object } = {},
  ): Promise<unknown[]> => {
    const [from, to] = [await open({ ...newer, ...after }), await open(upstream)]
    await from.transactions.write(async (tx) => {
      for (const reported of [older, last])
        tellOfDevice(tx, from.place.organizer, { ...blankRow(device), id: own, ...reported })
    })
    const done = state === 'done' ? '2030-06-01T09:00:00.000000Z' : null
    await from.database.run(sql`UPDATE outbox SET state = ${state}, done_at = ${done}`)
    await carryOver(from.transactions, to.transactions, { since, reportAgain, mayBeOlder: false }).finish()
    const row = await to.database.get<object>(
      sql`SELECT token_hash, initialized, site${after === gone ? sql`, revoked` : empty} FROM device WHERE id = ${own}`,
    )
    for (const one of [from, to]) await one.close()
    return Object.values(row ?? {})
  }

  it('is as it will be reported, since what is upstream is not taken over before', async () => {
    assert.deepEqual(await afterSwap('waiting', false), Object.values(newer))
    assert.deepEqual(await afterSwap('done', true), Object.values(newer))
  })

  it('is as it is upstream where that was reported, was refused, or is not the newest', async () => {
    assert.deepEqual(await afterSwap('done', false), Object.values(older))
    assert.deepEqual(await afterSwap('parked', true), Object.values(older))
    assert.deepEqual(await afterSwap('done', true, { site: 3000 }), Object.values(older))
  })

  it('is as it is upstream where that was changed there since, for what was reported once', async () => {
    const upstream = { token_hash: 'rolled upstream', initialized: '2031', site: 1005 }
    assert.deepEqual(await afterSwap('done', true, {}, { upstream }), Object.values(upstream))
    assert.deepEqual(await afterSwap('waiting', false, {}, { upstream }), Object.values(newer))
  })

  it('stays taken away where that is yet to be reported, and is not given back', async () => {
    const last = { ...newer, ...gone }
    for (const [state, again] of [
      ['waiting', false],
      ['done', true],
    ] as const)
      assert.equal((await afterSwap(state, again, gone, { last })).at(-1), 1)
    // Whoever is upstream has forgotten it: there it is as it was before, and nothing here gives the token back.
    const upstream = { site: 1005 }
    assert.deepEqual(await afterSwap('done', true, gone, { upstream, last: older }), [null, null, 1005, 0])
  })
})

for (const engine of engines)
  describe(`the numbers that a hub once gave, on ${engine.name}`, () => {
    it('are sent to the hub itself and to nobody else', async () => {
      const upstream = await openUpstreamNode(await engine.open())
      const { database, place, north, south } = upstream
      await database.run(
        sql`UPDATE device SET site = 3000, site_end = 4000, former_sites = '[[1000,2000]]' WHERE id = ${north.device}`,
      )
      await database.run(sql`UPDATE device SET site_end = NULL WHERE id = ${south.device}`)
      const seenBy = async (who: number, whose: number): Promise<unknown> => {
        const view = await feedViewOf(database, place.organizer, who, true)
        const shape = shapesOf(view).find(({ resource }) => resource.name === 'device')
        const row = await database.get(sql`SELECT * FROM device WHERE id = ${whose}`)
        assert.ok(shape && row)
        return shape.cellsOf(row, view)[shape.columns.indexOf('former_sites')]
      }
      assert.equal(await seenBy(north.device, north.device), '[[1000,2000]]')
      assert.equal(await seenBy(north.device, south.device), null)
      assert.equal(await seenBy(south.device, north.device), undefined)
      await upstream.close()
    })
  })
