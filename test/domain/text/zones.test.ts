import assert from 'node:assert/strict'
import { isRelativeMoment, isTimeZone } from '../../../server/domain/text/zones.ts'

describe('the name of a time zone', () => {
  for (const name of ['Europe/Berlin', 'UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires'])
    it(`can be ${name}`, () => assert.ok(isTimeZone(name)))

  for (const name of ['', 'Mars/Olympus', '+01:00', '-05', 'Europe', 'Europe/Berlin ', '../etc/passwd'])
    it(`cannot be "${name}"`, () => assert.ok(!isTimeZone(name)))
})

describe('a moment relative to an event', () => {
  for (const text of [
    'RELDATE/1/12:00:00/date_from/',
    'RELDATE/0/-/presale_end/',
    'RELDATE/30/09:30/date_to/',
  ])
    it(`can be ${text}`, () => assert.ok(isRelativeMoment(text)))

  for (const text of [
    'RELDATE/x/-/date_from/',
    'RELDATE/1/25:00:00/date_from/',
    'RELDATE/1/-/noon/',
    'RELDATE/1/-/date_to',
  ])
    it(`cannot be ${text}`, () => assert.ok(!isRelativeMoment(text)))
})
