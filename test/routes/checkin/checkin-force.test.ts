import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addSubevent, revoke } from '../../support/ticketing/tickets.ts'
import { type Door, openDoor, scansOf, verdict } from './checkin-door.ts'

const never = { '<': [{ var: 'entries_number' }, 0] }

for (const engine of engines)
  describe(`a forced scan on ${engine.name}`, () => {
    let door: Door
    before(async () => {
      door = await openDoor(await engine.open())
    })
    after(() => door.server.close())

    const obstacles: readonly [string, RowData, RowData, RowData][] = [
      ['a canceled order', {}, { status: 'c' }, {}],
      ['a canceled position', { canceled: true }, {}, {}],
      ['a block', { blocked: ['admin'] }, {}, {}],
      ['a ticket out of time', { valid_until: '2021-01-01T00:00:00Z' }, {}, {}],
      ['another product', {}, {}, { all_products: false }],
      ['a missing approval', {}, { status: 'n', require_approval: true }, {}],
      ['a missing payment', {}, { status: 'n' }, {}],
      ['the rules', {}, {}, { rules: never }],
    ]
    for (const [index, [what, position, order, list]] of obstacles.entries())
      it(`gets past ${what}, and says that force was needed`, async () => {
        const at = await door.makeList(list)
        const secret = `forced${index}`
        await door.sell(secret, position, order)
        assert.equal(verdict(await door.redeem(secret, { lists: [at], force: true })), '201 ok')
        const [scan, ...more] = await scansOf(door, secret)
        assert.deepEqual([scan?.successful, scan?.forced, scan?.force_sent], [1, 1, 1])
        assert.deepEqual(more, [])
      })

    it('gets past another date', async () => {
      const friday = await door.write((tx) => addSubevent(tx, door.place, 'Friday'))
      const list = await door.makeList({ subevent: friday })
      await door.sell('dateless')
      assert.equal(verdict(await door.redeem('dateless', { lists: [list], force: true })), '201 ok')
    })

    it('admits twice, and only the second time was forced', async () => {
      await door.sell('doubled')
      assert.equal(verdict(await door.redeem('doubled', { force: true, nonce: 'a' })), '201 ok')
      assert.equal(verdict(await door.redeem('doubled', { force: true, nonce: 'b' })), '201 ok')
      assert.deepEqual(
        (await scansOf(door, 'doubled')).map((scan) => [scan.forced, scan.force_sent, scan.ordinal]),
        [
          [0, 1, 1],
          [1, 1, 2],
        ],
      )
    })

    it('is only said to have been sent where nothing stood in the way', async () => {
      await door.sell('unneeded')
      await door.redeem('unneeded', { force: true })
      await door.sell('unsent')
      await door.redeem('unsent')
      const flags = async (secret: string) =>
        (await scansOf(door, secret)).map((scan) => [scan.forced, scan.force_sent])
      assert.deepEqual(await flags('unneeded'), [[0, 1]])
      assert.deepEqual(await flags('unsent'), [[0, 0]])
    })

    it('does not help an unknown code, and says so in what is stored', async () => {
      assert.equal(verdict(await door.redeem('unknown', { force: true })), '404 error invalid')
      const [scan] = await scansOf(door, 'unknown')
      assert.deepEqual(
        [scan?.successful, scan?.error_reason, scan?.position, scan?.force_sent],
        [0, 'invalid', null, 1],
      )
    })

    it('is replayed like any other', async () => {
      const ticket = await door.sell('uploaded')
      await door.write((tx) => revoke(tx, door.place, 'paper', ticket.id))
      const sent = { force: true, nonce: 'upload', datetime: '2030-06-01T08:00:00Z' }
      assert.equal(verdict(await door.redeem('paper', sent)), '201 ok')
      assert.equal(verdict(await door.redeem('paper', sent)), '201 ok')
      assert.equal((await scansOf(door, 'paper')).length, 1)
    })
  })
