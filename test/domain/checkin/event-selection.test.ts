import assert from 'node:assert/strict'
import { canonicalInstant } from '../../../schema/instants.ts'
import { type EventOccasion, selectOccasion } from '../../../server/domain/checkin/event-selection.ts'

const at = (text: string): string => canonicalInstant(text) ?? assert.fail(text)

/** An occasion in Berlin, two hours ahead of UTC in summer; times in UTC. */
const occasion = (
  event: number,
  from: string,
  to: string | null = null,
  admission: string | null = null,
): EventOccasion => ({
  event,
  subevent: null,
  timezone: 'Europe/Berlin',
  date_from: at(from),
  date_to: to === null ? null : at(to),
  date_admission: admission === null ? null : at(admission),
})

const matinee = occasion(1, '2030-06-01T09:00Z', '2030-06-01T11:00Z', '2030-06-01T08:30Z')
const evening = occasion(2, '2030-06-01T17:00Z', '2030-06-01T20:00Z', '2030-06-01T16:00Z')
const sunday = occasion(3, '2030-06-02T17:00Z', '2030-06-02T20:00Z')
const festival = occasion(4, '2030-06-01T08:00Z', '2030-06-03T20:00Z')
const open = occasion(5, '2030-06-01T17:00Z')

interface Case {
  readonly it: string
  readonly all: readonly EventOccasion[]
  readonly current?: EventOccasion
  readonly now: string
  readonly is: EventOccasion | 'keep' | null
}

const cases: readonly Case[] = [
  { it: 'suggests nothing where there is nothing', all: [], now: '2030-06-01T10:00Z', is: null },
  { it: 'suggests the only one before it begins', all: [sunday], now: '2030-01-01T10:00Z', is: sunday },
  { it: 'suggests the only one after it has ended', all: [matinee], now: '2031-01-01T10:00Z', is: matinee },
  { it: 'suggests the one that is on', all: [matinee, evening], now: '2030-06-01T10:00Z', is: matinee },
  {
    it: 'counts one as on from its admission',
    all: [festival, evening],
    now: '2030-06-01T16:00Z',
    is: evening,
  },
  {
    it: 'keeps the current one while it is on',
    all: [matinee, evening],
    current: matinee,
    now: '2030-06-01T08:30Z',
    is: 'keep',
  },
  {
    it: 'keeps the current one that began later than another that is on',
    all: [festival, evening],
    current: evening,
    now: '2030-06-01T18:00Z',
    is: 'keep',
  },
  {
    it: 'leaves the current one when another has begun since',
    all: [festival, evening],
    current: festival,
    now: '2030-06-01T16:30Z',
    is: evening,
  },
  {
    it: 'keeps the current one when what began since has ended',
    all: [festival, matinee, sunday],
    current: festival,
    now: '2030-06-01T12:00Z',
    is: 'keep',
  },
  {
    it: 'does not keep one that has ended',
    all: [matinee, evening],
    current: matinee,
    now: '2030-06-01T15:00Z',
    is: evening,
  },
  {
    it: 'does not keep one that has yet to begin',
    all: [matinee, evening],
    current: evening,
    now: '2030-06-01T09:30Z',
    is: matinee,
  },
  {
    it: 'stays with the earlier one of a day until the middle between them',
    all: [matinee, evening],
    now: '2030-06-01T13:29Z',
    is: matinee,
  },
  {
    it: 'goes to the later one of a day from the middle between them',
    all: [matinee, evening],
    now: '2030-06-01T13:30Z',
    is: evening,
  },
  {
    it: 'stays with the one of today for the rest of the day',
    all: [evening, sunday],
    now: '2030-06-01T21:59Z',
    is: evening,
  },
  {
    it: 'goes to the one of today once the day has come where the event is',
    all: [evening, sunday],
    now: '2030-06-01T22:00Z',
    is: sunday,
  },
  {
    it: 'goes by the nearer one on a day without any',
    all: [evening, occasion(9, '2030-06-11T16:00Z')],
    now: '2030-06-05T10:00Z',
    is: evening,
  },
  {
    it: 'has one without an end go on until midnight',
    all: [open, sunday],
    current: open,
    now: '2030-06-01T21:59Z',
    is: 'keep',
  },
  {
    it: 'does not know a current one that the device may not enter',
    all: [sunday],
    current: matinee,
    now: '2030-06-01T10:00Z',
    is: sunday,
  },
]

describe('the choice of an event for a device', () => {
  for (const { it: title, all, current, now, is } of cases)
    it(title, () => {
      assert.deepEqual(selectOccasion(all, current, at(now)), is)
      assert.deepEqual(selectOccasion(all.toReversed(), current, at(now)), is)
    })
})
