import assert from 'node:assert/strict'
import { entryOfReport } from '../../../renderer/scanning/entries.ts'
import { announcement, used, type Voice, what, who } from '../../../renderer/scanning/wording.ts'
import { translator } from '../../../renderer/text/translate.ts'
import { result } from '../samples.ts'

const voice: Voice = { t: translator('en'), language: 'en', timeZone: 'Europe/Berlin' }
const signed = {
  item_name: { en: 'Day ticket', de: 'Tagesticket' },
  item_color: null,
  variation_name: { en: 'Child' },
  subevent_name: null,
  scheme: 'signed',
  key_id: 1,
  issued: null,
  item: 1,
  variation: 2,
  subevent: null,
  valid_from: null,
  valid_until: null,
  checkins: [],
}

describe('a ticket that was judged by its signature', () => {
  it('is shown by its product, and by nobody’s name', () => {
    const entry = entryOfReport(result({ position: null, signed }))
    assert.equal(what(entry, voice), 'Day ticket · Child')
    assert.equal(who(entry, voice), '')
    assert.match(announcement(entry, voice), /Day ticket · Child\./)
  })

  it('says when it was used before', () => {
    const pass = {
      datetime: '2026-07-10T15:00:00Z',
      type: 'entry' as const,
      gate: 'North',
      device: null,
      auto_checked_in: false,
    }
    const entry = entryOfReport(
      result({
        status: 'error',
        reason: 'already_redeemed',
        position: null,
        signed: { ...signed, checkins: [pass] },
      }),
    )
    assert.match(used(entry, voice), /17:00 · North/)
  })
})
