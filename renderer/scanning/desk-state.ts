import type { ScanResult } from '../../schema/bodies/scan-result.ts'
import type { Direction } from '../../schema/bodies/station.ts'
import type { Counts, Scanner, StationState } from '../../schema/bodies/station-state.ts'
import type { Standstill } from '../../schema/updates/standstill.ts'
import { type Entry, entryOf, lookOf, type Read, type Supplement } from './entries.ts'
import type { ResultKind } from './result-kind.ts'

/** Whether the station's own server answers: it does, it does not, or it does not know this window. */
export type DeskLink = 'starting' | 'reached' | 'lost' | 'denied'

/** What a sound says. */
export type Tone = ResultKind | 'kept' | 'undone' | 'alert'

/** What fills the screen: the entry of that key, or nothing. */
interface View {
  readonly key: string | null
  /** Opened by hand: it does not move on by itself. */
  readonly stays: boolean
  /** It is asked whether this admission is to be taken back. */
  readonly asksUndo: boolean
  /** Counts up with every change, so that a late "move on" is recognised. */
  readonly turn: number
}

/** A short message that goes away by itself. */
export interface Notice {
  readonly kind: 'undone' | 'undo-failed' | 'not-set-up' | 'not-ready' | 'settings-failed' | 'withheld'
  readonly text: string
  readonly turn: number
}

/** The page of a guest that is open, by one of their tickets. */
interface OpenGuest {
  readonly position: number
  /** The entry that filled the screen when it was opened, and does so again when it is left. */
  readonly from: string | null
}

/** All that the entrance screen knows. */
export interface DeskState {
  readonly link: DeskLink
  /** Why the server does not work, where it is lost and says so. */
  readonly standstill: Standstill | null
  readonly station: StationState | null
  /** Newest first. */
  readonly entries: readonly Entry[]
  readonly view: View
  readonly searching: boolean
  /** The pages of guests that are open, each over the one before. */
  readonly guests: readonly OpenGuest[]
  readonly settingUp: boolean
  /** The page about this station and its upstream server is open. */
  readonly atStation: boolean
  /** The page with the numbers of the list is open. */
  readonly atStatistics: boolean
  readonly notice: Notice | null
  readonly chime: { readonly tone: Tone; readonly turn: number } | null
}

/** All that can happen to the entrance screen. */
export type DeskEvent =
  | { readonly type: 'loaded'; readonly station: StationState }
  | { readonly type: 'counted'; readonly counts: Counts }
  | { readonly type: 'plugged'; readonly scanners: readonly Scanner[] }
  | {
      readonly type: 'linked'
      readonly link: Exclude<DeskLink, 'starting'>
      readonly standstill?: Standstill
    }
  | { readonly type: 'restored'; readonly entries: readonly Entry[] }
  /** What was scanned at this station before the page was opened, newest first. */
  | { readonly type: 'recalled'; readonly results: readonly ScanResult[] }
  | { readonly type: 'scanned'; readonly read: Read }
  | { readonly type: 'judged'; readonly key: string; readonly result: ScanResult }
  | { readonly type: 'reported'; readonly result: ScanResult }
  | { readonly type: 'failed'; readonly key: string; readonly detail: string }
  /** Nobody who may has allowed what was asked for. */
  | { readonly type: 'withheld'; readonly key: string }
  | { readonly type: 'asked'; readonly key: string; readonly ask: Supplement }
  | { readonly type: 'drafted'; readonly key: string; readonly question: number; readonly text: string }
  | { readonly type: 'passed'; readonly turn: number }
  | { readonly type: 'closed' }
  | { readonly type: 'opened'; readonly key: string }
  | { readonly type: 'undo-asked'; readonly key: string }
  | { readonly type: 'undoing'; readonly key: string }
  | { readonly type: 'undone'; readonly key: string }
  | { readonly type: 'undo-failed'; readonly key: string; readonly detail: string }
  | { readonly type: 'searching'; readonly open: boolean }
  | { readonly type: 'guest-opened'; readonly position: number }
  | { readonly type: 'guest-closed' }
  | { readonly type: 'setting-up'; readonly open: boolean }
  | { readonly type: 'at-station'; readonly open: boolean }
  | { readonly type: 'at-statistics'; readonly open: boolean }
  | { readonly type: 'noticed'; readonly kind: Notice['kind']; readonly text: string }
  | { readonly type: 'notice-over'; readonly turn: number }

/** The screen before anything is known. */
export const initialDesk: DeskState = {
  link: 'starting',
  standstill: null,
  station: null,
  entries: [],
  view: { key: null, stays: false, asksUndo: false, turn: 0 },
  searching: false,
  guests: [],
  settingUp: false,
  atStation: false,
  atStatistics: false,
  notice: null,
  chime: null,
}

/** The direction that scans are made in. */
export const directionOf = (state: DeskState): Direction => state.station?.settings?.direction ?? 'entry'

/** Whether what fills the screen goes away by itself after a moment. */
export function movesOn(state: DeskState): boolean {
  const entry = entryOf(state.entries, state.view.key)
  if (!entry || state.view.stays || state.link !== 'reached') return false
  const look = lookOf(entry)
  return look === 'ok' || look === 'undone'
}
