import assert from 'node:assert/strict'
import type { Fixture } from '../fixtures/fixture.ts'
import type { World } from '../fixtures/world.ts'
import { make, subjectOf, walk } from './subject.ts'

const long = { past: 'Sat, 01 Jan 2000 00:00:00 GMT', future: 'Sat, 01 Jan 2999 00:00:00 GMT' }

/** Checks what a list says about its age, and what it answers to whoever has seen it before. */
export function checkConditions(fixture: Fixture, worldNow: () => World): void {
  const { resource } = fixture

  if (resource.conditional)
    it('says when its list last changed, and answers conditions on it', async () => {
      const subject = await subjectOf(worldNow(), fixture)
      const { server } = subject.world
      await make(subject, fixture.minimal(subject.world, subject.n))
      const list = async (headers: Readonly<Record<string, string>>) => {
        const answer = await server.call('GET', subject.path, undefined, headers)
        return { status: answer.status, body: answer.body, changed: answer.headers.get('last-modified') }
      }
      const { changed } = await list({})
      assert.ok(changed && Date.parse(changed) > Date.parse('2020-01-01'))
      // The second of the change may not be over.
      const next = new Date(Date.parse(changed) + 1000).toUTCString()
      assert.equal((await list({ 'If-Modified-Since': next })).status, 304)
      const unchanged = await list({ 'If-Modified-Since': long.future })
      assert.deepEqual([unchanged.status, unchanged.body], [304, ''])
      assert.equal((await list({ 'If-Modified-Since': long.past })).status, 200)
      const moved = await list({ 'If-Unmodified-Since': long.past })
      assert.deepEqual([moved.status, moved.body], [412, ''])
      assert.equal((await list({ 'If-Unmodified-Since': long.future })).status, 200)
      assert.equal((await list({ 'If-Modified-Since': 'yesterday' })).status, 200)
    })

  if (resource.since)
    it('says from when on its list can be continued', async () => {
      const subject = await subjectOf(worldNow(), fixture)
      const { server } = subject.world
      const before = await server.call('GET', subject.path)
      const since = before.headers.get('x-page-generated') ?? ''
      const row = await make(subject, fixture.minimal(subject.world, subject.n))
      const query = `${resource.since}=${encodeURIComponent(since)}`
      const results = await walk(subject, query)
      assert.ok(results.some(({ id }) => id === row.id))
    })
}
