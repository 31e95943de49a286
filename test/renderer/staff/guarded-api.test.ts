import assert from 'node:assert/strict'
import { openLinkApi } from '../../../renderer/api/link-api.ts'
import { type ApiAnswer, openApi } from '../../../renderer/api/requests.ts'
import { guardedApi, guardedLinkApi } from '../../../renderer/staff/guarded-api.ts'
import type { StaffDesk } from '../../../renderer/staff/staff-desk.ts'
import type { StaffRight } from '../../../schema/staff-rights.ts'

describe('what the screens of a station ask for', () => {
  const acts: StaffRight[] = []
  const permitted: StaffDesk['permitted'] = (act) => {
    acts.push(act)
    const problem = { kind: 'denied', status: 403, detail: 'No.' } as const
    return Promise.resolve({ ok: false, problem } satisfies ApiAnswer<never>)
  }
  const nowhere = 'http://127.0.0.1:1'
  const api = guardedApi(openApi(nowhere), { permitted })
  const scan = { code: 'a', source: 'hand', type: 'entry', nonce: 'n' } as const
  const place = { organizer: 'acme', event: 'gala', list: 1, direction: 'entry' } as const
  const asks: readonly (readonly [what: string, ask: () => Promise<unknown>, act: StaffRight | null])[] = [
    ['a scan', () => api.scan(scan), null],
    ['a scan that admits all the same', () => api.scan({ ...scan, ignore_unpaid: true }), 'override'],
    ['a scan that is forced', () => api.scan({ ...scan, force: true }), 'override'],
    ['undoing', () => api.undo('n'), 'override'],
    ['settings', () => api.save(place), 'settings'],
    ['leaving', () => guardedLinkApi(openLinkApi(nowhere), { permitted }).leave(false), 'settings'],
  ]
  for (const [what, ask, act] of asks)
    it(`${act === null ? 'needs nobody for' : `may need the right "${act}" for`} ${what}`, async () => {
      acts.length = 0
      await ask()
      assert.deepEqual(acts, act === null ? [] : [act])
    })
})
