import { signal } from '@preact/signals'
import type { Found, FoundPosition } from '../../schema/bodies/guests.ts'
import type { ApiAnswer } from '../api/requests.ts'

/** What a search has come to. */
export type SearchOutcome =
  | { readonly name: 'idle' | 'looking' | 'failed' }
  | { readonly name: 'found'; readonly text: string; readonly page: number; readonly found: Found }

/** What was found last, and whose page was opened from there: whoever comes back finds the search as it was. */
export const lastSearch = {
  outcome: signal<SearchOutcome>({ name: 'idle' }),
  guest: signal<number | null>(null),
}

const each = (results: readonly FoundPosition[]): readonly FoundPosition[] => [
  ...new Map(results.map((position) => [position.id, position])).values(),
]

type Ask = (page: number) => Promise<ApiAnswer<Found>>

/** The first pages of what is found, as one. */
export async function firstPages(ask: Ask, pages: number): Promise<ApiAnswer<Found>> {
  let answer = await ask(1)
  for (
    let page = 2;
    answer.ok && page <= pages && answer.value.results.length < answer.value.count;
    page += 1
  ) {
    const next = await ask(page)
    if (!next.ok) return next
    const results = each([...answer.value.results, ...next.value.results])
    answer = { ok: true, value: { ...next.value, results } }
  }
  return answer
}

/** What was found with its next page; all anew where it is not what it was, so that nobody is skipped. */
export async function withNextPage(ask: Ask, found: Found, page: number): Promise<ApiAnswer<Found>> {
  const next = await ask(page)
  if (!next.ok) return next
  const results = each([...found.results, ...next.value.results])
  const isSame =
    next.value.count === found.count && results.length === found.results.length + next.value.results.length
  return isSame ? { ok: true, value: { ...next.value, results } } : firstPages(ask, page)
}
