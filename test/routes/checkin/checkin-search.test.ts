import assert from 'node:assert/strict'
import type { Place } from '../../../server/resource/transactions.ts'
import { bothEngines, engines } from '../../support/engines/engines.ts'
import { addEvent, addOrganizer, addToken } from '../../support/servers/servers.ts'
import { addItem, addList, addOrder } from '../../support/ticketing/tickets.ts'
import { type Door, openDoor } from './checkin-door.ts'

interface Found {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly {
    secret: string
    attendee_name: string | null
    order__status: string
    require_attention: boolean
    checkins: { list: number }[]
    item: unknown
  }[]
}

for (const engine of bothEngines)
  describe(`searching at the door on ${engine.name}`, () => {
    let door: Door
    let ball: number
    let ofOthers: number
    let tickets: number
    before(async () => {
      door = await openDoor(await engine.open())
      const { organizer } = door.place
      await door.write(async (tx) => {
        const { place, item } = door
        const other: Place = { organizer, event: await addEvent(tx, organizer, 'ball') }
        tickets = await addItem(tx, other, 'Ball ticket')
        ball = await addList(tx, other, 'Ballroom')
        await addOrder(tx, other, [{ item: tickets, secret: 'ball-1', attendee_name: 'Ada Ballmer' }])
        await addOrder(
          tx,
          place,
          [
            {
              item,
              secret: 'adasecret',
              attendee_name: 'Ada Lovelace',
              attendee_email: 'ada@engine.example',
            },
            { item, secret: 'sonsecret', addon_to: 0 },
          ],
          { code: 'ENGINE', email: 'orders@byron.example' },
        )
        await addOrder(
          tx,
          place,
          [{ item, secret: 'UPPER-77', attendee_name: 'Zoë Müller', pseudonymization_id: 'K7HQXYZABC' }],
          {
            code: 'MULLE',
            checkin_attention: true,
            invoice_address: { name: 'Grace Hopper', company: 'Navy Ltd' },
          },
        )
        await addOrder(tx, place, [{ item, secret: 'pendingone', attendee_name: 'Pending Penny' }], {
          status: 'n',
        })
        await addOrder(tx, place, [{ item, secret: 'goneone', attendee_name: 'Gone Gary' }], { status: 'c' })
        await addOrder(tx, place, [{ item, secret: 'cut', attendee_name: 'Cut Carl', canceled: true }])
        const stranger = await addOrganizer(tx, 'stranger')
        const place2 = { organizer: stranger, event: await addEvent(tx, stranger, 'gala') }
        ofOthers = await addList(tx, place2, 'Strange')
        const strange = await addItem(tx, place2, 'Ticket')
        await addOrder(tx, place2, [{ item: strange, secret: 'adastranger', attendee_name: 'Ada Stranger' }])
        await addToken(tx, organizer, 'scan-only', { all_events: true, can_checkin_orders: true })
        await addToken(tx, organizer, 'gala-only', { limit_events: ['gala'], can_view_orders: true })
      })
    })
    after(() => door.server.close())

    const ask = (query: string, token = 'all') =>
      door.server.call('GET', `${door.server.org}/checkinrpc/search/?${query}`, undefined, {
        Authorization: `Token ${token}`,
      })
    const find = async (text: string, more = '', token = 'all') => {
      const answer = await ask(`list=${door.list}&search=${encodeURIComponent(text)}${more}`, token)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return (answer.body as Found).results.map((one) => one.secret)
    }

    const searches: readonly [string, string, readonly string[]][] = [
      ['the beginning of a code', 'adas', ['adasecret']],
      ['the beginning of a code in capitals', 'ADASEC', ['adasecret']],
      ['the beginning of a code that is in capitals', 'upper-7', ['UPPER-77']],
      ['the same as it is written', 'UPPER', ['UPPER-77']],
      ['a whole code', 'sonsecret', ['sonsecret']],
      ['the middle of a code', 'secret', []],
      ['a part of a name, of its add-ons too', 'lovel', ['adasecret', 'sonsecret']],
      ['a name in capitals without accents', 'ZOE MUL', ['UPPER-77']],
      ['a name with accents', 'zoë mü', ['UPPER-77']],
      ['an e-mail address, of its add-ons too', 'ada@engine', ['adasecret', 'sonsecret']],
      ['the e-mail address of the order', 'orders@byron', ['adasecret', 'sonsecret']],
      ['the beginning of an order code', 'engi', ['adasecret', 'sonsecret']],
      ['the name on the invoice', 'hopper', ['UPPER-77']],
      ['the company on the invoice', 'navy', ['UPPER-77']],
      ['two letters of a name', 'zo', ['UPPER-77']],
      ['the beginning of an order code in both cases', 'ENgi', ['adasecret', 'sonsecret']],
      ['two letters of an order code', 'MU', ['UPPER-77']],
      ['two small letters of an order code', 'mu', ['UPPER-77']],
      ['two letters of a code', 'ad', ['adasecret']],
      ['a pending order on a list that knows those', 'penny', ['pendingone']],
      ['the code that a kiosk has shown', 'K7HQ', ['UPPER-77']],
      ['the same in small letters', ' k7hq ', ['UPPER-77']],
      ['a part of that code', 'K7H', []],
      ['more of the pseudonym than the code', 'K7HQX', []],
      ['nobody', 'xyzzy', []],
      ['a canceled order', 'gary', []],
      ['a canceled position', 'carl', []],
      ['a percent sign', '%%%', []],
      ['underscores', '___', []],
      ['a quote', '"\'"', []],
      ['words of the search engine', 'ada OR gary', []],
      ['a star', 'ada*', []],
    ]
    for (const [what, text, secrets] of searches)
      it(`finds by ${what}`, async () => {
        assert.deepEqual(await find(text), secrets)
      })

    it('finds everybody when nothing is typed, by name, those without one last', async () => {
      assert.deepEqual(await find(''), ['adasecret', 'pendingone', 'UPPER-77', 'sonsecret'])
    })

    it('finds the guests of several events, each once', async () => {
      const answer = await ask(`list=${door.list}&list=${ball}&search=ada`)
      assert.deepEqual(
        (answer.body as Found).results.map((one) => one.secret),
        ['ball-1', 'adasecret', 'sonsecret'],
      )
    })

    it('says paid, attention and check-ins of each, from the list of its event', async () => {
      const other = await door.makeList({ allow_multiple_entries: true })
      await door.redeem('UPPER-77', { lists: [other] })
      await door.redeem('UPPER-77')
      await door.redeem('ball-1', { lists: [ball] })
      const answer = await ask(`list=${door.list}&list=${ball}&search=ll`)
      const { results } = answer.body as Found
      assert.deepEqual(results, [])
      const [penny] = ((await ask(`list=${door.list}&search=penny`)).body as Found).results
      assert.deepEqual([penny?.order__status, penny?.require_attention, penny?.checkins], ['n', false, []])
      const both = ((await ask(`list=${door.list}&list=${ball}`)).body as Found).results
      const listsOf = (secret: string) =>
        both.find((one) => one.secret === secret)?.checkins.map((one) => one.list)
      assert.deepEqual(listsOf('UPPER-77'), [door.list])
      assert.deepEqual(listsOf('ball-1'), [ball])
      assert.equal(both.find((one) => one.secret === 'UPPER-77')?.require_attention, true)
    })

    it('needs a list, and only one of each event', async () => {
      const second = await door.makeList()
      for (const query of ['search=ada', `list=${door.list}&list=${second}&search=ada`]) {
        const answer = await ask(query)
        assert.equal(answer.status, 400)
        assert.ok(Array.isArray(answer.body) && typeof answer.body[0] === 'string')
      }
      const answer = await ask('list=x&search=ada')
      assert.deepEqual([answer.status, answer.body], [400, { list: ['Enter a whole number.'] }])
    })

    it('refuses lists that the caller may not enter with 403, and names them', async () => {
      for (const [list, token] of [
        [ball, 'gala-only'],
        [ofOthers, 'all'],
        [999999, 'all'],
      ] as const) {
        const answer = await ask(`list=${door.list}&list=${list}&search=ada`, token)
        assert.equal(answer.status, 403)
        assert.match((answer.body as { detail: string }).detail, new RegExp(` ${list}\\b`))
      }
    })

    it('shows names to those who may only scan from three letters on', async () => {
      for (const short of ['', 'a', 'ad', ' ad '])
        assert.deepEqual(await find(short, '', 'scan-only'), [], JSON.stringify(short))
      assert.deepEqual(await find('ada', '', 'scan-only'), ['adasecret', 'sonsecret'])
    })

    it('finds words in any order where that is asked for, with umlauts or what stands for them', async () => {
      const list = await door.write(async (tx) => {
        const place: Place = { ...door.place, event: await addEvent(tx, door.place.organizer, 'fair') }
        const item = await addItem(tx, place, 'Fair')
        const names = [
          'Alice MacDonald',
          'Zoë Müller',
          'Jürgen Mueller',
          'Søren Sørensen',
          'Li Wei',
          'Ægir Cœur',
          'Raelene Weiß',
        ]
        await addOrder(
          tx,
          place,
          names.map((attendee_name, index) => ({ item, secret: `fair-${index}`, attendee_name })),
        )
        return addList(tx, place, 'Fair')
      })
      const searched = async (text: string, token = 'all', more = '&any_order=true') => {
        const answer = await ask(`list=${list}&search=${encodeURIComponent(text)}${more}`, token)
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
        return (answer.body as Found).results.map((one) => one.attendee_name).join()
      }
      // Both are of one order, whose tickets stay in theirs.
      const both = 'Zoë Müller,Jürgen Mueller'
      for (const token of ['all', 'scan-only'])
        for (const [text, names] of [
          ['macdonald alice', 'Alice MacDonald'],
          ['ALI macd', 'Alice MacDonald'],
          ['mueller', both],
          ['MÜLLER', both],
          ['muller', 'Zoë Müller'],
          ['mueller zoe', 'Zoë Müller'],
          ['soerensen', 'Søren Sørensen'],
          ['sørensen søren', 'Søren Sørensen'],
          ['wei li', 'Li Wei'],
          ['aegir', 'Ægir Cœur'],
          ['coeur ÆGIR', 'Ægir Cœur'],
          ['raelene weiss', 'Raelene Weiß'],
          ['weiß', 'Raelene Weiß'],
          ['alice mueller', ''],
          ['li x', ''],
          ['alice %', ''],
          ['alice _', ''],
          ['alice \\', ''],
          ['alice "', ''],
          ['"alice* OR', ''],
        ] as const)
          assert.equal(await searched(text, token), names, `${text} as ${token}`)
      assert.equal(await searched('macdonald alice', 'all', ''), '')
      const many = Array.from({ length: 2000 }, (_, index) => `w${index}`).join(' ')
      for (const token of ['all', 'scan-only']) {
        assert.equal(await searched(many, token), '')
        assert.equal(await searched(`alice${' a'.repeat(2000)}`, token), 'Alice MacDonald')
      }
      assert.equal(await searched('fair-3'), 'Søren Sørensen')
    })

    // So many rows take an embedded database too long.
    if (engines.includes(engine))
      it('finds the guests of a list among very many of others', async () => {
        const lists = await door.write(async (tx) => {
          const place: Place = { ...door.place, event: await addEvent(tx, door.place.organizer, 'concert') }
          const [standing, seated] = [
            await addItem(tx, place, 'Standing'),
            await addItem(tx, place, 'Seated'),
          ]
          const ticket = (item: number, number: number) => ({
            item,
            secret: `crowd-${number}`,
            attendee_name: `Quentin ${number}`,
          })
          await addOrder(
            tx,
            place,
            Array.from({ length: 1010 }, (_, number) => ticket(standing, number)),
          )
          await addOrder(tx, place, [ticket(seated, 2000)])
          const ofItem = (item: number) =>
            addList(tx, place, 'Side', { all_products: false, limit_products: [item] })
          return {
            few: await ofItem(seated),
            many: await ofItem(standing),
            all: await addList(tx, place, 'All'),
          }
        })
        const found = async (query: string) => (await ask(`search=quentin&${query}`)).body as Found
        const few = await found(`list=${lists.few}`)
        assert.deepEqual([few.count, few.results.map((one) => one.secret)], [1, ['crowd-2000']])
        const one = await found(`list=${lists.all}&secret=crowd-2000`)
        assert.equal(one.count, 1)
        const many = await found(`list=${lists.many}&page_size=3&page=2`)
        assert.deepEqual([many.count, many.results.length], [1000, 3])
      })

    it('looks at every order when asked to ignore its state', async () => {
      assert.deepEqual(await find('gary', '&ignore_status=true'), ['goneone'])
    })

    it('is divided into pages', async () => {
      const page = async (number: number) =>
        (await ask(`list=${door.list}&page_size=3&page=${number}`)).body as Found
      const [one, two] = [await page(1), await page(2)]
      assert.deepEqual([one.count, one.results.length, two.results.length], [4, 3, 1])
      assert.match(String(one.next), /page=2/)
      assert.equal(one.previous, null)
      assert.equal(two.next, null)
      assert.match(String(two.previous), /checkinrpc\/search\//)
      assert.equal((await ask(`list=${door.list}&page=9`)).status, 404)
    })

    it('expands the product', async () => {
      const answer = await ask(`list=${ball}&search=ballmer&expand=item`)
      const [hit] = (answer.body as Found).results
      assert.equal((hit?.item as { id: number } | undefined)?.id, tickets)
    })
  })
