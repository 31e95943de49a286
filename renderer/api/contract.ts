import type { Multilingual } from '../../schema/multilingual.ts'

/** What the station's server says and takes, as the screens see it. Names are the wire's own. */

/** Which way people go through this gate. */
export type Direction = 'entry' | 'exit'

/** How a code came in. */
export type Source = 'hid' | 'keyboard' | 'camera' | 'hand'

/** Why a ticket is refused. */
export type Reason =
  | 'canceled'
  | 'invalid'
  | 'unpaid'
  | 'product'
  | 'rules'
  | 'revoked'
  | 'already_redeemed'
  | 'ambiguous'
  | 'blocked'
  | 'invalid_time'
  | 'unapproved'
  | 'error'

/** How many came, how many could, how many are in there now. */
export interface Counts {
  readonly checkin_count: number
  readonly position_count: number
  readonly inside_count: number
}

/** A scanner that the station knows. */
export interface Scanner {
  readonly name: string
  readonly connected: boolean
}

/** What the station was set up for. */
export interface Settings {
  readonly organizer: string
  readonly event: string
  readonly event_name: string
  readonly list: number
  readonly list_name: string
  readonly direction: Direction
  readonly gate: number | null
  readonly gate_name: string | null
  readonly sound: boolean
  readonly camera: boolean
  readonly locale: string
  readonly name: string
  readonly timezone: string
  readonly ask_unpaid: boolean
}

/** The station as a whole: set up or not, for what, and what is going on. */
export interface StationState {
  readonly ready: boolean
  readonly version: string
  readonly settings: Settings | null
  readonly counts: Counts | null
  readonly scanners: readonly Scanner[]
}

/** What a change of settings sends. */
export interface SettingsInput {
  readonly organizer: string
  readonly event: string
  readonly list: number
  readonly direction: Direction
  readonly gate: number | null
  readonly sound?: boolean
  readonly camera?: boolean
  readonly locale?: string
  readonly name?: string
}

/** A check-in list that can be chosen. */
export interface ListChoice {
  readonly id: number
  readonly name: string
  readonly subevent: number | null
  readonly subevent_name: Multilingual | null
}

/** An event that can be chosen. */
export interface EventChoice {
  readonly slug: string
  readonly name: Multilingual
  readonly date_from: string
  readonly timezone: string
  readonly lists: readonly ListChoice[]
}

/** An organizer with its events and gates. */
export interface OrganizerChoice {
  readonly slug: string
  readonly name: string
  readonly events: readonly EventChoice[]
  readonly gates: readonly { readonly id: number; readonly name: string }[]
}

/** Everything the station may be set up for. */
export interface Choices {
  readonly organizers: readonly OrganizerChoice[]
}

/** How far the making of the demo event has come. */
export interface DemoProgress {
  readonly state: 'none' | 'running' | 'done' | 'failed'
  readonly done: number
  readonly total: number
  readonly message: string | null
}

/** The kinds of questions. */
export type QuestionType = 'N' | 'S' | 'T' | 'B' | 'C' | 'M' | 'F' | 'D' | 'H' | 'W' | 'CC' | 'TEL'

/** One answer of a choice. */
export interface QuestionOption {
  readonly id: number
  readonly identifier: string
  readonly position: number
  readonly answer: Multilingual
}

/** A question that is asked at entry. */
export interface Question {
  readonly id: number
  readonly question: Multilingual
  readonly help_text: Multilingual | null
  readonly type: QuestionType
  readonly required: boolean
  readonly position: number
  readonly options: readonly QuestionOption[]
  readonly valid_number_min?: string | null
  readonly valid_number_max?: string | null
  readonly valid_date_min?: string | null
  readonly valid_date_max?: string | null
  readonly valid_datetime_min?: string | null
  readonly valid_datetime_max?: string | null
  readonly valid_string_length_max?: number | null
}

/** An earlier pass of a ticket on this list. */
export interface Pass {
  readonly datetime: string
  readonly type: Direction
  readonly gate: string | null
  readonly device: string | null
  readonly auto_checked_in: boolean
}

/** The ticket that a scan found. */
export interface ScannedPosition {
  readonly id: number
  readonly order: string
  readonly positionid: number
  readonly attendee_name: string | null
  readonly item_name: Multilingual
  readonly variation_name: Multilingual | null
  readonly subevent_name: Multilingual | null
  readonly seat: { readonly name: string } | null
  readonly secret: string
  readonly addons: readonly {
    readonly item_name: Multilingual
    readonly variation_name: Multilingual | null
  }[]
  readonly order_status: string
  readonly checkins: readonly Pass[]
}

/** A ticket that was judged by its signature because its order is not known here: nobody's name, and no order. */
export interface SignedTicket {
  readonly item_name: Multilingual
  readonly variation_name: Multilingual | null
  readonly subevent_name: Multilingual | null
  readonly valid_from: string | null
  readonly valid_until: string | null
  readonly checkins: readonly Pass[]
}

/** What the station says about a scan. */
export interface ScanResult {
  readonly id: string
  readonly nonce: string
  readonly repeated: boolean
  readonly source: Source
  readonly code: string
  readonly at: string
  readonly type: Direction
  readonly status: 'ok' | 'incomplete' | 'error'
  readonly reason: Reason | null
  readonly reason_explanation: string | null
  readonly require_attention: boolean
  readonly checkin_texts: readonly string[]
  readonly list: { readonly id: number; readonly name: string } | null
  readonly can_ignore_unpaid: boolean
  readonly position: ScannedPosition | null
  /** Instead of the position, where a signature is all that is known. */
  readonly signed?: SignedTicket
  readonly questions: readonly Question[]
  readonly can_undo: boolean
  /** Decided by this station alone, while there is an upstream server that could not confirm it. */
  readonly offline?: boolean
  /** The upstream server has confirmed it. */
  readonly confirmed?: boolean
}

/** A scan as it is sent. */
export interface ScanInput {
  readonly code: string
  readonly source: Source
  readonly symbology?: string
  readonly type: Direction
  readonly answers?: Readonly<Record<string, string>>
  readonly ignore_unpaid?: boolean
  readonly nonce: string
  /** When it was read, for a scan that could not be sent at once. */
  readonly datetime?: string
}

/** A ticket that a search found. */
export interface FoundPosition {
  readonly id: number
  readonly order: string
  readonly order__status: string
  readonly positionid: number
  readonly item: { readonly name: Multilingual } | number
  readonly variation: { readonly value: Multilingual } | number | null
  readonly attendee_name: string | null
  readonly attendee_email: string | null
  readonly secret: string
  readonly seat: { readonly name: string } | null
  readonly blocked?: unknown
  readonly checkins: readonly {
    readonly list: number
    readonly type: Direction
    readonly datetime: string
  }[]
}

/** What a search found, one page of it. */
export interface Found {
  readonly count: number
  readonly results: readonly FoundPosition[]
}
