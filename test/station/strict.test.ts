import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../server/resource/codec.ts'
import { saveStation, stationSettings } from '../../server/services/devices/station-settings.ts'
import type { UpstreamAnswer } from '../../server/station/upstream-answer.ts'
import { question } from '../renderer/samples.ts'
import { addItem, addList } from '../support/ticketing/tickets.ts'
import { dayAt } from '../sync/receive/upstream-node.ts'
import { type LinkedStation, openLinkedStation, settle } from './linked-station.ts'

describe('a list on which the upstream server decides', () => {
  let station: LinkedStation
  let ticket: { id: number }
  const strictly = (strict_fallback: boolean): void => {
    station.upstream.settings = {
      ...station.upstream.settings,
      strict_lists: [station.data.list],
      strict_fallback,
    }
  }
  beforeEach(async () => {
    station = await openLinkedStation()
    ticket = await station.data.sell('ticket', { attendee_name: 'Ada' })
    strictly(false)
  })
  afterEach(() => station.close())

  const short = ({ status, reason, offline, confirmed }: RowData) => [status, reason, offline, confirmed]
  const passUpstream = { id: 4711, type: 'entry' as const, gate: null, auto_checked_in: false }
  const positionUpstream = () => ({
    id: ticket.id,
    order: 'ABCDE',
    positionid: 1,
    attendee_name: 'Ada',
    item: { id: 1, name: { en: 'Day ticket' } },
    variation: null,
    subevent: null,
    seat: null,
    secret: 'ticket',
    order__status: 'p',
    checkins: [{ ...passUpstream, device: station.device, datetime: '2030-06-01T10:00:00Z' }],
  })
  const admitted = (): UpstreamAnswer => ({ status: 'ok', position: positionUpstream() })
  const stored = () =>
    station.data.database.all<{ id: number; successful: number; nonce: string; error_reason: string | null }>(
      sql`SELECT id, successful, nonce, error_reason FROM checkin ORDER BY id`,
    )
  /** A ruling that comes when a test says so. */
  const later = () => {
    let give: (ruling: UpstreamAnswer | null) => void = () => undefined
    station.upstream.answer = () => new Promise((resolve) => (give = resolve))
    return (ruling: UpstreamAnswer | null) => give(ruling)
  }
  const scanAndWait = async (nonce: string): Promise<RowData> => {
    const scan = station.scan('ticket', { nonce })
    while (station.upstream.asked.length === 0) await settle()
    station.data.env.pass(2000)
    return scan
  }

  it('asks there first, with the same nonce and all that was said', async () => {
    station.upstream.answer = async () => admitted()
    await station.scan('ticket', { nonce: 'n', at: dayAt('09:59'), ignore_unpaid: true, answers: { 1: 'x' } })
    assert.deepEqual(station.upstream.asked, [
      {
        secret: 'ticket',
        lists: [station.data.list],
        type: 'entry',
        source_type: 'barcode',
        force: false,
        ignore_unpaid: true,
        questions_supported: true,
        nonce: 'n',
        answers: { 1: 'x' },
        datetime: dayAt('09:59'),
      },
    ])
  })

  it('admits whom the upstream server admits, and notes it as it is there', async () => {
    station.upstream.answer = async () => admitted()
    const result = await station.scan('ticket', { nonce: 'n' })
    assert.deepEqual([...short(result), result.can_undo], ['ok', null, false, true, true])
    assert.equal((result.position as RowData).attendee_name, 'Ada')
    assert.deepEqual(await stored(), [{ id: 4711, successful: 1, nonce: 'n', error_reason: null }])
    assert.deepEqual(await station.facts(), [])
    station.upstream.settings = { ...station.upstream.settings, strict_lists: [] }
    assert.deepEqual(short(await station.scan('ticket')).slice(0, 2), ['error', 'already_redeemed'])
  })

  it('does not note it twice when it has come with the changes already', async () => {
    station.upstream.answer = async () => {
      await station.data.database.run(
        sql`INSERT INTO checkin (organizer, event, id, successful, "position", datetime, created, list, auto_checked_in, "type", nonce, forced, force_sent, site)
            VALUES (${station.data.place.organizer}, ${station.data.place.event}, 4711, 1, ${ticket.id}, ${dayAt('10:00')}, ${dayAt('10:00')}, ${station.data.list}, 0, 'entry', 'n', 0, 0, 0)`,
      )
      return admitted()
    }
    assert.equal((await station.scan('ticket', { nonce: 'n' })).status, 'ok')
    assert.equal((await stored()).length, 1)
  })

  it('keeps out whom the upstream server keeps out, and shows what it knows', async () => {
    station.upstream.answer = async () => ({
      status: 'error',
      reason: 'already_redeemed',
      reason_explanation: null,
      position: {
        ...positionUpstream(),
        checkins: [
          {
            ...passUpstream,
            datetime: '2030-06-01T10:00:00Z',
            device: station.data.south.device,
            gate: station.data.gate,
          },
        ],
      },
    })
    const result = await station.scan('ticket')
    assert.deepEqual(short(result), ['error', 'already_redeemed', false, true])
    assert.deepEqual((result.position as RowData).checkins, [
      {
        datetime: '2030-06-01T10:00:00Z',
        type: 'entry',
        gate: 'North gate',
        device: 'South',
        auto_checked_in: false,
      },
    ])
    assert.deepEqual(await stored(), [])
    assert.deepEqual(await station.facts(), [])
  })

  it('asks what the upstream server wants to know', async () => {
    station.upstream.answer = async () => ({
      status: 'incomplete',
      position: positionUpstream(),
      questions: [question({ id: 9 })],
    })
    const result = await station.scan('ticket')
    assert.deepEqual([result.status, result.questions], ['incomplete', [question({ id: 9 })]])
  })

  it('knows tickets that have not come here yet', async () => {
    station.upstream.answer = async () => ({
      status: 'ok',
      require_attention: true,
      checkin_texts: ['Welcome'],
      position: { ...positionUpstream(), id: 999_999, secret: 'new', order: 'NEW12' },
    })
    const result = await station.scan('new')
    assert.deepEqual(
      [result.status, result.require_attention, result.checkin_texts],
      ['ok', true, ['Welcome']],
    )
    const { order, item_name, attendee_name } = result.position as RowData
    assert.deepEqual([order, item_name, attendee_name], ['NEW12', { en: 'Day ticket' }, 'Ada'])
    assert.deepEqual(await stored(), [])
  })

  it('knows codes that nobody knows', async () => {
    station.upstream.answer = async () => ({ status: 'error', reason: 'invalid', reason_explanation: null })
    assert.deepEqual(short(await station.scan('nobody')), ['error', 'invalid', false, true])
  })

  describe('beside lists on which the station decides', () => {
    let vip: { item: number; list: number }
    beforeEach(async () => {
      const { transactions, place, list, item } = station.data
      vip = await transactions.write(async (tx) => {
        const product = await addItem(tx, place, 'VIP')
        await tx.run(
          sql`UPDATE checkin_list SET all_products = 0, limit_products = ${JSON.stringify([item])} WHERE id = ${list}`,
        )
        return {
          item: product,
          list: await addList(tx, place, 'VIP', { all_products: false, limit_products: [product] }),
        }
      })
      await chooseLists([list, vip.list])
    })
    const chooseLists = (ids: readonly number[]) =>
      station.data.transactions.write(async (tx) => {
        const settings = await stationSettings(tx)
        assert.ok(settings)
        await saveStation(tx, { ...settings, lists: ids.map((id) => ({ id, name: String(id) })) })
      })
    const asked = () => station.upstream.asked.map(({ lists }) => lists)

    it('asks about its own tickets only, and goes on with all others while nobody answers', async () => {
      await station.data.sell('vip', { item: vip.item })
      station.upstream.answer = () => new Promise(() => undefined)
      station.upstream.isOffline = true
      assert.deepEqual(short(await station.scan('vip')), ['ok', null, true, false])
      assert.deepEqual(asked(), [])
      assert.deepEqual(short(await scanAndWait('n')), ['error', 'error', true, false])
      assert.deepEqual(asked(), [[station.data.list]])
    })

    it('asks about a code that is unknown here on one list of an event after the other', async () => {
      station.upstream.answer = async ({ lists }) =>
        (lists as readonly number[]).includes(vip.list)
          ? { ...admitted(), list: { id: vip.list } }
          : { status: 'error', reason: 'product', position: positionUpstream() }
      const result = await station.scan('new')
      assert.deepEqual([...short(result), (result.list as RowData).name], ['ok', null, false, true, 'VIP'])
      assert.deepEqual(asked(), [[station.data.list], [vip.list]])
    })
  })

  it('lets nobody in without an answer, and says why in the language of the station', async () => {
    station.upstream.answer = () => new Promise(() => undefined)
    const result = await scanAndWait('n')
    assert.deepEqual(short(result), ['error', 'error', true, false])
    assert.match(String(result.reason_explanation), /does not answer/)
    const [row] = await stored()
    assert.deepEqual([row?.successful, row?.error_reason], [0, 'error'])
    assert.equal((await station.facts()).length, 1)
  })

  it('takes a failure to answer for no answer at once', async () => {
    station.upstream.answer = async () => {
      throw new Error('connection lost')
    }
    assert.deepEqual(short(await station.scan('ticket')), ['error', 'error', true, false])
  })

  it('goes on by itself where it may', async () => {
    strictly(true)
    station.upstream.answer = () => new Promise(() => undefined)
    assert.deepEqual(short(await scanAndWait('n')), ['ok', null, true, false])
    const [fact] = await station.facts()
    assert.equal((fact?.payload.row as RowData | undefined)?.nonce, 'n')
    assert.deepEqual(station.upstream.awaited, [])
  })

  it('does not even ask where it may go on by itself and nobody is to be reached', async () => {
    strictly(true)
    station.upstream.isOffline = true
    assert.deepEqual(short(await station.scan('ticket')), ['ok', null, true, false])
    assert.deepEqual(station.upstream.asked, [])
  })

  it('undoes upstream what was admitted there too late', async () => {
    const give = later()
    const result = await scanAndWait('n')
    assert.equal(result.status, 'error')
    give(admitted())
    await settle()
    const [, fact] = await station.facts()
    assert.deepEqual([fact?.kind, fact?.payload.nonce, fact?.payload.checkin], ['annulment', 'n', 4711])
  })

  it('undoes it once', async () => {
    const give = later()
    await scanAndWait('n')
    give(admitted())
    give(admitted())
    await settle()
    assert.equal((await station.facts()).filter(({ kind }) => kind === 'annulment').length, 1)
  })

  it('undoes what was admitted there when its answer was lost and the entry comes with the changes', async () => {
    station.upstream.answer = async () => null
    await station.scan('ticket', { nonce: 'n' })
    await station.data.transactions.write(async (tx) => {
      await tx.run(
        sql`INSERT INTO checkin (organizer, event, id, successful, "position", datetime, created, list, auto_checked_in, "type", device, nonce, forced, force_sent, site)
            VALUES (${station.data.place.organizer}, ${station.data.place.event}, 4711, 1, ${ticket.id}, ${dayAt('10:00')}, ${dayAt('10:00')}, ${station.data.list}, 0, 'entry', ${station.device}, 'n', 0, 0, 0)`,
      )
      tx.changed(station.data.place, 'checkin', 4711, 'put')
    })
    await settle()
    assert.deepEqual(
      (await stored()).filter(({ id }) => id === 4711).map(({ successful }) => successful),
      [0],
    )
    assert.equal((await station.facts()).at(-1)?.kind, 'annulment')
  })

  it('undoes nothing where the late answer is no, or where it went on by itself', async () => {
    const refuse = later()
    await scanAndWait('n')
    refuse({ status: 'error', reason: 'already_redeemed' })
    await settle()
    assert.ok((await station.facts()).every(({ kind }) => kind !== 'annulment'))
    strictly(true)
    station.upstream.asked.length = 0
    const admit = later()
    assert.equal((await scanAndWait('m')).status, 'ok')
    admit(admitted())
    await settle()
    assert.ok((await station.facts()).every(({ kind }) => kind !== 'annulment'))
  })

  it('undoes upstream what was refused here after it went on by itself', async () => {
    strictly(true)
    await station.data.transactions.write((tx) => tx.run(sql`UPDATE orders SET status = 'c'`))
    const give = later()
    assert.deepEqual(short(await scanAndWait('n')).slice(0, 2), ['error', 'canceled'])
    give(admitted())
    await settle()
    assert.equal((await station.facts()).at(-1)?.kind, 'annulment')
  })

  it('is not another list', async () => {
    station.upstream.settings = { ...station.upstream.settings, strict_lists: [station.data.list + 1] }
    assert.deepEqual(short(await station.scan('ticket')), ['ok', null, false, true])
    assert.deepEqual(station.upstream.asked, [])
  })
})
