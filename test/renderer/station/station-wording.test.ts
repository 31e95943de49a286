import assert from 'node:assert/strict'
import { entryOfReport } from '../../../renderer/scanning/entries.ts'
import { announcement, certaintyOf } from '../../../renderer/scanning/wording.ts'
import {
  ageText,
  dataAge,
  factText,
  markOf,
  markText,
  readinessText,
  reasonText,
  sideText,
  troubleText,
} from '../../../renderer/station/wording.ts'
import { loadTexts, translator } from '../../../renderer/text/translate.ts'
import { type ConnectionState, nextConnection } from '../../../renderer/upstream/connection-state.ts'
import { isPairingCode, pairingCodeIn, saysWhere } from '../../../renderer/upstream/pairing-code.ts'
import type { LinkStatus, ShownFact } from '../../../schema/station-link.ts'
import { result } from '../samples.ts'
import { byItself, fact, line, link, reportedLink } from './station-samples.ts'

await loadTexts('de')

const t = translator('en')
const voice = { t, language: 'en', timeZone: 'Europe/Berlin' }
const german = { t: translator('de'), language: 'de', timeZone: 'Europe/Berlin' }

describe('the mark of the link', () => {
  const table: readonly [string, Partial<LinkStatus>][] = [
    ['online', {}],
    ['hub', { state: 'hub only' }],
    ['offline', { state: 'alone' }],
    ['local', byItself],
    ['loading', { state: 'online', data_age: null }],
    ['revoked', { revoked: true }],
    ['revoked', { revoked: true, upstream: null }],
  ]
  for (const [mark, status] of table) it(`is ${mark}`, () => assert.equal(markOf(reportedLink(status)), mark))

  it('says all that it shows', () => {
    const state = reportedLink({ state: 'alone', data_age: 200, queue: 1200, parked: 1, conflicts: 2 })
    assert.equal(
      markText(state, voice),
      'Offline, data 3 min, 1,200 waiting, 1 refused by the server, 2 open contradictions',
    )
  })
  it('keeps quiet about what is nothing', () =>
    assert.equal(markText(reportedLink(), voice), 'Online, data current'))
})

describe('the age of the data', () => {
  const later = (state: ConnectionState, at: number): ConnectionState =>
    nextConnection(state, { type: 'ticked', at })
  it('grows while nothing is reported', () =>
    assert.equal(dataAge(later(reportedLink({ data_age: 30 }, 1000), 61_000)), 90))
  it('never shrinks below what was reported', () =>
    assert.equal(dataAge(later(reportedLink({ data_age: 30 }, 1000), 0)), 30))
  it('is none where there is no data from upstream', () =>
    assert.equal(dataAge(reportedLink(byItself)), null))
  const ages: readonly [number, string][] = [
    [0, 'current'],
    [9, 'current'],
    [10, '10 s'],
    [89, '89 s'],
    [90, '2 min'],
    [5399, '90 min'],
    [7200, '2 h'],
    [172_800, '2 days'],
  ]
  for (const [seconds, text] of ages)
    it(`is “${text}” after ${seconds} s`, () => assert.equal(ageText(seconds, t), text))
})

describe('the readiness list', () => {
  const table: readonly [ReturnType<typeof line>, Partial<LinkStatus>, string][] = [
    [line('data', true, 5000), {}, '5,000 tickets, current.'],
    [line('data', true, 12), byItself, '12 tickets.'],
    [line('data', false, 0), { data_age: null }, 'Nothing was loaded yet.'],
    [line('clock', true, 12), {}, 'Right.'],
    [line('clock', false, -3_600_000), {}, 'Wrong by 60 min. It is corrected, but please set it.'],
    [line('clock', false, null), {}, 'Nobody has told this computer the time since it was started.'],
    [line('disk', true, 3 * 2 ** 30), {}, '3 GB free.'],
    [line('disk', false, 2 ** 28), {}, 'Only 0.3 GB free. Delete something.'],
    [line('disk', true, null), {}, 'Was not looked at.'],
    [line('keys', true, 1), {}, '1 key.'],
    [line('keys', true, 0), {}, 'No event here signs its tickets.'],
    [line('upstream', true, null), {}, 'Answers.'],
    [line('upstream', true, null), byItself, 'None: this station works by itself.'],
    [line('upstream', false, null), { state: 'hub only' }, 'The hub answers, the server does not.'],
    [line('upstream', false, null), { state: 'alone' }, 'Does not answer.'],
    [line('queue', true, 0), {}, 'Everything was sent.'],
    [line('queue', true, 1), { queue: 1 }, '1 waits to be sent.'],
    [line('queue', false, 3), { parked: 3 }, '3 were refused and need a look.'],
  ]
  for (const [one, status, text] of table)
    it(`says “${text}”`, () => assert.equal(readinessText(one, reportedLink(status), voice), text))
})

describe('what is to be sent', () => {
  const texts: readonly [Partial<ShownFact>, string][] = [
    [{}, 'Entry, ticket abc'],
    [{ what: 'refusal', subject: 'xyz' }, 'Refused scan, xyz'],
    [{ what: 'annulment', subject: '' }, 'Check-in taken back'],
    [{ what: 'order', subject: 'ABC12' }, 'Order ABC12'],
  ]
  for (const [more, text] of texts) it(`is “${text}”`, () => assert.equal(factText(fact(more), voice), text))

  it('was refused for a reason that we have words for', () =>
    assert.match(reasonText(fact({ reason: 'unknown_list', detail: 'No.' }), german), /^Die Check-in-Liste/))
  it('was refused for a reason in the words of the server', () =>
    assert.equal(reasonText(fact({ reason: 'moon', detail: 'It is full.' }), voice), 'It is full.'))
  it('was refused for a reason without any words', () =>
    assert.equal(reasonText(fact({ reason: 'moon' }), voice), 'moon'))
})

describe('a side of a contradiction', () => {
  const now = '2026-07-10T20:00:00Z'
  it('is a gate, a station and a time at the event', () =>
    assert.deepEqual(sideText({ gate: 'North', device: 'Door 1', at: '2026-07-10T16:05:00Z' }, now, voice), {
      where: 'North · Door 1',
      when: '18:05',
    }))
  it('may be unknown', () =>
    assert.deepEqual(sideText({ gate: null, device: null, at: null }, now, voice), {
      where: 'Unknown place',
      when: '',
    }))
})

describe('why the server does not answer', () => {
  it('is said in the language of the page', () =>
    assert.match(
      troubleText(link({ trouble: 'timeout', problem: 'No answer.' }), german),
      /^Der Server antwortet zu/,
    ))
  it('is said in the words of the server where we have none', () =>
    assert.equal(troubleText(link({ problem: 'The disk is full.' }), voice), 'The disk is full.'))
})

describe('how sure a result is', () => {
  const certainty = (more: object) => certaintyOf(entryOfReport(result(more)))
  it('is marked where there is an upstream server', () => {
    assert.equal(certainty({ offline: true, confirmed: false }), 'offline')
    assert.equal(certainty({ offline: false, confirmed: true }), 'confirmed')
  })
  it('is not marked where there is none', () => assert.equal(certainty({}), null))
  it('is spoken when the station decided offline', () =>
    assert.match(announcement(entryOfReport(result({ offline: true })), voice), /Decided offline\.$/))
})

describe('a code that connects a station', () => {
  const code = '{"handshake_version":1,"url":"https://tickets.example","token":"abc"}'
  const codes: readonly [string, boolean][] = [
    [code, true],
    [`  ${code}`, true],
    ['{"handshake_ver', true],
    ['{"name":"Mia"}', false],
    ['TICKET-token', false],
    ['', false],
  ]
  for (const [text, expected] of codes)
    it(`is ${expected ? '' : 'not '}“${text}”`, () => assert.equal(isPairingCode(text), expected))
  it('says itself where the server is, and a token does not', () =>
    assert.deepEqual([saysWhere(code), saysWhere('abcd1234')], [true, false]))
  it('says where the server is in the line that is printed beside the picture', () =>
    assert.equal(saysWhere('address http://box-1:8000, token abcd1234'), true))
  it('is asked for with an address as people type it, by name or by number', () => {
    for (const say of [t, german.t])
      assert.match(say('pair-do.no_address'), /tickets\.example\.org .* 192\.168\.1\.20:8000/)
  })
  it('is read by position where the keyboard layout spoils it', () => {
    assert.equal(pairingCodeIn({ characters: 'ÄÖ', positions: code }), code)
    assert.equal(pairingCodeIn({ characters: code, positions: '' }), code)
    assert.equal(pairingCodeIn({ characters: 'TICKET', positions: 'TICKET' }), null)
  })
})
