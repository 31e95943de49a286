import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { updateRow } from '../../../server/resource/store.ts'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import { listsById } from '../../../server/services/checkin/checkin-lists.ts'
import { redeem } from '../../../server/services/checkin/redeem.ts'
import type { RedeemInput } from '../../../server/services/checkin/redeem-input.ts'
import { viewScan } from '../../../server/station/scan-view.ts'
import { engines } from '../../support/engines/engines.ts'
import { addEvent } from '../../support/servers/servers.ts'
import { plainScan } from '../../support/ticketing/scans.ts'
import {
  addItem,
  addList,
  addOrder,
  addQuestion,
  addSubevent,
  addVariation,
  revoke,
} from '../../support/ticketing/tickets.ts'
import { bodyOf, clockAt, scansOf, verdict } from './checkin-door.ts'
import { openSignedDoor, type SignedDoor } from './signed-door.ts'

const start = '2030-06-01T10:00:00.000000Z'
const at = (time: string) => ({ datetime: `2030-06-01T${time}Z` })

for (const engine of engines)
  describe(`a ticket of which nothing is known but its signature, on ${engine.name}`, () => {
    let door: SignedDoor
    let queued: number

    before(async () => {
      door = await openSignedDoor(engine, { env: clockAt('2030-06-01T18:00:00Z') })
    })
    after(() => door.server.close())
    beforeEach(async () => {
      queued = (await door.queued()).length
    })

    const scan = async (code: string, more: RowData = {}): Promise<string> =>
      verdict(await door.redeem(code, more))
    const newlyQueued = async (): Promise<number> => (await door.queued()).length - queued

    for (const scheme of ['pretix_sig1', 'gatehouse_1'] as const) {
      it(`case 61: is admitted (${scheme})`, async () => {
        const code = door.sign({}, scheme)
        const answer = await door.redeem(code)
        assert.equal(verdict(answer), '201 ok')
        const { signed, list, ...body } = bodyOf(answer)
        assert.ok(!('position' in body))
        assert.equal((list as RowData).id, door.list)
        assert.deepEqual(
          { ...(signed as RowData), issued: null },
          {
            scheme,
            key_id: 1,
            issued: null,
            item: door.item,
            variation: null,
            subevent: null,
            valid_from: null,
            valid_until: null,
          },
        )
        const reported = (await door.queued()).at(-1)
        assert.equal(await newlyQueued(), 1)
        assert.equal(reported?.secret, code)
        assert.equal(reported?.by_signature, true)
        assert.equal(reported?.row.position, null)
        const [stored] = await scansOf(door, code)
        assert.equal(stored?.successful, 1)
        assert.equal(stored?.position, null)
      })

      it(`case 68: is unknown when it was tampered with (${scheme})`, async () => {
        const code = door.sign({}, scheme)
        const changed = code.slice(0, 60) + (code[60] === 'B' ? 'C' : 'B') + code.slice(61)
        const answer = await door.redeem(changed)
        assert.equal(verdict(answer), '404 error invalid')
        assert.equal(bodyOf(answer).detail, 'Not found.')
        assert.equal(await newlyQueued(), 0)
      })
    }

    it('case 62: is admitted on a list of its product, which is known by the id that the upstream server gave it', async () => {
      const list = await door.makeList({ all_products: false, limit_products: [door.item] })
      assert.equal(await scan(door.sign(), { lists: [list] }), '201 ok')
      const other = await door.write((tx) => addItem(tx, door.place, 'Other'))
      const code = door.sign({ item: other })
      assert.equal(await scan(code, { lists: [list] }), '400 error product')
      const [stored] = await door.database.all(
        sql`SELECT raw_item, raw_variation, raw_subevent, list FROM checkin WHERE raw_barcode = ${code}`,
      )
      assert.deepEqual(stored, { raw_item: other, raw_variation: null, raw_subevent: null, list })
      assert.equal(await newlyQueued(), 1)
    })

    it('case 63: is refused before it is valid, and admitted from then on', async () => {
      const code = door.sign({ valid_from: start })
      const early = await door.redeem(code, at('09:59:59'))
      assert.equal(verdict(early), '400 error invalid_time')
      assert.equal(bodyOf(early).reason_explanation, 'Only valid from 12:00')
      assert.equal(await scan(code, at('10:00:01')), '201 ok')
      assert.equal(await newlyQueued(), 1)
    })

    it('case 64: is refused after it was valid, and admitted until then', async () => {
      const code = door.sign({ valid_until: start })
      assert.equal(await scan(code, at('10:00:01')), '400 error invalid_time')
      assert.equal(await scan(code, at('09:59:59')), '201 ok')
      assert.equal(await newlyQueued(), 1)
    })

    it('case 65: is refused when it was revoked', async () => {
      const code = door.sign()
      await door.write((tx) => revoke(tx, door.place, code))
      assert.equal(await scan(code), '400 error revoked')
      assert.equal(await newlyQueued(), 0)
      assert.equal(await scan(code, { force: true }), '201 ok')
      assert.equal((await door.queued()).at(-1)?.row.forced, true)
    })

    it('case 66: is refused when it is blocked', async () => {
      const code = door.sign()
      await door.block(code)
      assert.equal(await scan(code), '400 error blocked')
      assert.equal(await newlyQueued(), 0)
    })

    it('case 67: is refused when its product is not known', async () => {
      const answer = await door.redeem(door.sign({ item: 987_654 }))
      assert.equal(verdict(answer), '400 error error')
      assert.equal(bodyOf(answer).reason_explanation, 'The product of this ticket is not known here')
      assert.equal(await newlyQueued(), 0)
    })

    describe('case 69: signed by another event', () => {
      let other: number
      let code: string
      before(async () => {
        const { organizer } = door.place
        const place = await door.write(async (tx) => ({
          organizer,
          event: await addEvent(tx, organizer, `fete-${tx.nextId()}`),
        }))
        await door.trust(place, 2)
        other = await door.write((tx) => addList(tx, place, 'Fete', {}))
        const product = await door.write((tx) => addItem(tx, place, 'Fete ticket'))
        code = door.sign({ item: product }, 'pretix_sig1', 2)
      })

      it('is unknown on a list of this event', async () => {
        assert.equal(await scan(code), '404 error invalid')
        assert.equal((await scansOf(door, code)).at(-1)?.list, door.list)
      })

      it('is admitted at its own list among several, in any order', async () => {
        for (const lists of [
          [door.list, other],
          [other, door.list],
        ]) {
          const answer = await door.redeem(code, { lists, type: 'exit' })
          assert.equal(verdict(answer), '201 ok')
          assert.equal((bodyOf(answer).list as RowData).id, other)
        }
      })

      it('is unknown under a key of the same number that is not its own', async () => {
        assert.equal(await scan(door.sign({}, 'gatehouse_1', 2)), '404 error invalid')
      })
    })

    it('case 70: may leave at any time', async () => {
      const early = door.sign({ valid_from: start })
      assert.equal(await scan(early, { type: 'exit', ...at('09:00:00') }), '201 ok')
      const late = door.sign({ valid_until: start })
      assert.equal(await scan(late, { type: 'exit', ...at('11:00:00') }), '201 ok')
    })

    it('case 71: is refused on the way out when it is blocked', async () => {
      const code = door.sign()
      await door.block(code)
      assert.equal(await scan(code, { type: 'exit' }), '400 error blocked')
    })

    describe('case 72: entering again', () => {
      it('is refused', async () => {
        const code = door.sign()
        assert.equal(await scan(code), '201 ok')
        assert.equal(await scan(code), '400 error already_redeemed')
        assert.equal(await newlyQueued(), 1)
      })

      it('is admitted after an exit where the list allows it', async () => {
        const code = door.sign()
        const words = []
        for (const type of ['entry', 'exit', 'entry', 'entry']) words.push(await scan(code, { type }))
        assert.deepEqual(words, ['201 ok', '201 ok', '201 ok', '400 error already_redeemed'])
      })

      it('is refused after an exit where it does not', async () => {
        const list = await door.makeList({ allow_entry_after_exit: false })
        const code = door.sign()
        const words = []
        for (const type of ['entry', 'exit', 'entry']) words.push(await scan(code, { type, lists: [list] }))
        assert.deepEqual(words, ['201 ok', '201 ok', '400 error already_redeemed'])
      })

      it('is admitted on a list for several entries, and on another list', async () => {
        const several = await door.makeList({ allow_multiple_entries: true })
        const code = door.sign()
        for (const lists of [[several], [several], [door.list]])
          assert.equal(await scan(code, { lists }), '201 ok')
      })

      it('is forced by an operator, and said to be', async () => {
        const code = door.sign()
        assert.equal(await scan(code), '201 ok')
        assert.equal(await scan(code, { force: true }), '201 ok')
        const [first, second] = await scansOf(door, code)
        assert.deepEqual([first?.forced, first?.ordinal], [0, 1])
        assert.deepEqual([second?.forced, second?.ordinal], [1, 2])
      })

      it('is refused to one of many who come at once', async () => {
        const code = door.sign()
        const words = await Promise.all(Array.from({ length: 8 }, () => scan(code)))
        assert.deepEqual(words.filter((word) => word === '201 ok').length, 1)
        assert.equal(words.filter((word) => word === '400 error already_redeemed').length, 7)
      })
    })

    it('case 73: is asked what is asked at the door, and the answers travel with the scan', async () => {
      const product = await door.write((tx) => addItem(tx, door.place, 'Asked'))
      const question = await door.write((tx) => addQuestion(tx, door.place, [product], { required: true }))
      const code = door.sign({ item: product })
      const open = await door.redeem(code)
      assert.equal(verdict(open), '400 incomplete')
      assert.deepEqual(
        (bodyOf(open).questions as RowData[]).map((one) => one.id),
        [question],
      )
      assert.equal(await newlyQueued(), 0)
      assert.equal(await scan(code, { questions_supported: false, type: 'exit' }), '201 ok')
      assert.equal(await scan(code, { answers: { [question]: 'Vegan' } }), '201 ok')
      const reported = (await door.queued()).at(-1)
      assert.deepEqual(reported?.answers, [{ question, answer: 'Vegan', options: [] }])
      assert.equal(await scan(code, {}), '400 error already_redeemed')
    })

    it('case 74: draws attention where its product or variation asks for it', async () => {
      const made = await door.write(async (tx) => {
        const product = await addItem(tx, door.place, 'Reduced', {
          checkin_attention: true,
          checkin_text: 'ID',
        })
        const normal = await addItem(tx, door.place, 'Normal')
        const child = await addVariation(tx, door.place, normal, 'Child', {
          checkin_attention: true,
          checkin_text: 'Wristband',
        })
        return { product, normal, child }
      })
      const shown = async (content: RowData): Promise<RowData> =>
        bodyOf(await door.redeem(door.sign(content)))
      const reduced = await shown({ item: made.product })
      assert.deepEqual([reduced.require_attention, reduced.checkin_texts], [true, ['ID']])
      const normal = await shown({ item: made.normal })
      assert.deepEqual([normal.require_attention, normal.checkin_texts], [false, []])
      const child = await shown({ item: made.normal, variation: made.child })
      assert.deepEqual([child.require_attention, child.checkin_texts], [true, ['Wristband']])
    })

    it('case 75: is unknown where the event has no keys', async () => {
      const { organizer } = door.place
      const list = await door.write(async (tx) => {
        const event = await addEvent(tx, organizer, `bare-${tx.nextId()}`)
        return addList(tx, { organizer, event }, 'Bare', {})
      })
      assert.equal(await scan(door.sign(), { lists: [list] }), '404 error invalid')
    })

    it('case 76: is refused on a list of another date', async () => {
      const [first, second] = await door.write(async (tx) => [
        await addSubevent(tx, door.place, 'First'),
        await addSubevent(tx, door.place, 'Second'),
      ])
      const list = await door.makeList({ subevent: first })
      assert.equal(
        await scan(door.sign({ subevent: second ?? null }), { lists: [list] }),
        '400 error product',
      )
      assert.equal(await scan(door.sign(), { lists: [list] }), '400 error product')
      assert.equal(await scan(door.sign({ subevent: first ?? null }), { lists: [list] }), '201 ok')
    })

    describe('case 77: once it was admitted', () => {
      it('is refused also after that was reported to the upstream server', async () => {
        const code = door.sign()
        assert.equal(await scan(code), '201 ok')
        await door.database.run(sql`UPDATE outbox SET state = 'done'`)
        assert.equal(await scan(code), '400 error already_redeemed')
        await door.database.run(sql`DELETE FROM outbox`)
        assert.equal(await scan(code), '400 error already_redeemed')
      })

      it('is refused also when its order comes down later', async () => {
        const code = door.sign()
        assert.equal(await scan(code), '201 ok')
        const { positions } = await door.write((tx) =>
          addOrder(tx, door.place, [{ item: door.item, secret: code }]),
        )
        const answer = await door.redeem(code)
        assert.equal(verdict(answer), '400 error already_redeemed')
        assert.equal((bodyOf(answer).position as RowData).id, positions[0])
      })

      it('is refused also when the upstream server has found its position', async () => {
        const code = door.sign()
        assert.equal(await scan(code), '201 ok')
        await door.write(async (tx) => {
          const { positions } = await addOrder(tx, door.place, [{ item: door.item, secret: code }])
          const [row] = await tx.all<{ id: number }>(sql`SELECT id FROM checkin WHERE raw_barcode = ${code}`)
          await updateRow(tx, checkin, door.place, { id: Number(row?.id), position: positions[0] })
        })
        assert.equal(await scan(code), '400 error already_redeemed')
      })
    })

    it('case 78: is admitted with a code that is longer than usual', async () => {
      const long = { variation: 2 ** 52, subevent: 2 ** 51, valid_from: '2020-01-01T00:00:00.000000Z' }
      assert.equal(await scan(door.sign(long)), '201 ok')
    })

    it('is answered as the first time when the answer was lost', async () => {
      const code = door.sign()
      const first = await door.redeem(code, { nonce: 'lost' })
      const again = await door.redeem(code, { nonce: 'lost' })
      assert.deepEqual(again.body, first.body)
      assert.equal(again.status, 201)
      assert.equal(await newlyQueued(), 1)
    })

    it('can be undone and admitted again', async () => {
      const code = door.sign()
      assert.equal(await scan(code, { nonce: 'undone' }), '201 ok')
      const undone = await door.server.call('POST', `${door.server.org}/checkinrpc/annul/`, {
        nonce: 'undone',
        lists: [door.list],
      })
      assert.equal(undone.status, 200, JSON.stringify(undone.body))
      assert.equal(await scan(code), '201 ok')
    })

    it('is shown at a station by the name of its product, and when it was used before', async () => {
      const shownFor = (input: Partial<RedeemInput>) =>
        door.write(async (tx) => {
          const { organizer } = door.place
          const [list] = await listsById(tx, organizer, [door.list])
          assert.ok(list)
          const outcome = await redeem(tx, {
            actor: commandActor,
            organizer,
            lists: [list],
            input: { ...plainScan, ...input },
          })
          return viewScan(tx, organizer, outcome)
        })
      const { product, form } = await door.write(async (tx) => {
        const product = await addItem(tx, door.place, 'Shown', { checkin_attention: true })
        return { product, form: await addVariation(tx, door.place, product, 'Child') }
      })
      const code = door.sign({ item: product, variation: form })
      const first = await shownFor({ code })
      assert.equal(first.status, 'ok')
      assert.equal(first.require_attention, true)
      assert.equal(first.position, null)
      assert.equal(first.can_undo, true)
      const signed = first.signed as RowData
      assert.deepEqual(signed.item_name, { en: 'Shown' })
      assert.deepEqual(signed.variation_name, { en: 'Child' })
      assert.equal(signed.subevent_name, null)
      assert.deepEqual(signed.checkins, [])
      const second = await shownFor({ code })
      assert.equal(second.reason, 'already_redeemed')
      assert.equal(((second.signed as RowData).checkins as RowData[])[0]?.type, 'entry')
      const unknown = await shownFor({ code: door.sign({ item: 987_654 }) })
      assert.deepEqual([unknown.reason, (unknown.signed as RowData).item_name], ['error', {}])
      assert.ok(!('signed' in (await shownFor({ code: 'nothing' }))))
    })

    it('keeps to the rules of a list, which count what happened here', async () => {
      const list = await door.makeList({
        allow_multiple_entries: true,
        rules: { '<': [{ var: 'entries_number' }, 2] },
      })
      const code = door.sign()
      const words = []
      for (let count = 0; count < 3; count += 1) words.push(await scan(code, { lists: [list] }))
      assert.deepEqual(words, ['201 ok', '201 ok', '400 error rules'])
      const answer = await door.redeem(code, { lists: [list] })
      assert.equal(bodyOf(answer).reason_explanation, 'Maximum number of entries exceeded')
    })

    it('is refused once for each nonce in the books', async () => {
      const code = door.sign({ valid_until: start })
      for (let count = 0; count < 3; count += 1)
        assert.equal(await scan(code, { nonce: 'late', ...at('11:00:00') }), '400 error invalid_time')
      assert.equal((await scansOf(door, code)).length, 1)
    })

    it('is refused by its product when that was taken off the list', async () => {
      const list = await door.makeList({ all_products: false, limit_products: [] })
      assert.equal(await scan(door.sign({ item: 987_654 }), { lists: [list] }), '400 error product')
    })

    it('stays judged after the name of its product was changed', async () => {
      await door.write((tx) => updateRow(tx, item, door.place, { id: door.item, name: { en: 'New name' } }))
      assert.equal(await scan(door.sign()), '201 ok')
    })
  })
