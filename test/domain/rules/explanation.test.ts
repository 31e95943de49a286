import assert from 'node:assert/strict'
import { explainRules, explainValidity } from '../../../server/domain/rules/explanation.ts'
import type { Labels } from '../../../server/domain/rules/failures.ts'
import { evaluateRules } from '../../../server/domain/rules/rules.ts'
import { tokyo } from '../checkin/door.ts'
import {
  and,
  atLeast,
  atMost,
  equal,
  isAfter,
  isBefore,
  late,
  less,
  more,
  oneOf,
  read,
  soon,
  time,
  wednesday,
} from './words.ts'

const notEqual = (name: string, value: unknown) => ({ '!=': [read(name), value] })
const counter = (operator: string, name: string, moment: unknown, limit: number) => ({
  [operator]: [{ [name]: [moment] }, limit],
})
const texts: readonly (readonly [rules: unknown, english: string, german: string])[] = [
  [isAfter(soon), 'Only allowed after 20:00', 'Erst nach 20:00 erlaubt'],
  [isAfter(soon, 10), 'Only allowed after 19:50', 'Erst nach 19:50 erlaubt'],
  [isAfter(late), 'Only allowed after 2020-01-05 20:00', 'Erst nach 05.01.2020 20:00 erlaubt'],
  [
    isAfter(time('custom', '2020-01-01T22:00:00Z')),
    'Only allowed after 2020-01-02 07:00',
    'Erst nach 02.01.2020 07:00 erlaubt',
  ],
  [isBefore(time('date_admission'), 10), 'Only allowed before 18:10', 'Nur vor 18:10 erlaubt'],
  [
    isBefore(time('customtime', '06:59')),
    'Only allowed before 2020-01-01 06:59',
    'Nur vor 01.01.2020 06:59 erlaubt',
  ],
  [oneOf('product', 2), 'Ticket type not allowed', 'Ticketart nicht erlaubt'],
  [oneOf('variation', 2), 'Ticket type not allowed', 'Ticketart nicht erlaubt'],
  [equal('product', 2), 'Ticket type not allowed', 'Ticketart nicht erlaubt'],
  [oneOf('gate', 2), 'Not allowed at this gate', 'An diesem Eingang nicht erlaubt'],
  [equal('entry_status', 'absent'), 'Already inside', 'Bereits anwesend'],
  [notEqual('entry_status', 'present'), 'Already inside', 'Bereits anwesend'],
  [equal('now_isoweekday', 6), 'Only allowed on a Saturday', 'Nur am Samstag erlaubt'],
  [atLeast('now_isoweekday', 6), 'Not allowed on a Wednesday', 'Am Mittwoch nicht erlaubt'],
  [notEqual('now_isoweekday', 3), 'Not allowed on a Wednesday', 'Am Mittwoch nicht erlaubt'],
  [equal('now_isoweekday', 8), 'Unknown reason', 'Unbekannter Grund'],
  [
    less('entries_number', 2),
    'Maximum number of entries exceeded',
    'Maximale Anzahl der Eintritte überschritten',
  ],
  [
    atMost('entries_today', 1),
    'Maximum number of entries today exceeded',
    'Maximale Anzahl der heutigen Eintritte überschritten',
  ],
  [
    more('entries_days', 1),
    'Minimum number of days with an entry not reached',
    'Minimale Anzahl der Tage mit Eintritt nicht erreicht',
  ],
  [equal('entries_number', 0), 'Number of entries is not 0', 'Anzahl der Eintritte ist nicht 0'],
  [notEqual('entries_number', 2), 'Number of entries is 2', 'Anzahl der Eintritte ist 2'],
  [equal('entries_number', 'none'), 'Number of entries is not ?', 'Anzahl der Eintritte ist nicht ?'],
  [
    atLeast('minutes_since_last_entry', 180),
    'Minimum time since last entry not reached',
    'Minimale Zeit seit dem letzten Eintritt nicht erreicht',
  ],
  [
    less('minutes_since_first_entry', 60),
    'Maximum time since first entry exceeded',
    'Maximale Zeit seit dem ersten Eintritt überschritten',
  ],
  [
    equal('minutes_since_last_entry', 30),
    'Time since last entry is not 30 min',
    'Zeit seit dem letzten Eintritt ist nicht 30 Min.',
  ],
  [
    counter('<', 'entries_since', time('date_admission'), 1),
    'Maximum number of entries since 18:00 exceeded',
    'Maximale Anzahl der Eintritte seit 18:00 überschritten',
  ],
  [
    counter('<', 'entries_before', late, 1),
    'Maximum number of entries before 2020-01-05 20:00 exceeded',
    'Maximale Anzahl der Eintritte vor 05.01.2020 20:00 überschritten',
  ],
  [
    counter('>', 'entries_days_before', soon, 1),
    'Minimum number of days with an entry before 20:00 not reached',
    'Minimale Anzahl der Tage mit Eintritt vor 20:00 nicht erreicht',
  ],
  [
    counter('>', 'entries_days_since', time('date_admission'), 1),
    'Minimum number of days with an entry since 18:00 not reached',
    'Minimale Anzahl der Tage mit Eintritt seit 18:00 nicht erreicht',
  ],
  [{ or: [] }, 'Unknown reason', 'Unbekannter Grund'],
  [{ '==': [1, 2] }, 'Unknown reason', 'Unbekannter Grund'],
  [{ '<': [read('now'), 3] }, 'Unknown reason', 'Unbekannter Grund'],
  [{ inList: [read('entries_number'), [9]] }, 'Unknown reason', 'Unbekannter Grund'],
  [{ isBefore: [time('date_from'), read('now')] }, 'Unknown reason', 'Unbekannter Grund'],
  [{ unheard: [] }, 'Unknown reason', 'Unbekannter Grund'],
  [isAfter(time('custom', 'soon')), 'Unknown reason', 'Unbekannter Grund'],
  [and(0), 'Unknown reason', 'Unbekannter Grund'],
]

describe('the explanation of rules', () => {
  for (const [rules, english, german] of texts) {
    it(`says “${english}” and “${german}”`, () => {
      assert.equal(evaluateRules(rules, wednesday), false)
      assert.equal(explainRules(rules, wednesday, 'en'), english)
      assert.equal(explainRules(rules, wednesday, 'de'), german)
    })
  }

  it('says that only people inside are allowed', () => {
    const rules = equal('entry_status', 'present')
    const outside = { ...wednesday, priorCheckins: [] }
    assert.equal(explainRules(rules, outside, 'en'), 'Only allowed for people who are already inside')
    assert.equal(explainRules(rules, outside, 'de-informal'), 'Nur für bereits Anwesende erlaubt')
  })

  it('is in English where there are no texts in the language', () => {
    assert.equal(explainRules(isAfter(soon), wednesday, 'xx'), 'Only allowed after 20:00')
  })

  it('names products, variations and gates where their names are known', () => {
    const labels: Labels = (kind, id) => (id === 3 || id === 5 ? `${kind} {name} $& ${id}` : undefined)
    assert.equal(
      explainRules(oneOf('gate', 2), wednesday, 'en', labels),
      'Not allowed at gate “gate {name} $& 3”',
    )
    assert.equal(
      explainRules(oneOf('variation', 2), wednesday, 'de', labels),
      'Ticketart „variation {name} $& 5“ nicht erlaubt',
    )
    assert.equal(explainRules(oneOf('product', 2), wednesday, 'en', labels), 'Ticket type not allowed')
    assert.equal(
      explainRules(oneOf('gate', 2), { ...wednesday, gate: null }, 'en', labels),
      'Not allowed at this gate',
    )
    const plain = { ...wednesday, variation: null }
    assert.equal(explainRules(oneOf('variation', 2), plain, 'en', labels), 'Ticket type not allowed')
  })

  it('has nothing to name when the rules admit', () => {
    assert.equal(explainRules({ and: [] }, wednesday, 'en'), 'Unknown reason')
  })

  it('writes times in UTC where the zone of the event is not known', () => {
    const lost = { ...wednesday, times: { ...tokyo, timezone: 'Not/AZone' } }
    assert.equal(explainRules(isAfter(soon), lost, 'en'), 'Only allowed after 2020-01-01T11:00:00.000000Z')
  })
})

describe('the explanation of a validity', () => {
  const rows: readonly (readonly [from: string | null, until: string | null, expected: string | null])[] = [
    [null, null, null],
    ['2020-01-01T10:00:00Z', '2020-01-01T10:00:00Z', null],
    ['2020-01-01T10:00:01Z', null, 'Erst ab 19:00 gültig'],
    ['2020-01-02T10:00:00Z', '2020-01-03T10:00:00Z', 'Erst ab 02.01.2020 19:00 gültig'],
    [null, '2020-01-01T09:59:59Z', 'Nur bis 18:59 gültig'],
    [null, '2019-12-31T10:00:00Z', 'Nur bis 31.12.2019 19:00 gültig'],
  ]
  for (const [valid_from, valid_until, expected] of rows) {
    it(`is ${expected} from ${valid_from} until ${valid_until}`, () => {
      assert.equal(explainValidity({ valid_from, valid_until }, wednesday.now, 'Asia/Tokyo', 'de'), expected)
    })
  }
})
