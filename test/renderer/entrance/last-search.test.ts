import assert from 'node:assert/strict'
import type { ApiAnswer } from '../../../renderer/api/requests.ts'
import { firstPages, withNextPage } from '../../../renderer/entrance/last-search.ts'
import type { Found, FoundPosition } from '../../../schema/bodies/guests.ts'

const size = 2
const position = (id: number): FoundPosition => ({
  id,
  positionid: 1,
  attendee_name: `Guest ${id}`,
  attendee_email: null,
  company: null,
  secret: `t${id}`,
  order: 'A',
  order__status: 'p',
  item: 1,
  variation: null,
  seat: null,
  checkins: [],
})

/** A server that finds these, page by page; they may change meanwhile. */
function finding(ids: number[]) {
  const asked: number[] = []
  const ask = async (page: number): Promise<ApiAnswer<Found>> => {
    asked.push(page)
    const results = ids.slice((page - 1) * size, page * size).map(position)
    if (page > 1 && results.length === 0)
      return { ok: false, problem: { kind: 'refused', status: 404, detail: '' } }
    return { ok: true, value: { count: ids.length, results } }
  }
  return { ask, asked }
}

const idsOf = (answer: ApiAnswer<Found>): readonly number[] =>
  answer.ok ? answer.value.results.map(({ id }) => id) : []

async function first(ask: (page: number) => Promise<ApiAnswer<Found>>): Promise<Found> {
  const answer = await firstPages(ask, 1)
  assert.ok(answer.ok)
  return answer.value
}

describe('the pages of a search', () => {
  it('follow each other', async () => {
    const { ask, asked } = finding([1, 2, 3, 4, 5])
    const second = await withNextPage(ask, await first(ask), 2)
    assert.ok(second.ok)
    assert.deepEqual(idsOf(second), [1, 2, 3, 4])
    assert.deepEqual(idsOf(await withNextPage(ask, second.value, 3)), [1, 2, 3, 4, 5])
    assert.deepEqual(asked, [1, 2, 3])
  })

  it('neither repeat nor skip anybody where one more is found meanwhile', async () => {
    const ids = [1, 2, 3, 4]
    const { ask } = finding(ids)
    const before = await first(ask)
    ids.unshift(9)
    assert.deepEqual(idsOf(await withNextPage(ask, before, 2)), [9, 1, 2, 3])
  })

  it('skip nobody where one is not found any more', async () => {
    const ids = [1, 2, 3, 4, 5]
    const { ask } = finding(ids)
    const before = await first(ask)
    ids.shift()
    assert.deepEqual(idsOf(await withNextPage(ask, before, 2)), [2, 3, 4, 5])
  })

  it('repeat nobody whose place has changed', async () => {
    const ids = [1, 2, 3, 4]
    const { ask } = finding(ids)
    const before = await first(ask)
    ids.reverse()
    assert.deepEqual(idsOf(await withNextPage(ask, before, 2)), [4, 3, 2, 1])
  })

  it('are looked at again as many as there were, and no more than there are', async () => {
    const { ask, asked } = finding([1, 2, 3])
    assert.deepEqual(idsOf(await firstPages(ask, 9)), [1, 2, 3])
    assert.deepEqual(asked, [1, 2])
  })

  it('fail as their server says', async () => {
    const problem = { kind: 'unreachable', status: 0, detail: '' } as const
    const lost = async () => ({ ok: false, problem }) as const
    assert.deepEqual(await firstPages(lost, 3), { ok: false, problem })
    const { ask } = finding([1, 2, 3])
    assert.deepEqual(await withNextPage(lost, await first(ask), 2), { ok: false, problem })
  })
})
