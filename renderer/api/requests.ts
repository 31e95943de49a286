import type { Found } from '../../schema/bodies/guests.ts'
import type { ScanResult } from '../../schema/bodies/scan-result.ts'
import type { ScanInput, SettingsInput } from '../../schema/bodies/station.ts'
import type { Choices, DemoProgress, StationState } from '../../schema/bodies/station-state.ts'
import type { Standstill } from '../../schema/updates/standstill.ts'
import { stepUpHeaders } from './keyed-act.ts'

/**
 * Why a request brought no answer: the server is not there (or too slow), does not know this window,
 * refuses what was asked (400, 404, 409), or is broken itself (500 and what is no JSON).
 */
export interface Problem {
  readonly kind: 'unreachable' | 'denied' | 'refused' | 'broken'
  readonly status: number
  /** The server's words, or empty. */
  readonly detail: string
  /** Why, as a word, where the server gives one. */
  readonly reason?: string
  /** Whether the server wants to be asked the same again later. */
  readonly later?: true
  /** Why the server does nothing at all, where it says so (503). */
  readonly standstill?: Standstill
  /** What a body that was not right (400), or what did not fit (409), is answered with: messages by field. */
  readonly body?: object
}

/** What a request brought. */
export type ApiAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem }

/** Whom somebody looks for: on some lists, by a text, and which page of them. */
export interface Sought {
  readonly organizer: string
  readonly lists: readonly { readonly id: number }[]
  readonly text: string
  readonly page: number
}

/** The requests of the screens. None of them ever rejects. */
export interface ApiClient {
  station(): Promise<ApiAnswer<StationState>>
  choices(): Promise<ApiAnswer<Choices>>
  demo(): Promise<ApiAnswer<DemoProgress>>
  makeDemo(): Promise<ApiAnswer<unknown>>
  /** These may need what a supervisor was given for them. */
  save(settings: SettingsInput, stepUp?: string): Promise<ApiAnswer<StationState>>
  scan(scan: ScanInput, stepUp?: string): Promise<ApiAnswer<ScanResult>>
  /** The last scans of this station on its lists, newest first. */
  recentScans(): Promise<ApiAnswer<{ readonly results: readonly ScanResult[] }>>
  undo(nonce: string, stepUp?: string): Promise<ApiAnswer<unknown>>
  /** Tickets of its lists by name, order code or e-mail, canceled ones too. */
  search(sought: Sought, signal?: AbortSignal): Promise<ApiAnswer<Found>>
}

/** Milliseconds after which the server counts as unreachable. */
export const patience = { scan: 8000, other: 6000, slow: 20000 } as const

/** What the station prints behind the # of the address that opens it: nothing there is sent, logged or referred to. */
const shownKey = /^#key=([\w-]+)$/

/** Has this window known to its server, where it was opened by an address with a key, which then leaves the address. */
export async function openWindow(
  place: { readonly hash: string },
  past: { replaceState(data: unknown, unused: string, url: string): void },
): Promise<void> {
  const [, key] = shownKey.exec(place.hash) ?? []
  if (key === undefined) return
  past.replaceState(null, '', '/')
  const opened = { method: 'POST', headers: { authorization: `Station ${key}` } }
  // A window that is not known shows so by itself.
  await request('/api/v1/station/open', opened, patience.other)
}

/** Whether the server wants somebody who may before it does what was asked. */
export const needsStaff = ({ reason }: Problem): boolean => reason === 'step_up' || reason === 'sign_in'

/** The requests against a server at `base` (empty for the page's own). */
export function openApi(base = ''): ApiClient {
  const get = <T>(path: string, signal?: AbortSignal) => request<T>(base + path, {}, patience.other, signal)
  const put = <T>(
    method: string,
    path: string,
    body: unknown,
    { limit = patience.other, stepUp = '' }: { readonly limit?: number; readonly stepUp?: string } = {},
  ) =>
    request<T>(
      base + path,
      {
        method,
        headers: { 'content-type': 'application/json', ...stepUpHeaders(stepUp) },
        body: JSON.stringify(body),
      },
      limit,
    )
  const station = '/api/v1/station'
  return {
    station: () => get(`${station}/`),
    choices: () => get(`${station}/choices/`),
    demo: () => get(`${station}/demo/`),
    makeDemo: () => put('POST', `${station}/demo/`, {}, { limit: patience.slow }),
    save: (settings, stepUp) => put('PUT', `${station}/settings/`, settings, { stepUp }),
    scan: (scan, stepUp) => put('POST', `${station}/scan/`, scan, { limit: patience.scan, stepUp }),
    recentScans: () => get(`${station}/scans/`),
    undo: (nonce, stepUp) => put('POST', `${station}/undo/`, { nonce }, { stepUp }),
    search({ organizer, lists, text, page }, signal) {
      const query = new URLSearchParams({
        search: text,
        page: String(page),
        any_order: 'true',
        ignore_status: 'true',
      })
      for (const { id } of lists) query.append('list', String(id))
      for (const name of ['item', 'variation']) query.append('expand', name)
      return get(`/api/v1/organizers/${encodeURIComponent(organizer)}/checkinrpc/search/?${query}`, signal)
    },
  }
}

/** One request; an answer in any case. Milliseconds after `limit` the server counts as unreachable. */
export async function request<T>(
  url: string,
  init: RequestInit,
  limit: number,
  signal?: AbortSignal,
): Promise<ApiAnswer<T>> {
  const late = AbortSignal.timeout(limit)
  try {
    const response = await fetch(url, {
      ...init,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([late, signal]) : late,
    })
    const text = await response.text()
    return response.ok
      ? parsed<T>(response.status, text)
      : { ok: false, problem: problemOf(response.status, text, response.headers.has('retry-after')) }
  } catch {
    return { ok: false, problem: { kind: 'unreachable', status: 0, detail: '' } }
  }
}

function parsed<T>(status: number, text: string): ApiAnswer<T> {
  try {
    return { ok: true, value: (text === '' ? null : JSON.parse(text)) as T }
  } catch {
    return { ok: false, problem: { kind: 'broken', status, detail: '' } }
  }
}

function problemOf(status: number, text: string, isLater: boolean): Problem {
  const kind = status === 401 || status === 403 ? 'denied' : status >= 500 ? 'broken' : 'refused'
  const reason = reasonOf(text)
  const body = status === 400 || status === 409 ? objectIn(text) : null
  const standstill = status === 503 ? standstillIn(text) : null
  const more = {
    ...(standstill ? { standstill } : {}),
    ...(reason ? { reason } : {}),
    ...(body ? { body } : {}),
    ...(isLater ? { later: isLater } : {}),
  }
  return { kind, status, detail: detailOf(text), ...more }
}

const standstills: ReadonlySet<unknown> = new Set<Standstill['reason']>([
  'update_trial',
  'newer_database',
  'disk_full',
])

/** The server's word for the rest of it is taken: page and server come from one package. */
function standstillIn(text: string): Standstill | null {
  const body = objectIn(text)
  return body && 'reason' in body && standstills.has(body.reason) ? (body as Standstill) : null
}

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function reasonOf(text: string): string {
  try {
    const { reason } = JSON.parse(text) as { reason?: unknown }
    return typeof reason === 'string' ? reason : ''
  } catch {
    return ''
  }
}

/** The words in an error body: its `detail`, else the first message of its first field. */
export function detailOf(text: string): string {
  try {
    return firstText(JSON.parse(text))
  } catch {
    return ''
  }
}

function firstText(body: unknown): string {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null) return ''
  if ('detail' in body && typeof body.detail === 'string') return body.detail
  for (const value of Object.values(body)) {
    const text = firstText(value)
    if (text) return text
  }
  return ''
}
