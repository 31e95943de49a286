import assert from 'node:assert/strict'
import fc from 'fast-check'
import { chooseTicket, shareTickets } from '../../../server/domain/checkin/ticket-choice.ts'
import type { ListFacts, TicketFacts } from '../../../server/domain/rules/facts.ts'
import { goodTicket, openList } from './door.ts'

const base: TicketFacts = { ...goodTicket, id: 1, secret: 'base', item: 1 }
const addon: TicketFacts = { ...goodTicket, id: 2, secret: 'addon', item: 2, addon_to: 1 }
const other: TicketFacts = { ...addon, id: 3, secret: 'other' }
const onlyAddons: ListFacts = { ...openList, all_products: false, limit_products: [2] }
const matching: ListFacts = { ...onlyAddons, addon_match: true }
const validFrom = (ticket: TicketFacts, from: string | null, until: string | null): TicketFacts => {
  const instant = (time: string | null) => (time === null ? null : `2020-01-01T${time}:00Z`)
  return { ...ticket, valid_from: instant(from), valid_until: instant(until) }
}
const morning = validFrom(addon, '08:00', '12:00')
const evening = validFrom(other, '16:00', '20:00')

interface Row {
  readonly title: string
  readonly candidates: readonly TicketFacts[]
  readonly list?: ListFacts
  readonly code?: string
  readonly at?: string
  readonly expected: number | 'ambiguous' | 'none'
}
const rows: readonly Row[] = [
  { title: 'nothing when there is no candidate', candidates: [], expected: 'none' },
  { title: 'nothing of an event without a list', candidates: [{ ...base, event: 9 }], expected: 'none' },
  { title: 'a single candidate', candidates: [base], expected: 1 },
  {
    title: 'a single candidate, although it is not on the list',
    candidates: [base],
    list: onlyAddons,
    expected: 1,
  },
  {
    title: 'a single candidate, although it is canceled',
    candidates: [{ ...base, canceled: true }],
    expected: 1,
  },
  { title: 'a single candidate found by its id', candidates: [base], code: '1', expected: 1 },
  { title: 'the one add-on on the list', candidates: [base, addon], list: matching, expected: 2 },
  { title: 'the ticket itself without add-on matching', candidates: [base, addon], expected: 1 },
  {
    title: 'neither of two add-ons on the list',
    candidates: [base, addon, other],
    list: matching,
    expected: 'ambiguous',
  },
  {
    title: 'the base ticket, to refuse it, when no add-on is on the list',
    candidates: [base, { ...addon, item: 7 }],
    list: matching,
    expected: 1,
  },
  {
    title: 'the base ticket, to refuse it, when it is not on a list without add-on matching',
    candidates: [base, addon],
    list: onlyAddons,
    expected: 1,
  },
  {
    title: 'the add-on that is not canceled',
    candidates: [base, { ...addon, canceled: true }, other],
    list: matching,
    expected: 3,
  },
  {
    title: 'the one add-on that is left when the base ticket is canceled',
    candidates: [{ ...base, canceled: true }, addon],
    list: { ...openList, addon_match: true },
    expected: 2,
  },
  {
    title: 'the first one, to refuse it, when all are canceled',
    candidates: [
      { ...base, canceled: true },
      { ...addon, canceled: true },
    ],
    expected: 1,
  },
  {
    title: 'the one that is valid now',
    candidates: [base, morning, evening],
    list: matching,
    at: '17:00',
    expected: 3,
  },
  {
    title: 'the one that becomes valid next in a gap',
    candidates: [base, morning, validFrom({ ...other, id: 4 }, '22:00', null), evening],
    list: matching,
    at: '14:00',
    expected: 3,
  },
  {
    title: 'the only one that is still to come, although another ended just now',
    candidates: [base, validFrom(addon, null, '13:59'), validFrom(other, '16:00', null)],
    list: matching,
    at: '14:00',
    expected: 3,
  },
  {
    title: 'the one that was valid last after the last',
    candidates: [base, morning, evening, validFrom({ ...other, id: 4 }, null, '07:00')],
    list: matching,
    at: '23:00',
    expected: 3,
  },
  {
    title: 'none of two that are valid now',
    candidates: [base, morning, validFrom(other, '10:00', null)],
    list: matching,
    at: '11:00',
    expected: 'ambiguous',
  },
]

describe('the ticket that a code means', () => {
  for (const { title, candidates, list = openList, code = 'base', at = '10:00', expected } of rows) {
    it(`is ${title}`, () => {
      const choice = chooseTicket(candidates, [list], code, `2020-01-01T${at}:00Z`)
      if (expected === 'none') assert.equal(choice, undefined)
      else if (expected === 'ambiguous') assert.deepEqual(choice, { ticket: base, list, ambiguous: true })
      else assert.deepEqual([choice?.ticket.id, choice?.list, choice?.ambiguous], [expected, list, false])
    })
  }

  it('comes with the list of its event', () => {
    const lists = [openList, { ...openList, id: 7, event: 2 }]
    const choice = chooseTicket([{ ...base, event: 2 }], lists, 'base', '2020-01-01T10:00:00Z')
    assert.equal(choice?.list.id, 7)
  })

  const one: ListFacts = { ...openList, id: 3, all_products: false, limit_products: [1] }
  const friday: ListFacts = { ...openList, id: 5, subevent: 50 }
  const saturday: ListFacts = { ...friday, id: 6, subevent: 60 }
  const chosenOf = (ticket: TicketFacts, lists: readonly ListFacts[]) =>
    chooseTicket([ticket], lists, ticket.secret, '2020-01-01T10:00:00Z')?.list.id
  const several: readonly (readonly [string, TicketFacts, readonly ListFacts[], number])[] = [
    ['its product', addon, [one, { ...onlyAddons, id: 4 }], 4],
    ['its date', { ...base, subevent: 60 }, [friday, saturday], 6],
    ['the lowest id, whatever their order', base, [{ ...openList, id: 9 }, one], 3],
    [
      'the first, to refuse it, where it is on none',
      { ...base, item: 7 },
      [{ ...onlyAddons, id: 4 }, one],
      3,
    ],
  ]
  for (const [by, ticket, lists, expected] of several)
    it(`is on the list of several of its event by ${by}`, () =>
      assert.equal(chosenOf(ticket, lists), expected))

  it('is the ticket that was shown where its add-on is on another list of the event', () => {
    const choice = chooseTicket([base, addon], [one, { ...matching, id: 4 }], 'base', '2020-01-01T10:00:00Z')
    assert.deepEqual([choice?.ticket.id, choice?.list.id, choice?.ambiguous], [1, 3, false])
  })

  const pairs: readonly (readonly [string, ListFacts, ListFacts, boolean])[] = [
    ['all products, and one', openList, one, true],
    ['the same products', one, { ...one, id: 8 }, true],
    ['different products', one, onlyAddons, false],
    ['no product at all, and all', { ...one, limit_products: [] }, openList, false],
    ['different dates', friday, saturday, false],
    ['any date, and one', openList, friday, true],
    ['one date of different products', { ...one, subevent: 50 }, { ...onlyAddons, subevent: 50 }, false],
  ]
  for (const [what, first, second, expected] of pairs)
    it(`can${expected ? '' : 'not'} be on both of two lists with ${what}`, () => {
      assert.equal(shareTickets(first, second), expected)
      assert.equal(shareTickets(second, first), expected)
    })

  it('is one of the candidates, and ambiguous only when there are several', () => {
    const tickets = fc.array(
      fc.record({
        id: fc.nat(),
        item: fc.nat(3),
        canceled: fc.boolean(),
        secret: fc.constantFrom('base', 'addon'),
      }),
    )
    fc.assert(
      fc.property(tickets, fc.boolean(), (facts, addon_match) => {
        const candidates = facts.map((some): TicketFacts => ({ ...goodTicket, ...some }))
        const list = { ...onlyAddons, addon_match }
        const choice = chooseTicket(candidates, [list], 'base', '2020-01-01T10:00:00Z')
        assert.equal(choice === undefined, candidates.length === 0)
        if (choice === undefined) return
        assert.ok(candidates.includes(choice.ticket))
        if (choice.ambiguous) assert.ok(candidates.filter(({ item }) => item === 2).length > 1)
      }),
    )
  })
})
