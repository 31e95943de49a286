import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { bothEngines, engines } from '../../support/engines/engines.ts'
import { addOrder } from '../../support/ticketing/tickets.ts'
import { type Door, openDoor } from './checkin-door.ts'

interface Page {
  readonly count: number
  readonly next: string | null
  readonly results: readonly { readonly id: number; readonly attendee_name: string | null }[]
}

/** Guests by name, with what else they are found by, and their orders; in no order that a search gives. */
const guests: readonly (readonly [name: string | null, position?: RowData, order?: RowData])[] = [
  ['Adam Aas', { attendee_email: 'adam@web.example' }],
  ['Zora Webb'],
  ['Carl Cobweb'],
  ['Bea Bos', { company: 'Webworks' }],
  ['Tim Web'],
  ['Cyd Cox', {}, { code: 'WEB22' }],
  ['Anna Weber'],
  ['Web'],
  ['Xaver Xu', {}, { invoice_address: { name: 'Ida Weber' } }],
  [null, {}, { email: 'nobody@web.example' }],
  ['Annabel Lee'],
  ['Johanna Ek'],
  ['Olaf Ott', {}, { email: 'anna@post.example' }],
  ['Anna-Lena O’Hara'],
  ['Jürgen Mueller'],
  ['Zoë Müller'],
  ['Mull Mu'],
]

for (const engine of bothEngines)
  describe(`the order of what a search at the door finds on ${engine.name}`, () => {
    let door: Door
    before(async () => {
      door = await openDoor(await engine.open())
      await door.write(async (tx) => {
        for (const [index, [attendee_name, position, order]] of guests.entries())
          await addOrder(
            tx,
            door.place,
            [{ item: door.item, secret: `t${index}`, attendee_name, ...position }],
            order,
          )
        const family = ['Urs Abt', 'Ute Tebb', 'Aro Abt']
        await addOrder(
          tx,
          door.place,
          family.map((attendee_name, index) => ({ item: door.item, secret: `f${index}`, attendee_name })),
          { email: 'tebb@post.example' },
        )
      })
    })
    after(() => door.server.close())

    const ask = async (text: string, more = '') => {
      const query = new URLSearchParams({ list: String(door.list), search: text, any_order: 'true' })
      const { status, body } = await door.server.call(
        'GET',
        `${door.server.org}/checkinrpc/search/?${query}${more}`,
      )
      assert.equal(status, 200, JSON.stringify(body))
      return body as Page
    }
    const names = async (text: string, more = '') =>
      (await ask(text, more)).results.map((one) => one.attendee_name ?? '-').join(', ')

    const byEmail = 'Adam Aas, Bea Bos, Cyd Cox, -'
    const searches: readonly (readonly [what: string, text: string, found: string])[] = [
      [
        'whole names, whole words, beginnings, the middle of words, then what else was hit',
        'web',
        `Web, Tim Web, Anna Weber, Xaver Xu, Zora Webb, Carl Cobweb, ${byEmail}`,
      ],
      [
        'the same in capitals',
        'WEB',
        `Web, Tim Web, Anna Weber, Xaver Xu, Zora Webb, Carl Cobweb, ${byEmail}`,
      ],
      [
        'a first name before longer ones and an address',
        'anna',
        'Anna Weber, Anna-Lena O’Hara, Annabel Lee, Johanna Ek, Olaf Ott',
      ],
      ['words in any order', 'weber anna', 'Anna Weber'],
      ['words of which one has just begun', 'an web', 'Anna Weber'],
      ['a word behind a hyphen', 'lena', 'Anna-Lena O’Hara'],
      ['a word behind an apostrophe, typed without it', 'anna o hara', 'Anna-Lena O’Hara'],
      [
        'two letters that begin any word of a name before codes that begin with them',
        'we',
        'Anna Weber, Tim Web, Web, Xaver Xu, Zora Webb, Cyd Cox',
      ],
      ['two letters that are a last name', 'ek', 'Johanna Ek'],
      ['umlauts, and what stands for them', 'mueller', 'Jürgen Mueller, Zoë Müller'],
      ['what stands for umlauts, and them', 'müller', 'Jürgen Mueller, Zoë Müller'],
      ['what was typed before what goes on', 'mull', 'Mull Mu, Zoë Müller'],
      ['the tickets of an order together', 'tebb', 'Urs Abt, Ute Tebb, Aro Abt'],
    ]
    for (const [what, text, found] of searches)
      it(`puts ${what}`, async () => {
        assert.equal(await names(text), found)
      })

    it('is what was asked for, where something was', async () => {
      assert.match(await names('web', '&ordering=attendee_name'), /^-?(, )?Adam Aas, Anna Weber/)
    })

    it('is the same over all pages, of whatever size', async () => {
      const whole = (await ask('web')).results.map(({ id }) => id)
      for (const size of [1, 2, 3, 7]) {
        const paged: number[] = []
        for (let page = 1; paged.length < whole.length; page += 1) {
          const { count, results } = await ask('web', `&page_size=${size}&page=${page}`)
          assert.equal(count, whole.length)
          paged.push(...results.map(({ id }) => id))
        }
        assert.deepEqual(paged, whole, `pages of ${size}`)
      }
    })

    // So many rows take an embedded database too long.
    if (engines.includes(engine))
      it('loses no name to very many addresses', async () => {
        await door.write(async (tx) => {
          const crowd = Array.from({ length: 1200 }, (_, number) => ({
            item: door.item,
            secret: `crowd-${number}`,
            attendee_name: `Guest ${number}`,
            attendee_email: `guest${number}@kite.example`,
          }))
          await addOrder(tx, door.place, crowd)
          await addOrder(tx, door.place, [{ item: door.item, secret: 'k', attendee_name: 'Yann Kitesson' }])
        })
        const { count, results } = await ask('kite')
        assert.equal(results[0]?.attendee_name, 'Yann Kitesson')
        assert.ok(count > 1000)
      })
  })
