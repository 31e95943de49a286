import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { restoreFacts } from '../../../server/sync/replica/own-facts.ts'
import { engines } from '../../support/engines/engines.ts'
import { dayAt, openUpstreamNode, type UpstreamNode } from './upstream-node.ts'

for (const engine of engines)
  describe(`an undone check-in that a station tells of, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    beforeEach(async () => {
      upstream = await openUpstreamNode(await engine.open())
    })
    afterEach(() => upstream.close())

    const enter = (position: number, nonce: string | null, row = {}) =>
      upstream.tell({
        station: upstream.north,
        position,
        secret: 'code',
        nonce: String(nonce),
        clock: '09:00',
        row: { nonce, ...row },
      })
    const annul = (nonce: string | null, checkin = 0, station = upstream.north) =>
      upstream.apply(
        upstream.fact('annulment', station, { checkin, nonce, at: dayAt('09:01'), explanation: 'a mistake' }),
      )
    const stored = () =>
      upstream.database.all(sql`SELECT successful, error_reason, error_explanation FROM checkin ORDER BY id`)
    const undone = { successful: 0, error_reason: 'annulled', error_explanation: 'a mistake' }
    const admitted = { successful: 1, error_reason: null, error_explanation: null }

    it('is undone here, and stays as such', async () => {
      const { id } = await upstream.sell('code')
      await enter(id, 'n')
      assert.deepEqual(await annul('n'), { status: 'applied' })
      assert.deepEqual(await stored(), [undone])
      assert.deepEqual(await annul('n'), { status: 'applied' })
      assert.deepEqual(await stored(), [undone])
      const audited = await upstream.database.all(
        sql`SELECT id FROM audit WHERE action = 'ticketsvc.event.checkin.reverted'`,
      )
      assert.equal(audited.length, 1)
    })

    it('is not undone by the same check-in reported again', async () => {
      const { id } = await upstream.sell('code')
      await enter(id, 'n')
      await annul('n')
      assert.deepEqual(await enter(id, 'n'), { status: 'applied' })
      assert.deepEqual(await stored(), [undone])
    })

    it('waits for the check-in that it is about', async () => {
      const { id } = await upstream.sell('code')
      const result = await annul('n')
      assert.deepEqual([result.status, result.reason], ['retry', 'unknown_checkin'])
      await enter(id, 'n')
      assert.deepEqual(await annul('n'), { status: 'applied' })
    })

    it('is found by its number where it has no nonce', async () => {
      const { id } = await upstream.sell('code')
      await enter(id, null)
      const row = await upstream.database.get<{ id: number }>(sql`SELECT id FROM checkin`)
      assert.equal((await annul(null, 12345)).status, 'retry')
      assert.equal((await annul(null, row?.id)).status, 'applied')
      assert.deepEqual(await stored(), [undone])
    })

    it('is one of the station that tells of it', async () => {
      const { id } = await upstream.sell('code')
      await enter(id, 'n')
      assert.equal((await annul('n', 0, upstream.south)).status, 'retry')
      assert.deepEqual(await stored(), [admitted])
    })

    it('was admitted: a refusal is not undone', async () => {
      const { id } = await upstream.sell('code')
      await enter(id, 'n', { successful: false, error_reason: 'unpaid', ordinal: null })
      assert.equal((await annul('n')).status, 'retry')
    })

    it('is repeated on a new copy for the scan meant, and for no other that has its number there', async () => {
      const { id } = await upstream.sell('code')
      await enter(id, 'n')
      await enter(id, 'm')
      await enter(id, null)
      const [first, , third] = await upstream.database.all<{ id: number }>(
        sql`SELECT id FROM checkin ORDER BY id`,
      )
      const repeat = async (checkin: number | undefined, nonce: string | null, station = upstream.north) => {
        const payload = JSON.stringify({ checkin, nonce, explanation: 'a mistake' })
        const fact = { ...upstream.place, kind: 'annulment', device: station.device, payload }
        assert.equal(await upstream.transactions.write((tx) => restoreFacts(tx, [fact])), 0)
      }
      await repeat(first?.id, 'm', upstream.south)
      await repeat(first?.id, null)
      await repeat(first?.id, 'not here')
      assert.deepEqual(await stored(), [admitted, admitted, admitted])
      await repeat(first?.id, 'm')
      assert.deepEqual(await stored(), [admitted, undone, admitted])
      await repeat(third?.id, null)
      assert.deepEqual(await stored(), [admitted, undone, undone])
    })

    it('has to be named', () =>
      assert.rejects(upstream.apply(upstream.fact('annulment', upstream.north, {})), /Refusal/))
  })
