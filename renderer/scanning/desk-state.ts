import type { ScanResult } from '../../schema/bodies/scan-result.ts'
import type { Direction } from '../../schema/bodies/station.ts'
import type { Counts, Scanner, StationState } from '../../schema/bodies/station-state.ts'
import {
  type Ask,
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
  trimmed,
} from './entries.ts'
import { type ResultKind, resultKind } from './result-kind.ts'

/** Whether the station's own server answers: it does, it does not, or it does not know this window. */
export type Link = 'starting' | 'reached' | 'lost' | 'denied'

/** What a sound says. */
export type Tone = ResultKind | 'kept' | 'undone' | 'alert'

/** What fills the screen: the entry of that key, or nothing. */
export interface View {
  readonly key: string | null
  /** Opened by hand: it does not move on by itself. */
  readonly stays: boolean
  /** Counts up with every change, so that a late "move on" is recognised. */
  readonly turn: number
}

/** A short message that goes away by itself. */
export interface Notice {
  readonly kind: 'undone' | 'undo-failed' | 'not-set-up' | 'settings-failed'
  readonly text: string
  readonly turn: number
}

/** All that the entrance screen knows. */
export interface DeskState {
  readonly link: Link
  readonly station: StationState | null
  /** Newest first. */
  readonly entries: readonly Entry[]
  readonly view: View
  readonly searching: boolean
  readonly settingUp: boolean
  /** The page about this station and its upstream server is open. */
  readonly atStation: boolean
  readonly notice: Notice | null
  readonly chime: { readonly tone: Tone; readonly turn: number } | null
}

/** All that can happen to the entrance screen. */
export type DeskEvent =
  | { readonly type: 'loaded'; readonly station: StationState }
  | { readonly type: 'counted'; readonly counts: Counts }
  | { readonly type: 'plugged'; readonly scanners: readonly Scanner[] }
  | { readonly type: 'linked'; readonly link: Exclude<Link, 'starting'> }
  | { readonly type: 'restored'; readonly entries: readonly Entry[] }
  | { readonly type: 'scanned'; readonly read: Read }
  | { readonly type: 'judged'; readonly key: string; readonly result: ScanResult }
  | { readonly type: 'reported'; readonly result: ScanResult }
  | { readonly type: 'failed'; readonly key: string; readonly detail: string }
  | { readonly type: 'asked'; readonly key: string; readonly ask: Ask }
  | { readonly type: 'drafted'; readonly key: string; readonly question: number; readonly text: string }
  | { readonly type: 'passed'; readonly turn: number }
  | { readonly type: 'closed' }
  | { readonly type: 'opened'; readonly key: string }
  | { readonly type: 'undoing'; readonly key: string }
  | { readonly type: 'undone'; readonly key: string }
  | { readonly type: 'undo-failed'; readonly key: string; readonly detail: string }
  | { readonly type: 'searching'; readonly open: boolean }
  | { readonly type: 'setting-up'; readonly open: boolean }
  | { readonly type: 'at-station'; readonly open: boolean }
  | { readonly type: 'noticed'; readonly kind: Notice['kind']; readonly text: string }
  | { readonly type: 'notice-over'; readonly turn: number }

/** The screen before anything is known. */
export const initialDesk: DeskState = {
  link: 'starting',
  station: null,
  entries: [],
  view: { key: null, stays: false, turn: 0 },
  searching: false,
  settingUp: false,
  atStation: false,
  notice: null,
  chime: null,
}

/** The direction that scans are made in. */
export const directionOf = (state: DeskState): Direction => state.station?.settings?.direction ?? 'entry'

const shown = (state: DeskState, key: string | null, stays = false): DeskState => ({
  ...state,
  view: { key, stays, turn: state.view.turn + 1 },
})

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

function linked(state: DeskState, link: Link): DeskState {
  if (state.link === link) return state
  return { ...state, link, entries: link === 'reached' ? state.entries : delayed(state.entries) }
}

function scanned(state: DeskState, read: Read): DeskState {
  if (!state.station?.ready) return noticed(state, 'not-set-up', '')
  const searching = state.searching && read.source === 'hand'
  const entries = added(state.entries, entryOfRead(read, directionOf(state), state.link !== 'reached'))
  const after = shown({ ...state, entries, searching, notice: null }, read.nonce)
  return state.link === 'reached' ? after : chimed(after, 'kept')
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
  const nextDesk = edited(state, key, (entry) => ({ ...entry, ask: null, failure: null, result, unseen }))
  return chimed(takes ? shown(nextDesk, key) : nextDesk, verdict)
}

/** The same physical scan, read a second time: its first entry stands for both. */
function seenAgain(state: DeskState, key: string, first: string): DeskState {
  const entries = state.entries.filter((entry) => entry.key !== key)
  return state.view.key === key ? shown({ ...state, entries }, first) : { ...state, entries }
}

function reported(state: DeskState, result: ScanResult): DeskState {
  const first = state.entries.find((entry) => entry.result?.id === result.id || entry.key === result.nonce)
  if (first?.result) return state.view.key === first.key ? state : shown(state, first.key)
  if (first) return judged(state, first.key, result)
  const entries = added(state.entries, entryOfReport(result))
  return chimed(shown({ ...state, entries, searching: false, notice: null }, result.id), resultKind(result))
}

function failed(state: DeskState, key: string, failure: string): DeskState {
  const unseen = state.view.key !== key
  const nextDesk = edited(state, key, (entry) => ({ ...entry, ask: null, failure, unseen }))
  return chimed(unseen ? nextDesk : shown(nextDesk, key), 'refused')
}

function undone(state: DeskState, key: string): DeskState {
  const entry = entryOf(state.entries, key)
  if (!entry) return state
  const name = entry.result?.position?.attendee_name ?? entry.result?.position?.order ?? entry.read.code
  const nextDesk = chimed(
    edited(state, key, (each) => ({ ...each, undo: 'done' })),
    'undone',
  )
  const free = state.view.key === null || state.view.key === key
  return free ? shown(nextDesk, key) : noticed(nextDesk, 'undone', name)
}

/** Whether what fills the screen goes away by itself after a moment. */
export function movesOn(state: DeskState): boolean {
  const entry = entryOf(state.entries, state.view.key)
  if (!entry || state.view.stays || state.link !== 'reached') return false
  const look = lookOf(entry)
  return look === 'ok' || look === 'undone'
}

/** The screen after something has happened. Pure: moments, ids and answers come with the event. */
export function nextDesk(state: DeskState, event: DeskEvent): DeskState {
  switch (event.type) {
    case 'loaded':
      return { ...state, station: event.station, link: 'reached' }
    case 'counted':
      return state.station ? { ...state, station: { ...state.station, counts: event.counts } } : state
    case 'plugged':
      return state.station ? { ...state, station: { ...state.station, scanners: event.scanners } } : state
    case 'linked':
      return linked(state, event.link)
    case 'restored':
      return { ...state, entries: inherited(event.entries).reduce(added, state.entries) }
    case 'scanned':
      return scanned(state, event.read)
    case 'judged':
      return judged(state, event.key, event.result)
    case 'reported':
      return reported(state, event.result)
    case 'failed':
      return failed(state, event.key, event.detail)
    case 'asked':
      return shown(
        edited(state, event.key, (entry) => asking(entry, event.ask)),
        event.key,
      )
    case 'drafted':
      return edited(state, event.key, (entry) => ({
        ...entry,
        drafts: { ...entry.drafts, [event.question]: event.text },
      }))
    case 'passed':
      return event.turn === state.view.turn && movesOn(state) ? shown(state, null) : state
    case 'closed':
      return shown(state, null)
    case 'opened':
      return shown(
        edited(state, event.key, (entry) => ({ ...entry, unseen: false })),
        event.key,
        true,
      )
    case 'undoing':
      return edited(state, event.key, (entry) => ({ ...entry, undo: 'running' }))
    case 'undone':
      return undone(state, event.key)
    case 'undo-failed':
      return noticed(
        edited(state, event.key, (entry) => ({ ...entry, undo: 'none' })),
        'undo-failed',
        event.detail,
      )
    case 'searching':
      return event.open ? shown({ ...state, searching: true }, null) : { ...state, searching: false }
    case 'setting-up':
      return event.open ? shown({ ...state, settingUp: true }, null) : { ...state, settingUp: false }
    case 'at-station':
      return event.open ? shown({ ...state, atStation: true }, null) : { ...state, atStation: false }
    case 'noticed':
      return noticed(state, event.kind, event.text)
    case 'notice-over':
      return state.notice?.turn === event.turn ? { ...state, notice: null } : state
    default:
      return event satisfies never
  }
}
