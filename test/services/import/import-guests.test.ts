import assert from 'node:assert/strict'
import sql, { raw, type Sql } from 'sql-template-tag'
import { openData } from '../../../server/data.ts'
import { type GuestList, openGuestList } from '../../../server/domain/guest-list/guest-list.ts'
import { realEnv } from '../../../server/env.ts'
import type { Transactions } from '../../../server/resource/transactions.ts'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import { eventById } from '../../../server/services/events/events.ts'
import { guestCatalogue } from '../../../server/services/import/guest-catalogue.ts'
import { type ImportOptions, importGuests } from '../../../server/services/import/import-guests.ts'
import { type GuestsAt, sortGuests } from '../../../server/services/import/imported-guests.ts'
import { createOrders } from '../../../server/services/orders/order-drafts.ts'
import type { Queryable } from '../../../server/storage/database.ts'
import { engines } from '../../support/engines/engines.ts'
import { addGuestEvent, type GuestEvent } from '../../support/ticketing/guest-event.ts'
import { messyGuestList } from '../../support/ticketing/messy-guest-list.ts'
import { addSubevent } from '../../support/ticketing/tickets.ts'

/** The first line of lists that are not messy. */
const titles = 'Name;Ticket;Code;Anzahl'

for (const engine of engines)
  describe(`importing guests on ${engine.name}`, function () {
    this.timeout(180_000)
    let data: Transactions
    let at: GuestsAt
    let made: GuestEvent

    beforeEach(async () => {
      data = await openData(await engine.open(), realEnv)
      made = await addGuestEvent(data)
      const event = await eventById(data.database, made.place.organizer, made.place.event)
      assert.ok(event)
      at = { place: made.place, event, subevent: null }
    })

    afterEach(() => data.database.close())

    async function open(content: string | Uint8Array): Promise<GuestList> {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
      const list = openGuestList(bytes, await guestCatalogue(data.database, made.place, null))
      assert.ok('entries' in list)
      return list
    }

    const usual: ImportOptions = { mode: 'import', progress: () => {}, rest: async () => {} }

    const bring = async (content: string | Uint8Array, options: Partial<ImportOptions> = {}, where = at) =>
      importGuests(data, where, await open(content), { ...usual, ...options })

    const count = async (table: string): Promise<number> =>
      (await data.database.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${raw(table)}`))?.count ??
      0

    it('stores of every guest what the list says, and no more', async () => {
      const messy = messyGuestList(5, 150)
      const report = await bring(messy.bytes)
      assert.deepEqual([...new Set(report.problems.map(({ line }) => line))], [...messy.badLines])
      const rows = await data.database.all<Record<string, string | number | null>>(
        sql`SELECT o.id, o.email, o.comment, o.status, o.total, count(*) AS quantity, min(p.item) AS item,
              min(p.variation) AS variation, min(p.attendee_name) AS name, min(p.attendee_email) AS guest_email,
              max(p.positionid) AS last, min(CASE WHEN p.positionid = 1 THEN p.secret END) AS code
            FROM orders o JOIN order_position p ON p.organizer = o.organizer AND p.order_id = o.id
            GROUP BY o.id, o.email, o.comment, o.status, o.total ORDER BY o.id`,
      )
      assert.equal(rows.length, messy.guests.length)
      for (const [index, guest] of messy.guests.entries()) {
        const { id, code, ...row } = rows[index] ?? assert.fail()
        const { product, variation } = guest
        assert.deepEqual(row, {
          email: guest.email,
          comment: [guest.comment, guest.order && `Reference: ${guest.order}`].filter(Boolean).join('\n'),
          status: 'p',
          total: 0,
          quantity: guest.quantity,
          item: made.products.get(product),
          variation: variation === null ? null : made.products.get(`${product}/${variation}`),
          name: `${guest.given_name} ${guest.family_name}`,
          guest_email: guest.email,
          last: guest.quantity,
        })
        if (guest.code === null) assert.match(String(code), /^[a-z2-9]{32}$/)
        else assert.equal(code, guest.code)
      }
    })

    it('changes nothing at a second time, and adds what has been added to the list', async () => {
      const list = `${titles}\nAnna A;VIP;A-1;2\nAnna A;VIP;;1\nAnna A;VIP;;1\n`
      assert.deepEqual(await totals(list), [3, 4, 0])
      assert.deepEqual(await totals(list), [0, 0, 3])
      assert.deepEqual(await totals(`${list}ANNA  a;vip;;1\nBen B;VIP;B-1;\n`), [2, 2, 3])
      assert.deepEqual([await count('orders'), await count('imported_guest')], [5, 5])
    })

    const totals = async (content: string) => {
      const { guests, tickets, unchanged } = await bring(content)
      return [guests, tickets, unchanged]
    }

    it('writes nothing when it only looks, and shows the first guests', async () => {
      const report = await bring(messyGuestList(6, 20).bytes, { mode: 'look' })
      assert.equal(report.preview.length, 5)
      assert.ok(report.guests > 10)
      assert.deepEqual([await count('orders'), await count('imported_guest')], [0, 0])
    })

    it('writes nothing when it is strict and something is wrong, be it a code of another ticket', async () => {
      const good = `${titles}\nAnna;VIP;A;1\n`
      const refused = await bring(`${good}Ben;Backstage;;1\n`, { mode: 'strict' })
      assert.deepEqual([refused.refused, refused.problems.length, await count('orders')], [true, 1, 0])
      assert.equal((await bring(good, { mode: 'strict' })).refused, false)
      await sell('SOLD')
      const taken = await bring(`${good}Cleo;VIP;SOLD;1\nDora;VIP;;1\n`, { mode: 'strict' })
      assert.deepEqual([taken.refused, taken.unchanged, await count('orders')], [true, 1, 2])
    })

    const sell = (secret: string) =>
      data.write((tx) => {
        const position = { positionid: 1, item: made.products.get('VIP') ?? 0, price: 0, secret }
        return createOrders(tx, { ...at, actor: commandActor }, [{ status: 'p', positions: [position] }])
      })

    it('refuses the rows alone whose codes other tickets have, also of a group', async () => {
      const [order] = await sell('SOLD')
      await sell('GROUP-3')
      const report = await bring(
        `${titles}\nAnna;VIP;SOLD;1\nBen;VIP;FREE;1\nCleo;VIP;GROUP;4\nDora;VIP;G;2\n`,
      )
      assert.deepEqual([report.guests, report.tickets], [2, 3])
      assert.deepEqual(
        report.problems.map(({ line, column }) => [line, column]),
        [
          [2, 'Code'],
          [4, 'Code'],
        ],
      )
      assert.equal(
        report.problems[0]?.message,
        `The code "SOLD" is already on a ticket of order ${order?.code}. Give this guest another code, or leave it empty.`,
      )
    })

    it('refuses a code that is sold while the import runs, and goes on', async () => {
      const rows = Array.from({ length: 150 }, (_, place) => `Guest ${place};VIP;C${place};1`)
      let rests = 0
      const rest = async () => {
        rests += 1
        if (rests === 1) await sell('C149')
      }
      const report = await bring(`${titles}\n${rows.join('\n')}\n`, { rest })
      assert.deepEqual([report.guests, report.tickets, report.problems.length], [149, 149, 1])
      assert.equal(report.problems[0]?.line, 151)
      assert.equal(await count('orders'), 150)
    })

    it('writes about a hundred tickets at a time, and rests in between', async () => {
      const quantities = [60, 40, 1, 100, 99, 2, 100]
      const rows = quantities.map((quantity, place) => `Guest ${place};VIP;;${quantity}`)
      const written: number[] = []
      const others: boolean[] = []
      const done: number[] = []
      const report = await bring(`${titles}\n${rows.join('\n')}\n`, {
        progress: (step, rows) => {
          if (step === 'writing') done.push(rows)
        },
        rest: async (other) => {
          others.push(other)
          written.push(await count('order_position'))
          if (others.length === 2) await sell('MEANWHILE')
        },
      })
      assert.deepEqual(written, [100, 101, 202, 301, 303, 403])
      assert.deepEqual(others, [false, false, true, false, false, false])
      assert.deepEqual(done, [0, 2, 3, 4, 5, 6, 7])
      assert.equal(report.tickets, 402)
    })

    it('shares a list with another import at the same time', async () => {
      const rows = Array.from(
        { length: 250 },
        (_, place) => `Guest ${place};VIP;${place % 2 ? `C${place}` : ''};1`,
      )
      const list = `${titles}\n${rows.join('\n')}\n`
      const reports = await Promise.all([bring(list), bring(list), bring(list)])
      const sum = (field: 'guests' | 'tickets' | 'unchanged') =>
        reports.reduce((total, report) => total + report[field], 0)
      assert.deepEqual([sum('guests'), sum('tickets'), sum('unchanged')], [250, 250, 500])
      assert.deepEqual(
        reports.flatMap(({ problems }) => problems),
        [],
      )
      assert.deepEqual(
        [await count('orders'), await count('order_position'), await count('imported_guest')],
        [250, 250, 250],
      )
    })

    it('counts rows as known that another import brings while it looks at the event', async () => {
      const rows = Array.from(
        { length: 20 },
        (_, place) => `Guest ${place};VIP;${place % 2 ? `C${place}` : ''};1`,
      )
      const list = `${titles}\n${rows.join('\n')}\n`
      const opened = await open(list)
      for (const passing of [0, 1, 2]) {
        let looks = 0
        // Looks outside a transaction see what was committed before each of them.
        const looking: Queryable = {
          engine: data.database.engine,
          async all<T>(statement: Sql): Promise<T[]> {
            if (looks === passing) await bring(list)
            looks += 1
            return data.database.all<T>(statement)
          },
          get: (statement) => data.database.get(statement),
          run: (statement) => data.database.run(statement),
          remembered: (key, load) => data.database.remembered(key, load),
        }
        const keyed = [...opened.entries()].filter((entry) => entry.kind === 'guest')
        const { fresh, unchanged, taken } = await sortGuests(looking, at.place, keyed)
        assert.equal(looks, 2)
        assert.deepEqual(taken, [])
        assert.equal(fresh.length + unchanged, 20)
        // Rows that came after the last look are found out about when they are claimed.
        assert.equal(unchanged, passing === 2 ? 0 : 20)
        for (const table of ['position_search', 'checkin', 'order_position', 'orders', 'imported_guest'])
          await data.database.run(sql`DELETE FROM ${raw(table)}`)
      }
    })

    it('puts guests on a date of a series', async () => {
      const date = await data.write((tx) => addSubevent(tx, made.place, 'Day 1'))
      await bring(`${titles}\nAnna;VIP;A;2\n`, {}, { ...at, subevent: date })
      const dates = await data.database.all(sql`SELECT DISTINCT subevent FROM order_position`)
      assert.deepEqual(dates, [{ subevent: date }])
    })
  })
