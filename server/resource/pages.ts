import { notFound } from '../errors.ts'
import { type Query, single } from './query.ts'

/** The most rows a page holds, and how many it holds when nothing else is asked. */
const pageSize = 50

/** Which part of a list a request asks for. */
export interface Page {
  readonly number: number
  readonly size: number
  readonly offset: number
}

/** A page of a list as the API answers it. */
export interface PageBody<T> {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly T[]
}

/** The page that a query asks for; 404 when its number is none. */
export function pageOf(query: Query): Page {
  const text = single(query, 'page') ?? '1'
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (number < 1) throw notFound('Invalid page.')
  const wanted = Number(single(query, 'page_size'))
  const size = Number.isInteger(wanted) && wanted >= 1 ? Math.min(wanted, pageSize) : pageSize
  return { number, size, offset: (number - 1) * size }
}

/** Wraps the rows of a page with the count of the whole list and the addresses of its neighbours. */
export function pageBody<T>(address: URL, page: Page, count: number, results: readonly T[]): PageBody<T> {
  if (page.number > 1 && page.offset >= count) throw notFound('Invalid page.')
  const at = (number: number): string => {
    const url = new URL(address)
    if (number === 1) url.searchParams.delete('page')
    else url.searchParams.set('page', String(number))
    return url.href
  }
  return {
    count,
    next: page.offset + page.size < count ? at(page.number + 1) : null,
    previous: page.number > 1 ? at(page.number - 1) : null,
    results,
  }
}
