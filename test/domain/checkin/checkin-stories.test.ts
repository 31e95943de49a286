import assert from 'node:assert/strict'
import { cleanCode } from '../../../server/domain/text/storable.ts'
import { list1, list2, list3, list7, list10, type Story, tell, tickets } from '../pricing/fair.ts'
import { openDoors } from './door.ts'

const exit = { type: 'exit' } as const
const ignoring = { ignore_unpaid: true }
const at = (time: string) => ({ at: `2020-01-01T${time}Z` })

const stories: readonly Story[] = [
  { title: 'case 1: admits a paid ticket', list: list1, steps: [['good', 'VALID']], through: [101] },
  {
    title: 'case 2: admits a ticket whose product is one of those on a filtered list',
    list: list10,
    steps: [['far-product', 'VALID']],
    through: [102],
  },
  {
    title: 'case 3: admits a code with a leading ECI marker',
    list: list1,
    steps: [[cleanCode('\\000001good'), 'VALID']],
    through: [101],
  },
  { title: 'case 4: does not know an unknown code', list: list1, steps: [['unheard-of', 'INVALID']] },
  {
    title: 'case 5: refuses a canceled order, an expired one and a canceled position',
    list: list1,
    steps: [
      ['canceled', 'CANCELED'],
      ['expired', 'CANCELED'],
      ['position-canceled', 'CANCELED'],
    ],
  },
  { title: 'case 6: refuses a pending order', list: list1, steps: [['pending', 'UNPAID']] },
  {
    title: 'case 7: admits a pending order that is to be ignored on a list that includes pending ones',
    list: list1,
    steps: [
      ['pending', 'UNPAID'],
      ['pending', 'VALID', ignoring],
    ],
  },
  {
    title: 'case 8: refuses an order that awaits approval, whoever wants to ignore that it is unpaid',
    list: list1,
    steps: [
      ['unapproved', 'UNAPPROVED'],
      ['unapproved', 'UNAPPROVED', ignoring],
    ],
  },
  { title: 'case 9: refuses a blocked ticket', list: list1, steps: [['blocked', 'BLOCKED']] },
  {
    title: 'case 10: refuses a ticket a second after its end and admits it a second before',
    list: list1,
    steps: [
      ['ending', 'INVALID_TIME', at('12:00:01')],
      ['ending', 'VALID', at('11:59:59')],
    ],
  },
  {
    title: 'case 11: refuses a ticket a second before its start and admits it a second after',
    list: list1,
    steps: [
      ['starting', 'INVALID_TIME', at('11:59:59')],
      ['starting', 'VALID', at('12:00:01')],
    ],
  },
  {
    title: 'case 12: refuses a pending order on a list without pending ones, also when it is to be ignored',
    list: list2,
    steps: [
      ['pending', 'UNPAID'],
      ['pending', 'UNPAID', ignoring],
    ],
  },
  {
    title: 'case 13: admits a pending order that is valid while pending on a list without pending ones',
    list: list2,
    steps: [['pending-valid', 'VALID']],
  },
  {
    title:
      'case 14: admits a pending order that is valid while pending without being asked to ignore anything',
    list: list1,
    steps: [['pending-valid', 'VALID']],
  },
  {
    title: 'case 15: refuses a product that is not on the list',
    list: list2,
    steps: [['other-product', 'PRODUCT']],
  },
  {
    title: 'case 16 and 17: refuses a ticket that was already used on this list',
    list: list1,
    steps: [
      ['good', 'VALID'],
      ['good', 'ALREADY_REDEEMED'],
      ['good', 'ALREADY_REDEEMED', at('13:00:00')],
    ],
  },
  {
    title: 'case 18: admits a ticket that was used on another list, once on each',
    list: list1,
    steps: [
      ['good', 'VALID', { lists: [list3] }],
      ['good', 'VALID'],
      ['good', 'ALREADY_REDEEMED'],
      ['good', 'ALREADY_REDEEMED', { lists: [list3] }],
    ],
  },
  {
    title: 'case 19: admits two entries where multiple entries are allowed',
    list: list2,
    steps: [
      ['good', 'VALID'],
      ['good', 'VALID'],
    ],
  },
  {
    title: 'case 20: records an entry and two exits',
    list: list2,
    steps: [
      ['good', 'VALID'],
      ['good', 'VALID', exit],
      ['good', 'VALID', exit],
    ],
  },
  {
    title: 'case 21: admits again after an exit, and then not once more',
    list: list1,
    steps: [
      ['good', 'VALID', at('10:00:00')],
      ['good', 'VALID', { ...exit, ...at('10:10:00') }],
      ['good', 'VALID', at('10:20:00')],
      ['good', 'ALREADY_REDEEMED', at('10:30:00')],
    ],
  },
  {
    title: 'case 22: does not admit again after an exit where re-entry is off',
    list: list3,
    steps: [
      ['good', 'VALID', at('10:00:00')],
      ['good', 'VALID', { ...exit, ...at('10:10:00') }],
      ['good', 'ALREADY_REDEEMED', at('10:20:00')],
    ],
  },
  {
    title: 'case 22a: admits entry, exit and entry within the same instant',
    list: list1,
    steps: [
      ['good', 'VALID'],
      ['good', 'VALID', exit],
      ['good', 'VALID'],
      ['good', 'ALREADY_REDEEMED'],
    ],
  },
  {
    title: 'case 22b: refuses a ticket of another date of the series as the wrong product',
    list: { ...list1, subevent: 7 },
    steps: [
      ['other-date', 'PRODUCT'],
      ['other-date', 'PRODUCT', exit],
      ['other-date', 'VALID', { lists: [{ ...list1, subevent: 8 }] }],
    ],
  },
  {
    title: 'case 22c: lets out who never came in, but nobody with a pending or canceled order',
    list: list1,
    steps: [
      ['pending', 'UNPAID', exit],
      ['pending', 'VALID', { ...exit, ...ignoring }],
      ['canceled', 'CANCELED', exit],
      ['good', 'VALID', exit],
    ],
  },
]

describe('a day at the doors', () => {
  tell(stories)

  it('case 22b: takes a ticket of another date by the list that was chosen for its event', () => {
    const doors = openDoors(tickets)
    doors.scan('other-date', { lists: [{ ...list1, subevent: 7 }, list7], force: true })
    assert.deepEqual(
      doors.log.map(({ list, ticket, forced }) => ({ list, ticket, forced })),
      [{ list: list1.id, ticket: 113, forced: true }],
    )
  })
})
