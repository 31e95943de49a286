import { list1, list4, list5, list6, list7, type Story, tell } from '../pricing/fair.ts'

const stories: readonly Story[] = [
  {
    title: 'case 23: refuses the base ticket on a list for an add-on product without add-on matching',
    list: list5,
    steps: [['parent', 'PRODUCT']],
  },
  {
    title: 'case 24 and 28: admits the one matching add-on instead of the base ticket',
    list: list6,
    steps: [
      ['parent', 'VALID'],
      ['parent', 'ALREADY_REDEEMED'],
    ],
    through: [202],
  },
  {
    title: 'case 25: finds a code with two matching add-ons ambiguous',
    list: list6,
    steps: [['rich-parent', 'AMBIGUOUS']],
  },
  {
    title: 'case 26: refuses a base ticket none of whose add-ons matches',
    list: list6,
    steps: [['poor-parent', 'PRODUCT']],
  },
  {
    title: 'case 27: admits an add-on that is scanned itself, with and without add-on matching',
    list: list6,
    steps: [
      ['one-addon', 'VALID'],
      ['one-addon', 'VALID', { lists: [list5] }],
    ],
    through: [202, 202],
  },
  {
    title: 'case 25 on all products: finds a base ticket and its add-on ambiguous',
    list: list4,
    steps: [
      ['parent', 'AMBIGUOUS'],
      ['good', 'VALID'],
    ],
  },
  {
    title: 'case 80: does not know a ticket of an event that is not scanned for',
    list: [list1, list7],
    steps: [
      ['nowhere', 'INVALID'],
      ['elsewhere', 'INVALID', { lists: [list1] }],
    ],
  },
  {
    title: 'case 81: takes each of two events by its own list, the second scan too',
    list: [list1, list7],
    steps: [
      ['good', 'VALID'],
      ['elsewhere', 'VALID'],
      ['good', 'ALREADY_REDEEMED'],
      ['elsewhere', 'VALID'],
      ['good', 'ALREADY_REDEEMED', { lists: [list7, list1] }],
    ],
    through: [101, 301, 301],
  },
]

describe('add-ons and several events at the doors', () => tell(stories))
