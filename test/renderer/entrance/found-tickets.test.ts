import assert from 'node:assert/strict'
import { expectedTickets, foundOrders, foundTicket } from '../../../renderer/entrance/found-tickets.ts'
import {
  chosenEvent,
  eventOptions,
  firstChoice,
  otherLists,
  savable,
} from '../../../renderer/setup/event-choice.ts'
import type { FoundPosition } from '../../../schema/bodies/guests.ts'
import type { Choices } from '../../../schema/bodies/station-state.ts'
import { settings } from '../samples.ts'

const found = (more: Partial<FoundPosition> = {}): FoundPosition => ({
  id: 1,
  order: 'ABC12',
  order__status: 'p',
  positionid: 1,
  item: { name: { en: 'Ticket' } },
  variation: null,
  attendee_name: 'Mia Weber',
  company: null,
  attendee_email: null,
  secret: 's',
  seat: null,
  checkins: [],
  ...more,
})
const pass = (type: 'entry' | 'exit', hour: number, list = 12) => ({
  list,
  type,
  datetime: `2026-07-10T${hour}:00:00Z`,
})

describe('guests found by name', () => {
  const payments = { p: 'paid', n: 'unpaid', e: 'expired', c: 'canceled' }
  for (const [status, payment] of Object.entries(payments))
    it(`shows order status ${status} as ${payment}`, () =>
      assert.equal(foundTicket(found({ order__status: status }), [12], 'entry').payment, payment))
  it('shows a blocked ticket as blocked, paid or not', () =>
    assert.equal(foundTicket(found({ blocked: ['admin'] }), [12], 'entry').payment, 'blocked'))

  const presences: readonly [string, FoundPosition['checkins'], string][] = [
    ['nobody who never came', [], 'out'],
    ['somebody in after an entry', [pass('entry', 12)], 'in'],
    ['somebody gone after an exit', [pass('entry', 12), pass('exit', 13)], 'left'],
    [
      'somebody in again, whatever the order of the list',
      [pass('entry', 14), pass('entry', 12), pass('exit', 13)],
      'in',
    ],
    ['nothing of another list', [pass('entry', 12, 99)], 'out'],
  ]
  for (const [what, checkins, where] of presences)
    it(`sees ${what}`, () =>
      assert.equal(foundTicket(found({ checkins }), [12], 'entry').presence.where, where))

  it('expects paid people outside to go in, and people inside to go out', () => {
    const expected = (position: FoundPosition, direction: 'entry' | 'exit') =>
      foundTicket(position, [12], direction).expected
    assert.equal(expected(found(), 'entry'), true)
    assert.equal(expected(found({ order__status: 'n' }), 'entry'), false)
    assert.equal(expected(found({ checkins: [pass('entry', 12)] }), 'entry'), false)
    assert.equal(expected(found({ checkins: [pass('entry', 12)] }), 'exit'), true)
    assert.equal(expected(found(), 'exit'), false)
  })

  it('puts the tickets of an order expectedTickets, in the order they were found', () => {
    const list = [
      found({ id: 3, order: 'B', positionid: 2 }),
      found({ id: 1, order: 'A' }),
      found({ id: 2, order: 'B', positionid: 1, checkins: [pass('entry', 12)] }),
    ]
    const parties = foundOrders(list, [12], 'entry')
    assert.deepEqual(
      parties.map(({ order, tickets }) => [order, tickets.map((ticket) => ticket.position.id)]),
      [
        ['B', [2, 3]],
        ['A', [1]],
      ],
    )
    const [first] = parties
    assert.ok(first)
    assert.deepEqual(
      expectedTickets(first).map((ticket) => ticket.position.id),
      [3],
    )
  })
})

describe('choosing an event', () => {
  const event = (slug: string, date_from: string, lists: readonly number[]) => ({
    slug,
    name: { en: slug },
    date_from,
    timezone: 'UTC',
    lists: lists.map((id) => ({ id, name: `List ${id}`, subevent: null, subevent_name: null })),
  })
  const choices: Choices = {
    sells: true,
    organizers: [
      {
        slug: 'demo',
        name: 'Demo',
        events: [event('later', '2026-09-01', [1]), event('festival', '2026-07-01', [12, 13])],
        gates: [{ id: 3, name: 'North' }],
      },
    ],
  }
  const only: Choices = {
    sells: true,
    organizers: choices.organizers.map((organizer) => ({
      ...organizer,
      events: organizer.events.slice(0, 1),
    })),
  }

  const now = '2026-07-10T12:00:00Z'
  const events = eventOptions(choices, now)

  it('offers what is on or comes next first, then what is over, the latest first', () => {
    const dates = ['2026-07-01', '2026-09-01', '2026-07-09T20:00:00Z', '2026-06-01', '2026-08-01']
    const all = dates.map((from) => event(from, from, [1]))
    const offered = eventOptions(
      { organizers: [{ slug: 'o', name: 'O', events: all, gates: [] }], sells: true },
      now,
    )
    assert.deepEqual(
      offered.map((one) => one.event.slug),
      ['2026-07-09T20:00:00Z', '2026-08-01', '2026-09-01', '2026-07-01', '2026-06-01'],
    )
  })
  it('begins with what the station is set to', () =>
    assert.deepEqual(firstChoice(events, settings), {
      event: 'demo/festival',
      list: 12,
      others: [],
      gate: 3,
      direction: 'entry',
    }))
  it('forgets a list and a gate that are gone', () =>
    assert.deepEqual(firstChoice(events, { ...settings, list: 99, gate: 99 }), {
      event: 'demo/festival',
      list: 12,
      others: [],
      gate: null,
      direction: 'entry',
    }))
  it('takes the only event at once', () =>
    assert.deepEqual(firstChoice(eventOptions(only, now), null), {
      event: 'demo/later',
      list: 1,
      others: [],
      gate: null,
      direction: 'entry',
    }))
  it('leaves the choice among several', () => {
    const choice = firstChoice(events, null)
    assert.equal(choice.event, null)
    assert.equal(savable(events, choice), null)
  })
  it('cannot save an event without a list', () => {
    const bare = { slug: 'o', name: 'O', events: [event('e', '2026-01-01', [])], gates: [] }
    const offered = eventOptions({ organizers: [bare], sells: true }, now)
    assert.equal(savable(offered, firstChoice(offered, null)), null)
  })
  it('saves what was chosen', () => {
    const later = events.find(({ key }) => key === 'demo/later')
    const choice = chosenEvent(later, 'exit')
    assert.deepEqual(savable(events, choice), {
      organizer: 'demo',
      event: 'later',
      list: 1,
      lists: [1],
      gate: null,
      direction: 'exit',
    })
  })
  it('saves other lists of the organizer beside the chosen one, each once, and none that is gone', () => {
    const choice = { ...firstChoice(events, settings), others: [13, 1, 12, 99] }
    assert.deepEqual(savable(events, choice)?.lists, [12, 13, 1])
    assert.deepEqual(
      otherLists(events, choice).map(({ list, event: of }) => [list.id, of.slug]),
      [
        [1, 'later'],
        [13, 'festival'],
      ],
    )
  })
  it('begins with all lists that the station is set to, and with one alone after another event was chosen', () => {
    const lists = [12, 13].map((id) => ({
      id,
      name: `List ${id}`,
      event: 'festival',
      event_name: 'Festival',
    }))
    assert.deepEqual(firstChoice(events, { ...settings, lists }).others, [13])
    const later = events.find(({ key }) => key === 'demo/later')
    assert.deepEqual(chosenEvent(later, 'entry').others, [])
  })
})
