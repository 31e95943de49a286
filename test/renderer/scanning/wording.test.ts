import assert from 'node:assert/strict'
import { type Entry, entryOfRead, entryOfReport } from '../../../renderer/scanning/entries.ts'
import {
  addons,
  announcement,
  headline,
  listOfTicket,
  nextStep,
  used,
  type Voice,
  what,
  who,
} from '../../../renderer/scanning/wording.ts'
import { clock, formatDate, formatMoment, secondsLeft } from '../../../renderer/text/format.ts'
import { loadTexts, translator } from '../../../renderer/text/translate.ts'
import type { EarlierCheckin, ScanResult } from '../../../schema/bodies/scan-result.ts'
import { position, read, result, settings } from '../samples.ts'

await loadTexts('de')

const voice = (language: 'en' | 'de'): Voice => ({
  t: translator(language),
  language,
  timeZone: 'Europe/Berlin',
})
const entry = (more: Partial<ScanResult>): Entry => entryOfReport(result(more))
const pass = (datetime: string, more: Partial<EarlierCheckin> = {}): EarlierCheckin => ({
  datetime,
  type: 'entry',
  gate: 'North',
  device: 'Scanner 2',
  auto_checked_in: false,
  ...more,
})
const usedBy = (...checkins: readonly EarlierCheckin[]): Entry =>
  entry({ status: 'error', reason: 'already_redeemed', position: position({ checkins }) })

describe('moments', () => {
  const now = '2026-07-10T22:30:00Z'
  const table: readonly [string, string, string, string, string][] = [
    ['the time alone on the same day', '2026-07-10T22:05:00Z', 'Europe/Berlin', 'en', '00:05'],
    [
      'the day too when the day at the event is another',
      '2026-07-10T21:59:00Z',
      'Europe/Berlin',
      'en',
      'Fri, 10 Jul 2026, 23:59',
    ],
    [
      'the time alone where the day is the same further west',
      '2026-07-10T21:59:00Z',
      'America/New_York',
      'en',
      '17:59',
    ],
    ['German', '2026-07-09T10:00:00Z', 'Europe/Berlin', 'de', 'Do., 9. Juli 2026, 12:00'],
  ]
  for (const [what, at, zone, language, text] of table)
    it(`gives ${what}`, () => assert.equal(formatMoment(at, now, zone, language), text))
  it('counts winter and summer time', () => {
    assert.equal(clock('2026-01-10T12:00:00Z', 'Europe/Berlin', 'en'), '13:00')
    assert.equal(clock('2026-07-10T12:00:00Z', 'Europe/Berlin', 'en'), '14:00')
  })
  it('names the weekday', () =>
    assert.equal(formatDate('2026-07-10T16:00:00Z', 'Europe/Berlin', 'en'), 'Fri, 10 Jul 2026'))

  const left: readonly [number, number, number, number | null][] = [
    [1000, 100, 1000, 9],
    [1000, 1000, 1000, 0],
    [100, 100, 1000, null],
    [1000, 0, 1000, null],
    [1000, 0, 0, null],
  ]
  for (const [elapsed, done, total, seconds] of left)
    it(`has ${seconds} seconds left after ${elapsed} ms with ${done} of ${total}`, () =>
      assert.equal(secondsLeft(elapsed, done, total), seconds))
})

describe('the words of a result', () => {
  it('says when and where a ticket was used first', () =>
    assert.equal(
      used(usedBy(pass('2026-07-10T15:18:00Z')), voice('en')),
      'First used: 17:18 · North, Scanner 2',
    ))
  it('says the latest of several times', () => {
    const both = usedBy(pass('2026-07-10T15:18:00Z'), pass('2026-07-09T15:18:00Z'))
    assert.equal(used(both, voice('de')), 'Zuletzt benutzt: 17:18 · North, Scanner 2')
  })
  it('does not take an exit for a use', () =>
    assert.match(
      used(usedBy(pass('2026-07-10T15:50:00Z', { type: 'exit' }), pass('2026-07-10T15:18:00Z')), voice('en')),
      /17:18/,
    ))
  it('says so when it was done by itself, and leaves out what is not known', () => {
    const quiet = usedBy(pass('2026-07-10T15:18:00Z', { gate: null, device: null, auto_checked_in: true }))
    assert.equal(used(quiet, voice('en')), 'First used: 17:18 · automatically')
  })
  it('says nothing where nothing is known', () => assert.equal(used(usedBy(), voice('en')), ''))

  it('names the guest', () => assert.equal(who(entry({}), voice('en')), 'Mia Weber'))
  it('names the order where there is no name', () =>
    assert.equal(who(entry({ position: position({ attendee_name: null }) }), voice('en')), 'Order ABC12-2'))
  it('names nobody for an unknown code', () => assert.equal(who(entry({ position: null }), voice('en')), ''))
  it('names product, variation and date', () => {
    const ticket = position({ variation_name: { en: 'Reduced' }, subevent_name: { en: 'Saturday' } })
    assert.equal(what(entry({ position: ticket }), voice('de')), 'Tagesticket · Reduced · Saturday')
  })
  it('names add-ons with their variation', () => {
    const extra = { item_name: { en: 'Parking' }, variation_name: { en: 'P3' } }
    assert.deepEqual(addons(entry({ position: position({ addons: [extra] }) }), voice('en')), [
      'Parking (P3)',
    ])
  })

  const reasons = [
    'canceled',
    'invalid',
    'unpaid',
    'product',
    'rules',
    'revoked',
    'already_redeemed',
    'ambiguous',
    'blocked',
    'invalid_time',
    'unapproved',
    'error',
  ] as const
  for (const reason of reasons)
    it(`says for ${reason} what it is and what to do`, () => {
      const refused = entry({ status: 'error', reason })
      for (const each of [voice('en'), voice('de')]) {
        assert.ok(headline(refused, each).length > 3)
        assert.ok(nextStep(refused, each).length > 10)
      }
    })
  it('suspects the keyboard language behind an unknown garbled code', () => {
    const garbled = {
      ...entryOfRead(read('a', { garbled: true }), 'entry'),
      ask: null,
      result: result({ status: 'error', reason: 'invalid', position: null }),
    }
    assert.match(nextStep(garbled, voice('en')), /keyboard language/)
  })
  it('says goodbye on the way out', () =>
    assert.equal(headline(entry({ type: 'exit' }), voice('en')), 'Goodbye'))

  it('says the list of a ticket where there are several, and its event where these are several', () => {
    const lists = [
      { id: 12, name: 'Main gate', event: 'festival', event_name: 'Festival' },
      { id: 13, name: 'VIP', event: 'festival', event_name: 'Festival' },
    ]
    const hall = { id: 14, name: 'Hall', event: 'hall', event_name: 'Hall 2' }
    const on = (id: number, name: string) =>
      entry({ list: { id, name, event: 'festival', subevent: null, include_pending: false } })
    assert.equal(listOfTicket(on(12, 'Main gate'), settings), '')
    assert.equal(listOfTicket(on(13, 'VIP'), { ...settings, lists }), 'VIP')
    assert.equal(listOfTicket(on(14, 'Hall'), { ...settings, lists: [...lists, hall] }), 'Hall · Hall 2')
    assert.equal(listOfTicket(on(99, 'Gone'), { ...settings, lists }), 'Gone')
    const unknown = entry({ status: 'error', reason: 'invalid', position: null })
    assert.equal(listOfTicket(unknown, { ...settings, lists }), '')
    assert.match(announcement(on(13, 'VIP'), voice('en'), { list: 'VIP' }), /Day ticket\. List: VIP\./)
  })

  it('is read out as whole sentences, with all that matters', () => {
    const full = entry({
      require_attention: true,
      checkin_texts: ['Hand out the wristband'],
      position: position({ seat: { name: 'Row 4' } }),
    })
    assert.equal(
      announcement(full, voice('en')),
      'Admitted. Mia Weber. Day ticket. Seat Row 4. Look closely at this ticket. Hand out the wristband.',
    )
  })
})
