import assert from 'node:assert/strict'
import type { Permission } from '../../schema/permissions.ts'
import { type Actor, entering, entersEvent, may, type TeamAccess } from '../../server/resource/actor.ts'

const team = (
  organizer: number,
  events: readonly number[] | 'all',
  ...permissions: readonly Permission[]
): TeamAccess => ({
  organizer,
  permissions: new Set(permissions),
  allEvents: events === 'all',
  events: new Set(events === 'all' ? [] : events),
})

const person = (...teams: readonly TeamAccess[]): Actor => ({
  kind: 'user',
  id: 1,
  name: 'ada@example.org',
  organizer: 0,
  permissions: new Set(),
  allEvents: false,
  events: new Set(),
  device: null,
  teams,
})

const seen = (actor: Actor | null) =>
  actor && [[...actor.permissions].toSorted(), actor.allEvents, [...actor.events].toSorted()]

describe('a person who enters', () => {
  const ada = person(
    team(1, [11], 'can_view_orders', 'can_change_items'),
    team(1, [12], 'can_view_vouchers', 'can_manage_gift_cards'),
    team(2, 'all', 'can_change_orders'),
  )

  it('has at an event what the teams let into it allow together', () => {
    assert.deepEqual(seen(entering(ada, 1, 11, null)), [['can_change_items', 'can_view_orders'], false, [11]])
    assert.equal(entering(ada, 1, 11, 'can_view_vouchers'), null)
    const both = person(team(1, [11], 'can_view_orders'), team(1, 'all', 'can_view_vouchers'))
    assert.deepEqual(seen(entering(both, 1, 11, null))?.[0], ['can_view_orders', 'can_view_vouchers'])
    assert.deepEqual(seen(entering(both, 1, 12, null))?.[0], ['can_view_vouchers'])
  })

  it('enters no event, and no organizer, that no team is for', () => {
    assert.equal(entering(ada, 1, 13, null), null)
    assert.equal(entering(ada, 3, null, null), null)
    assert.equal(entering(ada, 2, 11, null)?.organizer, 2)
    assert.equal(entering(person(), 1, null, null), null)
  })

  it('enters from the organizer only the events for which a team allows what is asked', () => {
    const here = entering(ada, 1, null, 'can_view_orders')
    assert.ok(here)
    assert.deepEqual(
      [entersEvent(here, 1, 11), entersEvent(here, 1, 12), entersEvent(here, 2, 11)],
      [true, false, false],
    )
    assert.equal(may(here, 'can_manage_gift_cards'), true)
    assert.equal(may(here, 'can_view_vouchers'), false)
    assert.equal(entering(ada, 1, null, 'can_change_teams'), null)
  })

  it('may do across events only what is allowed at each of them', () => {
    const mixed = person(team(1, [11], 'can_view_orders'), team(1, [12], 'can_checkin_orders'))
    const door = entering(mixed, 1, null, ['can_view_orders', 'can_checkin_orders'])
    assert.ok(door)
    assert.deepEqual([entersEvent(door, 1, 11), entersEvent(door, 1, 12)], [true, true])
    assert.deepEqual([may(door, 'can_view_orders'), may(door, 'can_checkin_orders')], [false, false])
    const wide = person(team(1, 'all', 'can_view_orders'), team(1, [12], 'can_checkin_orders'))
    const all = entering(wide, 1, null, ['can_view_orders', 'can_checkin_orders'])
    assert.ok(all)
    assert.deepEqual([may(all, 'can_view_orders'), may(all, 'can_checkin_orders')], [true, false])
  })

  it('leaves tokens and devices as they are', () => {
    const token: Actor = {
      ...person(),
      kind: 'token',
      organizer: 1,
      permissions: new Set(['can_view_orders']),
      events: new Set([11]),
    }
    const { teams: _, ...plain } = token
    assert.equal(entering(plain, 1, 11, 'can_view_orders'), plain)
    assert.equal(entering(plain, 1, 12, 'can_view_orders'), null)
    assert.equal(entering(plain, 1, 11, 'can_change_orders'), null)
    assert.equal(entering(plain, 2, null, null), null)
  })
})
