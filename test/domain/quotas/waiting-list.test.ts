import assert from 'node:assert/strict'
import {
  isLongOver,
  isOnSale,
  isPresaleRunning,
  type SaleSpan,
  type SeriesDate,
  type WaitingOccasion,
} from '../../../server/domain/quotas/waiting-list.ts'

const noon = '2030-06-01T12:00:00.000000Z'
const before = '2030-06-01T11:59:59.999999Z'
const after = '2030-06-01T12:00:00.000001Z'

const occasion = (values: Partial<WaitingOccasion> = {}): WaitingOccasion => ({
  date_from: '2030-07-01T18:00:00.000000Z',
  date_to: null,
  presale_start: null,
  presale_end: null,
  ...values,
})
const date = (values: Partial<SeriesDate> = {}): SeriesDate => ({
  ...occasion(values),
  active: true,
  ...values,
})
const running = (event: Partial<WaitingOccasion>, on: SeriesDate | null = null, now = noon): boolean =>
  isPresaleRunning(occasion(event), on, 'Europe/Berlin', now)

describe('the presale of an event', () => {
  const table: readonly (readonly [string, boolean, boolean])[] = [
    ['runs while nothing is said', running({}), true],
    ['has not begun before its start', running({ presale_start: after }), false],
    ['begins at its start', running({ presale_start: noon }), true],
    ['goes on until its end', running({ presale_end: noon }), true],
    ['has ended after its end', running({ presale_end: before }), false],
    ['outlasts the event where it says so', running({ date_to: before, presale_end: after }), true],
    ['ends with the event', running({ date_to: before }), false],
    ['goes on during the event', running({ date_from: before, date_to: after }), true],
    ['goes on during the first day of an event without an end', running({ date_from: before }), true],
    [
      'ends with that day where the event is',
      running({ date_from: before }, null, '2030-06-01T22:00:00.000000Z'),
      false,
    ],
    [
      'does not end before that day has ended there',
      running({ date_from: before }, null, '2030-06-01T21:59:59.999999Z'),
      true,
    ],
    ['is none on a date that is switched off', running({}, date({ active: false })), false],
    [
      'begins at the later of both starts',
      running({ presale_start: before }, date({ presale_start: after })),
      false,
    ],
    [
      'begins at the event’s where that is later',
      running({ presale_start: after }, date({ presale_start: before })),
      false,
    ],
    [
      'ends at the earlier of both ends',
      running({ presale_end: after }, date({ presale_end: before })),
      false,
    ],
    [
      'ends at the event’s where that is earlier',
      running({ presale_end: before }, date({ presale_end: after })),
      false,
    ],
    ['ends with its date, not with the series', running({ date_to: before }, date()), true],
    [
      'ends with its date before the series does',
      running({ date_to: after }, date({ date_to: before })),
      false,
    ],
  ]
  for (const [title, found, expected] of table) it(title, () => assert.equal(found, expected))
})

describe('a product that somebody waits for', () => {
  const span = (values: Partial<SaleSpan> = {}): SaleSpan => ({
    active: true,
    available_from: null,
    available_until: null,
    ...values,
  })
  const override = { disabled: false, available_from: null, available_until: null }
  const table: readonly (readonly [string, boolean, boolean])[] = [
    ['is on sale while nothing is said', isOnSale(span(), undefined, noon), true],
    ['is not while it is switched off', isOnSale(span({ active: false }), undefined, noon), false],
    ['is not before its time', isOnSale(span({ available_from: after }), undefined, noon), false],
    ['is from its first moment', isOnSale(span({ available_from: noon }), undefined, noon), true],
    ['is until its last moment', isOnSale(span({ available_until: noon }), undefined, noon), true],
    ['is not after its time', isOnSale(span({ available_until: before }), undefined, noon), false],
    ['is on a date that says nothing against it', isOnSale(span(), override, noon), true],
    ['is not on a date without it', isOnSale(span(), { ...override, disabled: true }, noon), false],
    [
      'is not before its time on a date',
      isOnSale(span(), { ...override, available_from: after }, noon),
      false,
    ],
    [
      'is not after its time on a date',
      isOnSale(span(), { ...override, available_until: before }, noon),
      false,
    ],
  ]
  for (const [title, found, expected] of table) it(title, () => assert.equal(found, expected))
})

describe('an event that is long over', () => {
  const now = '2030-06-15T12:00:00.000000Z'
  const at = (date_from: string, date_to: string | null = null) => ({ date_from, date_to })

  it('ended more than two weeks ago, as a whole', () => {
    assert.equal(isLongOver([at(before)], now), true)
    assert.equal(isLongOver([at(noon)], now), false)
    assert.equal(isLongOver([at(before, noon)], now), false)
    assert.equal(isLongOver([at(before), at(noon)], now), false)
    assert.equal(isLongOver([at(before), at(before, before)], now), true)
  })
})
