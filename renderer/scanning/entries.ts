import type { ScanResult } from '../../schema/bodies/scan-result.ts'
import type { Direction, ScanInput, ScanSource } from '../../schema/bodies/station.ts'
import { type ResultKind, resultKind } from './result-kind.ts'

/** A code that was read at this page: by a keyboard scanner, by the camera, or admitted by hand. */
export interface Read {
  /** Made once per physical scan and sent with every attempt, so that a repeated request is the same scan. */
  readonly nonce: string
  /** When it was read: ISO 8601. */
  readonly at: string
  readonly code: string
  readonly source: ScanSource
  readonly symbology?: string
  /** Keys arrived that no keyboard layout makes: the scanner may be set to another language. */
  readonly garbled?: boolean
  /** The ticket itself, where it was chosen by name: its code may not be the only one of its kind. */
  readonly position?: number
  /** Shared by tickets that were admitted by hand with one press. */
  readonly group?: string
}

/** What is still to be asked of the server about a scan. */
export type Supplement = Pick<ScanInput, 'answers' | 'ignore_unpaid'>

/** How far the undoing of an admission has come. */
type Undo = 'none' | 'running' | 'done'

/** One scan and all that became of it. */
export interface Entry {
  readonly key: string
  readonly read: Read
  readonly direction: Direction
  /** It was read while the server was gone, so that its own time counts. */
  readonly late: boolean
  /** What waits to be sent, or null when nothing does. */
  readonly ask: Supplement | null
  /** All that was asked so far: what was waived stays waived when answers follow. */
  readonly asked: Supplement
  readonly result: ScanResult | null
  /** Why the server could not judge it: its own words, or empty. */
  readonly failure: string | null
  readonly drafts: Readonly<Record<string, string>>
  readonly undo: Undo
  /** Answered with something that matters while another scan filled the screen. */
  readonly unseen: boolean
  /** Made before this page was opened. */
  readonly isRecalled: boolean
}

/** What an entry shows: its verdict, or what else it is. */
export type Look = ResultKind | 'waiting' | 'failed' | 'undone'

/** What an entry shows at this moment. */
export function lookOf(entry: Entry): Look {
  if (entry.ask !== null) return 'waiting'
  if (entry.undo === 'done') return 'undone'
  if (entry.failure !== null || entry.result === null) return 'failed'
  return resultKind(entry.result)
}

/** How many answered scans are remembered. */
export const remembered = 20

/** A scan made at this page that is still to be judged. */
export const entryOfRead = (read: Read, direction: Direction, late = false): Entry => ({
  key: read.nonce,
  read,
  direction,
  late,
  ask: {},
  asked: {},
  result: null,
  failure: null,
  drafts: {},
  undo: 'none',
  unseen: false,
  isRecalled: false,
})

/** A scan that the station's own scanner made and the server has judged already. */
export const entryOfReport = (result: ScanResult): Entry => ({
  ...entryOfRead(
    { nonce: result.nonce, at: result.at, code: result.code, source: result.source },
    result.type,
  ),
  key: result.id,
  ask: null,
  result,
})

/** The request that an entry waits to send. */
export const requestOf = (entry: Entry): ScanInput => ({
  code: entry.read.code,
  source: entry.read.source,
  ...(entry.read.symbology === undefined ? {} : { symbology: entry.read.symbology }),
  ...(entry.read.position === undefined ? {} : { position: entry.read.position }),
  type: entry.direction,
  ...entry.ask,
  nonce: entry.result?.nonce ?? entry.read.nonce,
  ...(entry.late ? { datetime: entry.read.at } : {}),
})

/** The entry with one more thing to ask. */
export function asking(entry: Entry, more: Supplement): Entry {
  const asked = { ...entry.asked, ...more }
  return { ...entry, ask: asked, asked, failure: null }
}

/** The entries with a new one in front. */
export const added = (entries: readonly Entry[], entry: Entry): readonly Entry[] =>
  trimmed([entry, ...entries])

/** The entries after the server went away: what was not answered yet will come late. */
export const delayed = (entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => (entry.ask !== null && entry.result === null ? { ...entry, late: true } : entry))

/** The entries without the oldest answered ones; those still to be sent are never let go. */
export function trimmed(entries: readonly Entry[]): readonly Entry[] {
  let answered = 0
  return entries.filter((each) => each.ask !== null || ++answered <= remembered)
}

/** The entries with one of them changed. */
export const changed = (
  entries: readonly Entry[],
  key: string,
  change: (entry: Entry) => Entry,
): readonly Entry[] => entries.map((entry) => (entry.key === key ? change(entry) : entry))

/** The entry of that key. */
export const entryOf = (entries: readonly Entry[], key: string | null): Entry | undefined =>
  entries.find((entry) => entry.key === key)

/** Scans that still have to be sent, oldest first. */
export const waiting = (entries: readonly Entry[]): readonly Entry[] =>
  entries.filter((entry) => entry.ask !== null).toReversed()

/**
 * What the next page in this window has to know, oldest first: scans that still have to be sent; and, until another one
 * is made, those that waited for the server. They may have been answered just before the window was led to the server
 * that is back, and then nobody has seen what became of them.
 */
export function outlasting(entries: readonly Entry[]): readonly Entry[] {
  const since = entries.findIndex((entry) => !entry.late)
  const last = since < 0 ? entries.length : since
  return entries
    .filter((entry, index) => entry.ask !== null || (index < last && entry.undo === 'none'))
    .toReversed()
}

/** What the page before has left, as this one has it: bad news that was perhaps shown for a moment only is marked. */
export const inherited = (left: readonly Entry[]): readonly Entry[] =>
  delayed(left).map((entry) =>
    entry.ask === null && lookOf(entry) !== 'ok' ? { ...entry, unseen: true } : entry,
  )

/** The latest admission that can be taken back. */
export const undoable = (entries: readonly Entry[]): Entry | undefined =>
  entries.find((entry) => entry.undo === 'none' && entry.result?.status === 'ok' && entry.result.can_undo)

/** How many of the tickets admitted with one press are in, and how many there were. */
export function groupCount(
  entries: readonly Entry[],
  group: string,
): { readonly done: number; readonly of: number } {
  const members = entries.filter((entry) => entry.read.group === group)
  return { done: members.filter((entry) => entry.result?.status === 'ok').length, of: members.length }
}
