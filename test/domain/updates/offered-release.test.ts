import assert from 'node:assert/strict'
import { readContents } from '../../../schema/updates/contents.ts'
import { compareVersions, type Release, type ReleaseList } from '../../../schema/updates/release.ts'
import { readSignedList, signList } from '../../../schema/updates/signed-list.ts'
import { listTrouble, offeredRelease, type Taker } from '../../../server/domain/updates/offered-release.ts'
import { placeAmongAll } from '../../../server/sync/updates/station-place.ts'
import { makeTestKey } from '../../main/updates/support/small-release.ts'

const file = { name: 'file', size: 1, sha256: 'a'.repeat(64) }
const build = { contents: file, archive: file, unpacked: 1, migration: '0001.sql' }
const release = (version: string, more: Partial<Release> = {}): Release => ({
  ...{ version, share: 100, minimum: '0.1.0', node: 24, builds: { 'linux-x64': build } },
  ...more,
})
const listOf = (...releases: readonly Release[]): ReleaseList => ({
  ...{ format: 1, sequence: 7, issued: '2030-01-01T00:00:00Z', expires: '2030-04-01T00:00:00Z', releases },
})
const station: Taker = {
  ...{ version: '0.1.0', base: '0.1.0', node: 24, platform: 'linux', arch: 'x64' },
  ...{ channel: 'stable', place: 50, failed: null },
}

const offers: readonly (readonly [
  what: string,
  list: ReleaseList,
  taker: Partial<Taker>,
  offered: string,
])[] = [
  ['the newest', listOf(release('0.2.0'), release('0.10.0'), release('0.9.9')), {}, '0.10.0'],
  ['nothing older', listOf(release('0.2.0')), { version: '0.2.0' }, 'none'],
  ['nothing to a station that holds back', listOf(release('0.2.0')), { channel: 'hold' }, 'none'],
  ['a hundredth to the first alone', listOf(release('0.2.0', { share: 1 })), { place: 0 }, '0.2.0'],
  ['a hundredth to no other', listOf(release('0.2.0', { share: 1 })), { place: 1 }, 'none'],
  ['a tenth to the tenth', listOf(release('0.2.0', { share: 10 })), { place: 9 }, '0.2.0'],
  ['a tenth to no eleventh', listOf(release('0.2.0', { share: 10 })), { place: 10 }, 'none'],
  ['everything to early stations', listOf(release('0.2.0', { share: 1 })), { channel: 'early' }, '0.2.0'],
  [
    'what is new to some beside what all have',
    listOf(release('0.3.0', { share: 1 }), release('0.2.0')),
    {},
    '0.2.0',
  ],
  [
    'nothing that failed, and nothing before it',
    listOf(release('0.3.0'), release('0.2.0')),
    { failed: '0.3.0' },
    'none',
  ],
  ['what is newer than what failed', listOf(release('0.3.1')), { failed: '0.3.0' }, '0.3.1'],
  ['nothing that the package cannot start', listOf(release('0.2.0', { minimum: '0.2.0' })), {}, 'none'],
  ['nothing for a newer Node', listOf(release('0.2.0', { node: 26 })), {}, 'none'],
  ['nothing for another machine', listOf(release('0.2.0')), { arch: 'arm64' }, 'none'],
]

describe('the release that is offered', () => {
  for (const [what, list, taker, offered] of offers)
    it(`is ${what}`, () => {
      assert.equal(offeredRelease(list, { ...station, ...taker })?.version ?? 'none', offered)
    })

  it('goes to the same stations first, and to about as many as it says', () => {
    const places = Array.from({ length: 2000 }, (_, index) => placeAmongAll(`acme/${index}`))
    const tenth = places.filter((place) => place < 10).length
    assert.ok(tenth > 140 && tenth < 260, String(tenth))
    assert.equal(placeAmongAll('acme/5'), placeAmongAll('acme/5'))
  })

  it('compares numbers and not letters', () => {
    assert.ok(compareVersions('0.10.0', '0.9.0') > 0)
    assert.ok(compareVersions('nonsense', '0.0.0') < 0)
  })
})

describe('a list of updates', () => {
  const list = listOf(release('0.2.0'))
  const at = (text: string) => ({ now: Date.parse(text), seen: 7 })
  const [one, other, stranger] = [makeTestKey(), makeTestKey(), makeTestKey()]

  it('is gone by until it expires, and never after a newer one', () => {
    assert.equal(listTrouble(list, at('2030-02-01T00:00:00Z')), null)
    assert.equal(listTrouble(list, at('2030-04-01T00:00:01Z')), 'expired')
    assert.equal(listTrouble(list, { now: Date.parse('2030-02-01T00:00:00Z'), seen: 8 }), 'older')
    assert.equal(listTrouble(list, { now: 0, seen: 8 }), 'older')
  })

  it('is not gone by with a clock that stands before it was made', () => {
    assert.equal(listTrouble(list, at('2029-12-31T12:00:00Z')), null)
    assert.equal(listTrouble(list, at('1970-01-01T00:00:00Z')), 'clock')
  })

  it('is read where either key has signed it, and where it was changed by nobody', () => {
    const keys = [one.public, other.public]
    for (const key of [one, other]) assert.deepEqual(readSignedList(signList(list, key.secret), keys), list)
    assert.equal(readSignedList(signList(list, stranger.secret), keys), null)
    const signed = signList(list, one.secret)
    assert.equal(readSignedList(signed.replace('"sequence": 7', '"sequence": 8'), keys), null)
    assert.equal(readSignedList(signed.slice(0, -20), keys), null)
    assert.equal(readSignedList(signed, []), null)
    // Spaces are no part of what was signed.
    assert.deepEqual(readSignedList(JSON.stringify(JSON.parse(signed)), keys), list)
  })

  it('names no file outside of the program', () => {
    const sum = 'b'.repeat(64)
    const read = (path: string) => readContents(JSON.stringify({ version: '1.0.0', files: [[path, 1, sum]] }))
    for (const path of ['server/cli.js', 'node_modules/@a/b.c/d-e.js', '.x/y']) assert.ok(read(path), path)
    for (const path of ['../up', 'a/../../b', '/etc/passwd', 'a//b', 'a\\b', 'a/..', '', 'c:/x', 'a\u0000'])
      assert.equal(read(path), null, path)
  })
})
