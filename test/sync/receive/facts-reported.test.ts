import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import type { Actor } from '../../../server/resource/actor.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { updateRow } from '../../../server/resource/store.ts'
import { annul } from '../../../server/services/checkin/annul.ts'
import { listsById } from '../../../server/services/checkin/checkin-lists.ts'
import { recordFailedScan } from '../../../server/services/checkin/failed-checkin.ts'
import { redeem } from '../../../server/services/checkin/redeem.ts'
import type { RedeemInput } from '../../../server/services/checkin/redeem-input.ts'
import { eventById } from '../../../server/services/events/events.ts'
import { createOrders } from '../../../server/services/orders/order-drafts.ts'
import { engines, quickest } from '../../support/engines/engines.ts'
import { plainScan } from '../../support/ticketing/scans.ts'
import { addQuestion } from '../../support/ticketing/tickets.ts'
import { openUpstreamNode, type UpstreamNode } from './upstream-node.ts'

const site = 100

for (const engine of engines)
  describe(`what happens at a station, on ${engine.name}`, () => {
    let station: UpstreamNode
    beforeEach(async () => {
      station = await openUpstreamNode(await engine.open(), site)
    })
    afterEach(() => station.close())

    const actor = (): Actor => ({
      kind: 'station',
      id: station.north.device,
      name: 'North',
      organizer: station.place.organizer,
      permissions: new Set(),
      allEvents: true,
      events: new Set(),
      device: { id: station.north.device, gate: station.gate, profile: 'full' },
    })
    const scan = (code: string, more: Partial<RedeemInput> = {}) =>
      station.transactions.write(async (tx) => {
        const [list] = await listsById(tx, station.place.organizer, [station.list])
        assert.ok(list)
        return redeem(tx, {
          actor: actor(),
          organizer: station.place.organizer,
          lists: [list],
          input: { ...plainScan, code, nonce: `nonce of ${code}`, ...more },
        })
      })
    const reported = async () => {
      const rows = await station.database.all<{
        kind: string
        payload: string
        nonce: string
        device: number
        event: number
        site: number
      }>(sql`SELECT * FROM outbox ORDER BY seq`)
      return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) as RowData & { row: RowData } }))
    }

    it('gets the check-in that was stored, by the nonce that the outcome carries', async () => {
      const { id } = await station.sell('code')
      const outcome = await scan('code')
      const [fact, ...others] = await reported()
      assert.deepEqual(others, [])
      assert.deepEqual(
        [fact?.kind, fact?.nonce, fact?.device, fact?.event, fact?.site],
        ['checkin', outcome.fact, station.north.device, station.place.event, site],
      )
      const { row, secret } = fact?.payload ?? { row: {}, secret: null }
      assert.equal(secret, 'code')
      assert.deepEqual(
        [row.id, row.position, row.nonce, row.ordinal, row.successful, row.gate, row.raw_barcode, row.forced],
        [outcome.checkin, id, 'nonce of code', 1, true, station.gate, 'code', false],
      )
    })

    it('hears once of a scan that is sent again', async () => {
      await station.sell('code')
      await scan('code')
      assert.equal((await scan('code')).fact, null)
      assert.equal((await reported()).length, 1)
    })

    it('gets a refusal as well, once', async () => {
      const outcome = await scan('nobody')
      await scan('nobody')
      const [fact, ...others] = await reported()
      assert.deepEqual(others, [])
      assert.equal(fact?.nonce, outcome.fact)
      const { row, secret } = fact?.payload ?? { row: {}, secret: '' }
      assert.deepEqual(
        [row.successful, row.error_reason, row.position, secret],
        [false, 'invalid', null, null],
      )
    })

    it('is one scan where it is known by itself and from the upstream server, also when it is undone', async () => {
      const { id } = await station.sell('code')
      await station.transactions.write((tx) =>
        updateRow(tx, checkinList, station.place, {
          id: station.list,
          allow_multiple_entries: true,
          rules: { '<=': [{ var: 'entries_number' }, 1] },
        }),
      )
      await scan('code')
      // The upstream server had admitted it as well, and its answer was lost.
      await station.database.run(
        sql`INSERT INTO checkin (organizer, event, id, successful, "position", datetime, created, list, auto_checked_in, "type", device, nonce, raw_barcode, forced, force_sent, site)
            SELECT organizer, event, 4711, 1, "position", datetime, created, list, 0, "type", device, nonce, raw_barcode, 0, 0, 0
            FROM checkin WHERE "position" = ${id}`,
      )
      assert.equal((await scan('code', { nonce: 'again' })).status, 'ok')
      assert.equal((await scan('code', { nonce: 'too often' })).reason, 'rules')
      await station.transactions.write(async (tx) => {
        const lists = await listsById(tx, station.place.organizer, [station.list])
        const undoing = { nonce: 'nonce of code', at: null, explanation: null }
        await annul(tx, { actor: actor(), organizer: station.place.organizer, lists, ...undoing })
      })
      const left = await station.database.all(
        sql`SELECT nonce FROM checkin WHERE "position" = ${id} AND successful = 1`,
      )
      assert.deepEqual(left, [{ nonce: 'again' }])
    })

    it('gets an annulled check-in', async () => {
      await station.sell('code')
      const outcome = await scan('code')
      await station.transactions.write(async (tx) => {
        const lists = await listsById(tx, station.place.organizer, [station.list])
        await annul(tx, {
          actor: actor(),
          organizer: station.place.organizer,
          lists,
          nonce: 'nonce of code',
          at: null,
          explanation: 'a mistake',
        })
      })
      const [, fact] = await reported()
      const { at, scanned, ...payload }: RowData = fact?.payload ?? {}
      assert.deepEqual([fact?.kind, fact?.device], ['annulment', station.north.device])
      assert.deepEqual(payload, {
        checkin: outcome.checkin,
        nonce: 'nonce of code',
        explanation: 'a mistake',
      })
      assert.equal(typeof at, 'string')
      const taken = await station.database.get(
        sql`SELECT datetime FROM checkin WHERE id = ${outcome.checkin}`,
      )
      assert.equal(scanned, taken?.datetime)
    })

    it('gets answers before the scan that they came with', async () => {
      const { id } = await station.sell('code')
      const question = await station.transactions.write((tx) =>
        addQuestion(tx, station.place, [station.item]),
      )
      assert.equal((await scan('code')).status, 'incomplete')
      assert.deepEqual(await reported(), [])
      await scan('code', { answers: { [question]: 'Ada' } })
      const facts = await reported()
      assert.deepEqual(
        facts.map(({ kind }) => kind),
        ['answers', 'checkin'],
      )
      assert.deepEqual(facts[0]?.payload, {
        position: id,
        answers: [{ question, answer: 'Ada', options: [] }],
        removed: [],
      })
    })

    it('gets answers that were taken back', async () => {
      await station.sell('code')
      const question = await station.transactions.write((tx) =>
        addQuestion(tx, station.place, [station.item], { required: false }),
      )
      await scan('code', { answers: { [question]: 'Ada' } })
      await scan('code', { answers: { [question]: '' }, nonce: 'again' })
      const removed = (await reported())
        .filter(({ kind }) => kind === 'answers')
        .map(({ payload }) => payload.removed)
      assert.deepEqual(removed, [[], [question]])
    })

    it('gets a scan that an app has refused by itself', async () => {
      const { id } = await station.sell('code')
      await station.transactions.write((tx) =>
        recordFailedScan(tx, actor(), station.place, {
          list: station.list,
          reason: 'error',
          explanation: null,
          barcode: 'code',
          at: null,
          type: 'entry',
          position: null,
          raw_item: null,
          raw_variation: null,
          raw_subevent: null,
          nonce: 'n',
        }),
      )
      const [fact] = await reported()
      assert.deepEqual(
        [
          fact?.kind,
          fact?.device,
          fact?.payload.secret,
          fact?.payload.row.position,
          fact?.payload.row.force_sent,
        ],
        ['checkin', station.north.device, 'code', id, true],
      )
    })

    it('gets entries that come with a sale', async () => {
      const { place, list, item } = station
      await station.transactions.write((tx) =>
        updateRow(tx, checkinList, place, { id: list, auto_checkin_sales_channels: ['boxoffice'] }),
      )
      await station.transactions.write(async (tx) => {
        const event = await eventById(tx, place.organizer, place.event)
        assert.ok(event)
        const positions = [{ positionid: 1, item, price: 0, secret: 'sold here' }]
        const draft = { status: 'p', sales_channel: 'boxoffice', positions } as const
        await createOrders(tx, { actor: actor(), place, event }, [draft])
      })
      const entries = (await reported()).filter(({ kind }) => kind === 'checkin')
      assert.deepEqual(
        entries.map(({ payload: { row, secret } }) => [row.auto_checked_in, row.list, secret]),
        [[true, list, 'sold here']],
      )
    })
  })

describe('what happens at the top', () => {
  it('is reported to nobody', async () => {
    const upstream = await openUpstreamNode(await quickest.open())
    const { id } = await upstream.sell('code')
    await upstream.tell({ station: upstream.north, position: id, secret: 'code', nonce: 'n', clock: '09:00' })
    assert.deepEqual(await upstream.database.all(sql`SELECT * FROM outbox`), [])
    await upstream.close()
  })
})
