import assert from 'node:assert/strict'
import { membershipPeriod } from '../../../server/domain/orders/memberships.ts'

const berlin = 'Europe/Berlin'
const fair = { date_from: '2030-06-01T10:00:00.000000Z', date_to: null, timezone: berlin }
const now = '2030-03-30T22:30:00.000000Z'

const lasting = (likeEvent: boolean, days = 0, months = 0) => ({
  grant_membership_duration_like_event: likeEvent,
  grant_membership_duration_days: days,
  grant_membership_duration_months: months,
})

describe('a membership that comes with a product', () => {
  const start = '2030-03-29T23:00:00.000000Z'
  for (const [what, item, times, from, until] of [
    ['as the event', lasting(true), fair, fair.date_from, '2030-06-01T21:59:59.000000Z'],
    [
      'as the event until its end',
      lasting(true, 30),
      { ...fair, date_to: '2030-06-03T16:00:00.000000Z' },
      fair.date_from,
      '2030-06-03T16:00:00.000000Z',
    ],
    ['for a day', lasting(false, 1), fair, start, '2030-03-30T22:59:59.000000Z'],
    ['for no days, which is the day of the sale', lasting(false), fair, start, '2030-03-30T22:59:59.000000Z'],
    // The clocks are put forward in the night to the 31st.
    ['for two days', lasting(false, 2), fair, start, '2030-03-31T21:59:59.000000Z'],
    ['for a month', lasting(false, 0, 1), fair, start, '2030-04-29T21:59:59.000000Z'],
    ['for a year and ten days', lasting(false, 10, 12), fair, start, '2031-04-08T21:59:59.000000Z'],
    [
      'by the days of its zone',
      lasting(false, 1),
      { ...fair, timezone: 'Pacific/Auckland' },
      '2030-03-30T11:00:00.000000Z',
      '2030-03-31T10:59:59.000000Z',
    ],
  ] as const)
    it(`lasts ${what}`, () =>
      assert.deepEqual(membershipPeriod(item, times, now), { date_start: from, date_end: until }))

  it('ends with the month where the next one is shorter', () => {
    const january = '2030-01-31T12:00:00.000000Z'
    const { date_end } = membershipPeriod(lasting(false, 0, 1), fair, january)
    assert.equal(date_end, '2030-02-27T22:59:59.000000Z')
  })
})
