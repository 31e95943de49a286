import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addEvent, addOrganizer, addToken } from '../../support/servers/servers.ts'
import { addItem, addList, addOrder } from '../../support/ticketing/tickets.ts'
import { bodyOf, type Door, openDoor, scansOf, verdict } from './checkin-door.ts'

const tooLong = (limit: number) => [`Ensure this field has no more than ${limit} characters.`]

for (const engine of engines)
  describe(`what a redeem request may say, on ${engine.name}`, () => {
    let door: Door
    let ofOtherEvent: number
    let ofOtherOrganizer: number
    let ofSameEvent: number
    before(async () => {
      door = await openDoor(await engine.open())
      const { organizer } = door.place
      await door.write(async (tx) => {
        const event = await addEvent(tx, organizer, 'ball')
        ofOtherEvent = await addList(tx, { organizer, event }, 'Ball')
        const stranger = await addOrganizer(tx, 'stranger')
        const place = { organizer: stranger, event: await addEvent(tx, stranger, 'gala') }
        await addItem(tx, place, 'Ticket')
        ofOtherOrganizer = await addList(tx, place, 'Strange')
        await addToken(tx, organizer, 'gala-only', { limit_events: ['gala'], can_checkin_orders: true })
      })
      ofSameEvent = await door.makeList()
      await door.sell('asked')
    })
    after(() => door.server.close())

    const refused: readonly [string, () => RowData, unknown][] = [
      ['no secret', () => ({ secret: undefined }), { secret: ['This field is required.'] }],
      ['an empty secret', () => ({ secret: '' }), { secret: ['This field may not be blank.'] }],
      ['a secret that is a number', () => ({ secret: 5 }), { secret: ['Not a valid string.'] }],
      ['a secret without end', () => ({ secret: 'x'.repeat(4097) }), { secret: tooLong(4096) }],
      ['no lists', () => ({ lists: undefined }), { lists: ['This field is required.'] }],
      ['lists that are none', () => ({ lists: 7 }), { lists: ['Expected a list of items.'] }],
      ['an empty list of lists', () => ({ lists: [] }), ['No check-in list passed.']],
      ['words for lists', () => ({ lists: ['one'] }), { lists: ['A valid integer is required.'] }],
      [
        'two lists of one event',
        () => ({ lists: [door.list, ofSameEvent] }),
        ['Selecting two check-in lists from the same event is unsupported.'],
      ],
      [
        'an unknown list',
        () => ({ lists: [door.list, 999999] }),
        { lists: ['Invalid pk "999999" - object does not exist.'] },
      ],
      [
        "another organizer's list",
        () => ({ lists: [ofOtherOrganizer] }),
        () => ({ lists: [`Invalid pk "${ofOtherOrganizer}" - object does not exist.`] }),
      ],
      ['a strange type', () => ({ type: 'around' }), { type: ['"around" is not a valid choice.'] }],
      ['no type at all', () => ({ type: null }), { type: ['This field may not be null.'] }],
      [
        'a time that is none',
        () => ({ datetime: 'yesterday' }),
        {
          datetime: [
            'Datetime has wrong format. Use ISO 8601, such as 2026-12-31T18:00:00Z, from the year 1900 to 2999.',
          ],
        },
      ],
      ['a time that is a number', () => ({ datetime: 5 }), { datetime: ['Not a valid string.'] }],
      ['a flag that is no flag', () => ({ force: 'maybe' }), { force: ['Must be a valid boolean.'] }],
      ['a flag that is null', () => ({ force: null }), { force: ['This field may not be null.'] }],
      ['a nonce without end', () => ({ nonce: 'n'.repeat(191) }), { nonce: tooLong(190) }],
      ['a nonce that is a number', () => ({ nonce: 5 }), { nonce: ['Not a valid string.'] }],
      ['answers that are a list', () => ({ answers: [] }), { answers: ['Expected an object.'] }],
      [
        'an unknown source',
        () => ({ source_type: 'smell' }),
        { source_type: ['"smell" is not a valid choice.'] },
      ],
    ]
    for (const [what, more, said] of refused)
      it(`refuses ${what} with 400 and stores nothing`, async () => {
        const answer = await door.redeem('asked', more())
        assert.equal(answer.status, 400)
        assert.deepEqual(answer.body, typeof said === 'function' ? said() : said)
        assert.deepEqual(await scansOf(door, 'asked'), [])
      })

    it('treats a list that the caller may not enter as unknown', async () => {
      const headers = { Authorization: 'Token gala-only' }
      const answer = await door.redeem('asked', { lists: [door.list, ofOtherEvent] }, headers)
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body, { lists: [`Invalid pk "${ofOtherEvent}" - object does not exist.`] })
    })

    it('refuses a list that is named twice', async () => {
      await door.sell('listed twice')
      const answer = await door.redeem('listed twice', { lists: [door.list, door.list] })
      assert.equal(answer.status, 400)
      assert.deepEqual(await scansOf(door, 'listed twice'), [])
    })

    it('refuses a strange type at the endpoint of one list with a plain message, and takes none for an entry', async () => {
      const answer = await door.redeemAt(door.list, 'asked', { type: 'around' })
      assert.deepEqual(
        [answer.status, answer.body],
        [400, ['The type of a check-in is either "entry" or "exit".']],
      )
      await door.sell('typeless')
      assert.equal(verdict(await door.redeemAt(door.list, 'typeless', { type: null })), '201 ok')
    })

    it('refuses a list of another event on the endpoint of one list', async () => {
      const answer = await door.redeemAt(ofOtherEvent, 'asked')
      assert.equal(answer.status, 404)
      assert.deepEqual(answer.body, { detail: 'Not found.' })
    })

    it('reads flags that are written as words or numbers', async () => {
      await door.sell('words', {}, { status: 'n' })
      const answer = await door.redeem('words', { ignore_unpaid: 'true', force: 0, questions_supported: 1 })
      assert.equal(verdict(answer), '201 ok')
    })

    it('keeps the time of the scan apart from the time of its arrival', async () => {
      await door.sell('late')
      await door.redeem('late', { datetime: '2024-02-29T23:30:00.5-03:00' })
      const [scan] = await scansOf(door, 'late')
      assert.equal(scan?.datetime, '2024-03-01T02:30:00.500000Z')
      assert.ok(scan?.created > '2025')
    })

    for (const datetime of ['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z'])
      it(`refuses ${datetime}, which no database should hold`, async () => {
        const code = `clock ${datetime.slice(0, 4)}`
        const { id } = await door.sell(code)
        for (const answer of [
          await door.redeem(code, { datetime }),
          await door.redeemAt(door.list, id, { datetime }),
        ]) {
          assert.equal(answer.status, 400)
          assert.deepEqual(Object.keys(bodyOf(answer)), ['datetime'])
        }
        assert.deepEqual(await scansOf(door, code), [])
      })

    for (const year of [1970, 2020, 2045])
      it(`keeps and marks a scan of ${year}, which counts as one of now`, async () => {
        const datetime = `${year}-06-01T12:00:00Z`
        const code = `year ${year}`
        const valid_until = `${year}-12-31T00:00:00.000000Z`
        const { id } = await door.sell(code, { valid_from: `${year}-01-01T00:00:00.000000Z`, valid_until })
        const early = await door.redeem(code, { datetime, nonce: code })
        assert.equal(verdict(early), '400 error invalid_time')
        await door.database.run(
          sql`UPDATE order_position SET valid_from = NULL, valid_until = NULL WHERE id = ${id}`,
        )
        assert.equal(
          verdict(await door.redeem(code, { datetime, type: 'exit', nonce: `${code} out` })),
          '201 ok',
        )
        // An exit that is years ahead is not the latest scan for ever.
        assert.equal(verdict(await door.redeem(code)), '201 ok')
        assert.equal(verdict(await door.redeem(code)), '400 error already_redeemed')
        const scans = await scansOf(door, code)
        assert.deepEqual(
          scans.slice(0, 2).map((scan) => scan.datetime),
          [`${year}-06-01T12:00:00.000000Z`, `${year}-06-01T12:00:00.000000Z`],
        )
        const marks = await door.database.all<{ kind: string }>(
          sql`SELECT kind FROM conflict WHERE checkin IN (${scans[0]?.id}, ${scans[1]?.id})`,
        )
        assert.deepEqual(
          marks.map(({ kind }) => kind),
          ['clock_skew', 'clock_skew'],
        )
      })

    it('explains in the language of the event, or of the order when asked', async () => {
      const { organizer } = door.place
      const never = { '<': [{ var: 'entries_number' }, 0] }
      const list = await door.makeList({ rules: never })
      await door.database.run(
        sql`UPDATE event SET settings = '{"locale":"de"}' WHERE organizer = ${organizer} AND id = ${door.place.event}`,
      )
      await door.sell('speaks', {}, { locale: 'en' })
      const said = async (more: RowData) =>
        bodyOf(await door.redeem('speaks', { lists: [list], ...more })).reason_explanation
      const german = await said({})
      const english = await said({ use_order_locale: true })
      assert.notEqual(german, english)
      assert.match(String(english), /entries/)
      await door.database.run(
        sql`UPDATE event SET settings = '{}' WHERE organizer = ${organizer} AND id = ${door.place.event}`,
      )
      assert.equal(await said({}), english)
    })

    it('ignores what it does not know', async () => {
      await door.sell('more said')
      assert.equal(verdict(await door.redeem('more said', { exchange_medium: 'x', color: [1, 2] })), '201 ok')
    })

    it('expands the product, the variation and the date of the position', async () => {
      await door.sell('expanded')
      const { org } = door.server
      const answer = await door.server.call(
        'POST',
        `${org}/checkinrpc/redeem/?expand=item&expand=variation&expand=subevent`,
        {
          secret: 'expanded',
          lists: [door.list],
        },
      )
      const position = bodyOf(answer).position as {
        item: { id: number; name: object }
        variation: null
        subevent: null
      }
      assert.equal(position.item.id, door.item)
      assert.deepEqual(position.item.name, { en: 'Day ticket' })
      assert.equal(position.variation, null)
      assert.equal(position.subevent, null)
      const old = await door.redeemAt(door.list, 'expanded', {}, '?expand=item')
      assert.equal((bodyOf(old).position as { item: { id: number } }).item.id, door.item)
    })

    it('shows what was bought with the ticket, expanded as it is', async () => {
      const { server, item, list } = door
      const place = { organizer: server.organizer, event: server.event }
      const { positions } = await server.running.transactions.write((tx) =>
        addOrder(tx, place, [
          { item, secret: 'with dinner' },
          { item, secret: 'dinner', addon_to: 0 },
        ]),
      )
      const query = '?expand=addons&expand=item'
      const answer = await server.call('POST', `${server.org}/checkinrpc/redeem/${query}`, {
        ...{ secret: 'with dinner', lists: [list] },
      })
      const shown = (one: typeof answer) => {
        const { addons } = bodyOf(one).position as { addons: { id: number; item: { id: number } }[] }
        return addons.map((addon) => [addon.id, addon.item.id])
      }
      assert.deepEqual(shown(answer), [[positions[1], item]])
      assert.deepEqual(shown(await door.redeemAt(list, 'with dinner', {}, query)), [[positions[1], item]])
    })
  })
