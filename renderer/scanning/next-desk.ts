import type { ScanResult } from '../../schema/bodies/scan-result.ts'
import type { StationState } from '../../schema/bodies/station-state.ts'
import {
  type DeskEvent,
  type DeskLink,
  type DeskState,
  directionOf,
  movesOn,
  type Notice,
  type Tone,
} from './desk-state.ts'
import {
  added,
  asking,
  changed,
  delayed,
  type Entry,
  entryOf,
  entryOfRead,
  entryOfReport,
  inherited,
  lookOf,
  type Read,
  type Supplement,
  trimmed,
} from './entries.ts'
import { nextPage, withView } from './next-page.ts'
import { type ResultKind, resultKind } from './result-kind.ts'

const chimed = (state: DeskState, tone: Tone): DeskState => ({
  ...state,
  chime: { tone, turn: (state.chime?.turn ?? 0) + 1 },
})

const noticed = (state: DeskState, kind: Notice['kind'], text: string): DeskState => ({
  ...state,
  notice: { kind, text, turn: (state.notice?.turn ?? 0) + 1 },
})

const edited = (state: DeskState, key: string, change: (entry: Entry) => Entry): DeskState => ({
  ...state,
  entries: trimmed(changed(state.entries, key, change)),
})

function linked(state: DeskState, link: DeskLink, standstill: DeskState['standstill'] = null): DeskState {
  if (state.link === link && state.standstill?.reason === standstill?.reason) return state
  return { ...state, link, standstill, entries: link === 'reached' ? state.entries : delayed(state.entries) }
}

/** Who looks at a guest comes back to them from what is scanned meanwhile, and from there to the search. */
const staysSearching = ({ searching, guests }: DeskState): boolean => searching && guests.length > 0

function scanned(state: DeskState, read: Read): DeskState {
  if (!state.station?.ready) return noticed(state, state.standstill ? 'not-ready' : 'not-set-up', '')
  const searching = read.source === 'hand' ? state.searching : staysSearching(state)
  const entries = added(state.entries, entryOfRead(read, directionOf(state), state.link !== 'reached'))
  const after = withView({ ...state, entries, searching, notice: null }, read.nonce)
  return state.link === 'reached' ? after : chimed(after, 'kept')
}

/**
 * What earlier pages have left is older than what this one has read. They know more of a scan than the station's server
 * recalls: whether anybody has seen what became of it.
 */
function restored(state: DeskState, left: readonly Entry[]): DeskState {
  const own = state.entries.filter(({ isRecalled }) => !isRecalled)
  const fresh = left.filter((entry) => !entryOf(own, entry.key))
  const nonces = new Set(fresh.map(({ read }) => read.nonce))
  const rest = state.entries.filter(({ isRecalled, read }) => isRecalled && !nonces.has(read.nonce))
  return { ...state, entries: trimmed([...own, ...inherited(fresh).toReversed(), ...rest]) }
}

/** What the station's server knows of earlier scans is older than what this page has. */
function recalled(state: DeskState, results: readonly ScanResult[]): DeskState {
  const known = new Set(state.entries.flatMap(({ read, result }) => [read.nonce, result?.nonce]))
  const earlier = results
    .filter(({ nonce }) => !known.has(nonce))
    .map((result) => ({ ...entryOfReport(result), isRecalled: true }))
  return { ...state, entries: trimmed([...state.entries, ...earlier]) }
}

/** Whether an answer may take the screen: it is the one awaited, or bad news from the same group. */
function takesScreen(state: DeskState, entry: Entry, verdict: ResultKind): boolean {
  if (state.view.key === entry.key) return true
  const viewed = entryOf(state.entries, state.view.key)
  const together =
    viewed !== undefined && entry.read.group !== undefined && viewed.read.group === entry.read.group
  return together && verdict !== 'ok' && (viewed.ask !== null || lookOf(viewed) === 'ok')
}

function judged(state: DeskState, key: string, result: ScanResult): DeskState {
  const asked = entryOf(state.entries, key)
  if (!asked) return state
  const first = state.entries.find((entry) => entry.key !== key && entry.result?.id === result.id)
  if (first) return seenAgain(state, key, first.key)
  const verdict = resultKind(result)
  const takes = takesScreen(state, asked, verdict)
  const unseen = !takes && verdict !== 'ok'
  const after = edited(state, key, (entry) => ({ ...entry, ask: null, failure: null, result, unseen }))
  return chimed(takes ? withView(after, key) : after, verdict)
}

/** The same physical scan, read a second time: its first entry stands for both. */
function seenAgain(state: DeskState, key: string, first: string): DeskState {
  const entries = state.entries.filter((entry) => entry.key !== key)
  return state.view.key === key ? withView({ ...state, entries }, first) : { ...state, entries }
}

function reported(state: DeskState, result: ScanResult): DeskState {
  const first = state.entries.find((entry) => entry.result?.id === result.id || entry.key === result.nonce)
  if (first?.result) return state.view.key === first.key ? state : withView(state, first.key)
  if (first) return judged(state, first.key, result)
  const entries = added(state.entries, entryOfReport(result))
  const after = { ...state, entries, searching: staysSearching(state), notice: null }
  return chimed(withView(after, result.id), resultKind(result))
}

function failed(state: DeskState, key: string, failure: string): DeskState {
  const unseen = state.view.key !== key
  const after = edited(state, key, (entry) => ({ ...entry, ask: null, failure, unseen }))
  return chimed(unseen ? after : withView(after, key), 'refused')
}

/** Back to what was known before it was asked for. */
const withheld = (state: DeskState, key: string): DeskState =>
  noticed(
    edited(state, key, (entry) => ({ ...entry, ask: null, asked: {} })),
    'withheld',
    '',
  )

function undone(state: DeskState, key: string): DeskState {
  const entry = entryOf(state.entries, key)
  if (!entry) return state
  const name = entry.result?.position?.attendee_name ?? entry.result?.position?.order ?? entry.read.code
  const after = chimed(
    edited(state, key, (each) => ({ ...each, undo: 'done' })),
    'undone',
  )
  const free = state.view.key === null || state.view.key === key
  return free ? withView(after, key) : noticed(after, 'undone', name)
}

function undoFailed(state: DeskState, key: string, detail: string): DeskState {
  const after = edited(state, key, (entry) => ({ ...entry, undo: 'none' }))
  return noticed(after, 'undo-failed', detail)
}

function asked(state: DeskState, key: string, ask: Supplement): DeskState {
  const after = edited(state, key, (entry) => asking(entry, ask))
  return withView(after, key)
}

function undoAsked(state: DeskState, key: string): DeskState {
  const after = opened(state, key)
  return { ...after, view: { ...after.view, asksUndo: true } }
}

function opened(state: DeskState, key: string): DeskState {
  const after = edited(state, key, (entry) => ({ ...entry, unseen: false }))
  return withView(after, key, true)
}

/** Guests are known at their own event alone. */
function loaded(state: DeskState, station: StationState): DeskState {
  const placeOf = (one: StationState | null) => [one?.settings?.organizer, one?.settings?.event].join('/')
  const guests = placeOf(station) === placeOf(state.station) ? state.guests : []
  return { ...state, station, link: 'reached', standstill: null, guests }
}

/** The screen after something has happened. Pure: moments, ids and answers come with the event. */
export function nextDesk(state: DeskState, event: DeskEvent): DeskState {
  switch (event.type) {
    case 'loaded':
      return loaded(state, event.station)
    case 'counted':
      return state.station ? { ...state, station: { ...state.station, counts: event.counts } } : state
    case 'plugged':
      return state.station ? { ...state, station: { ...state.station, scanners: event.scanners } } : state
    case 'linked':
      return linked(state, event.link, event.standstill)
    case 'restored':
      return restored(state, event.entries)
    case 'recalled':
      return recalled(state, event.results)
    case 'scanned':
      return scanned(state, event.read)
    case 'judged':
      return judged(state, event.key, event.result)
    case 'reported':
      return reported(state, event.result)
    case 'failed':
      return failed(state, event.key, event.detail)
    case 'asked':
      return asked(state, event.key, event.ask)
    case 'drafted':
      return edited(state, event.key, (entry) => ({
        ...entry,
        drafts: { ...entry.drafts, [event.question]: event.text },
      }))
    case 'passed':
      return event.turn === state.view.turn && movesOn(state) ? withView(state, null) : state
    case 'closed':
      return withView(state, null)
    case 'opened':
      return opened(state, event.key)
    case 'undo-asked':
      return undoAsked(state, event.key)
    case 'undoing':
      return edited(state, event.key, (entry) => ({ ...entry, undo: 'running' }))
    case 'withheld':
      return withheld(state, event.key)
    case 'undone':
      return undone(state, event.key)
    case 'undo-failed':
      return undoFailed(state, event.key, event.detail)
    case 'searching':
    case 'guest-opened':
    case 'guest-closed':
    case 'setting-up':
    case 'at-station':
    case 'at-statistics':
      return nextPage(state, event)
    case 'noticed':
      return noticed(state, event.kind, event.text)
    case 'notice-over':
      return state.notice?.turn === event.turn ? { ...state, notice: null } : state
    default:
      return event satisfies never
  }
}
