import type { Permission } from '../../../schema/permissions.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { Reading } from '../../storage/reading.ts'
import type { Sheet } from './table.ts'

/** Where an exporter is offered. */
export type Level = 'event' | 'organizer'

/** What an exporter can be asked for. */
export type Parameter = { readonly name: string; readonly required?: boolean } & (
  | { readonly kind: 'flag' }
  /** One of some words; those that depend on the event come from `wordsOf`. */
  | {
      readonly kind: 'word'
      readonly words: readonly string[]
      readonly wordsOf?: (event: EventFacts) => readonly string[]
    }
  /** Any of some words; `usual` where nothing is said. */
  | { readonly kind: 'words'; readonly words: readonly string[]; readonly usual: readonly string[] }
  /** A day, or with `moment` a moment as well. */
  | { readonly kind: 'day'; readonly moment?: boolean; readonly dates?: boolean }
  /** The id of a row of the event. */
  | { readonly kind: 'row'; readonly table: 'checkin_list' }
  | { readonly kind: 'rows'; readonly table: 'question' }
)

/** What was asked for, checked: flags, words, ids, days as `YYYY-MM-DD` and moments as they are stored. */
export type Wishes = Readonly<Record<string, unknown>>

/** What an export works with. */
export interface Run {
  readonly db: Reading
  readonly level: Level
  readonly organizer: { readonly id: number; readonly slug: string }
  readonly events: readonly EventFacts[]
  readonly wishes: Wishes
  /** When it was asked for. */
  readonly now: string
  /** The scheme, host and port by which it was asked for. */
  readonly origin: string
  readonly permissions: ReadonlySet<Permission>
  /** The language of what belongs to no event. */
  readonly locale: string
  /** Says that so many more of what is to be done are expected, or done. */
  readonly expect: (count: number) => void
  readonly advance: (count: number) => void
}

/** One table of an exporter. */
export interface SheetPlan {
  readonly name: string
  open(run: Run): Promise<Sheet>
}

/** What an exporter writes: tables in one of the formats for them, or a file in a format of its own. */
type Output =
  | { readonly kind: 'tables'; readonly sheets: readonly SheetPlan[] }
  | {
      readonly kind: 'file'
      readonly extension: string
      readonly type: string
      /** Loads what writes it, which most exports do without. */
      load(): Promise<(run: Run) => AsyncIterable<Uint8Array>>
    }

/** A way to get much data at once. */
export interface Exporter {
  readonly identifier: string
  readonly name: string
  readonly levels: readonly Level[]
  /** What the caller needs beside seeing the orders of the events; null: nothing. */
  readonly needs: Permission | null
  /** Whether it is about the organizer alone, whatever its events. */
  readonly withoutEvents?: boolean
  /** Whether it is used by something else, and not by those who export. */
  readonly isUnlisted?: boolean
  readonly parameters: readonly Parameter[]
  readonly output: Output
}

/** Why an export cannot be made, in words for whoever asked for it. */
export class NothingToExport extends Error {}
