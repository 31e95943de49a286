import type {
  KioskFound,
  KioskOffer,
  KioskPrints,
  KioskResult,
  NamePart,
  ShownKiosk,
} from '../../schema/bodies/kiosk.ts'
import type { Language } from '../../schema/texts/translate.ts'
import type { GuestCheckin } from '../api/kiosk-api.ts'

/** By what a guest looks for their ticket. */
export type FindWay = 'order' | 'email'

/** What a guest has typed to find their ticket. */
export interface FindFields {
  readonly order: string
  readonly last_name: string
  readonly email: string
}

/** Why a guest was sent to the staff. */
export interface GuestRefusal {
  readonly reason: string
  /** What staff know it by; empty where there is none. */
  readonly code: string
}

/** The parts of a name as a guest has typed them. */
export type TypedName = Readonly<Partial<Record<NamePart['part'], string>>>

/** What a guest is at. */
export type Stage =
  | { readonly name: 'welcome' }
  | { readonly name: 'find'; readonly way: FindWay; readonly trouble: '' | 'none' | 'missing' | 'offline' }
  | { readonly name: 'searching'; readonly way: FindWay }
  | { readonly name: 'offer' }
  | { readonly name: 'deciding'; readonly guest: GuestCheckin }
  | { readonly name: 'asking'; readonly guest: GuestCheckin; readonly result: KioskResult }
  | {
      readonly name: 'naming'
      readonly result: KioskResult
      readonly typed: TypedName | null
      readonly isTried: boolean
    }
  | { readonly name: 'named'; readonly result: KioskResult; readonly typed: TypedName | null }
  | { readonly name: 'done'; readonly result: KioskResult; readonly prints: KioskPrints | null }
  | { readonly name: 'refused'; readonly refusal: GuestRefusal }
  | { readonly name: 'busy'; readonly wait: number }
  | { readonly name: 'staff'; readonly trouble: '' | 'wrong' | 'wait' }

/** All that the screen of a kiosk knows. What a guest has said is gone when it starts over. */
export interface KioskState {
  readonly facts: ShownKiosk | null
  readonly stage: Stage
  readonly sought: FindFields
  /** The tickets that are still offered to a guest who has proved whose order it is. */
  readonly offers: {
    readonly visit: string
    readonly list: readonly KioskOffer[]
    readonly at: number
  } | null
  readonly step: number
  readonly drafts: Readonly<Record<string, string>>
  /** Whether the draft was to be the answer, so that what is wrong with it is said. */
  readonly isTried: boolean
  readonly language: Language | null
  /** Nobody has touched anything for a while, and it is asked whether somebody is there. */
  readonly isIdle: boolean
  /** Counts up with every sign of life, so that a late timer is recognised. */
  readonly turn: number
}

/** All that can happen to the screen of a kiosk. */
export type KioskEvent =
  | { readonly type: 'loaded'; readonly facts: ShownKiosk }
  | { readonly type: 'scanned'; readonly guest: GuestCheckin }
  | { readonly type: 'finding'; readonly way: FindWay }
  | { readonly type: 'typed'; readonly field: keyof FindFields; readonly text: string }
  | { readonly type: 'sought' }
  | { readonly type: 'found'; readonly found: KioskFound }
  | { readonly type: 'taken'; readonly nonce: string }
  | { readonly type: 'skipped' }
  | { readonly type: 'judged'; readonly result: KioskResult }
  | { readonly type: 'not-judged' }
  | { readonly type: 'name-opened' }
  | { readonly type: 'name-typed'; readonly part: NamePart['part']; readonly text: string }
  | { readonly type: 'name-said' }
  | { readonly type: 'print-ordered'; readonly prints: KioskPrints | null }
  | { readonly type: 'printed'; readonly nonce: string; readonly prints: KioskPrints }
  | { readonly type: 'drafted'; readonly question: number; readonly text: string }
  | { readonly type: 'answered'; readonly question: number; readonly text: string; readonly isGood: boolean }
  | { readonly type: 'declined' }
  | { readonly type: 'stepped-back' }
  | { readonly type: 'spoken'; readonly language: Language }
  | { readonly type: 'touched' }
  | { readonly type: 'idle'; readonly turn: number }
  | { readonly type: 'over'; readonly turn: number }
  | { readonly type: 'read' }
  | { readonly type: 'restarted' }
  | { readonly type: 'staff-called' }
  | { readonly type: 'pin-refused'; readonly trouble: 'wrong' | 'wait' }

const nothingSought: FindFields = { order: '', last_name: '', email: '' }

/** The screen before anything is known. */
export const initialKiosk: KioskState = {
  facts: null,
  stage: { name: 'welcome' },
  sought: nothingSought,
  offers: null,
  step: 0,
  drafts: {},
  isTried: false,
  language: null,
  isIdle: false,
  turn: 0,
}

/** The kiosk as it waits for the next guest, who is told nothing of the one before. */
export const startedOver = ({ facts, turn }: KioskState): KioskState => ({
  ...initialKiosk,
  facts,
  turn: turn + 1,
})

/** The same after a sign of life. */
export const alive = (state: KioskState): KioskState => ({ ...state, isIdle: false, turn: state.turn + 1 })

/** The same at another stage. */
export const at = (state: KioskState, stage: Stage): KioskState => alive({ ...state, stage })

/** Whether a guest waits for what is printed for them. */
export const isPrinting = (prints: KioskPrints | null): boolean =>
  prints?.results.some(({ state }) => state === 'printing') ?? false

/** Whether the desk has to help, which knows the ticket by a code. */
export const needsDesk = (prints: KioskPrints | null): boolean =>
  !isPrinting(prints) &&
  (prints?.results.some(({ state }) => state === 'failed' || state === 'earlier') ?? false)

/** So many seconds a guest waits for a printer of which nobody says any more how it is. */
const longestPrint = 60

/** Which timer runs: until it is asked whether somebody is there, or until the kiosk starts over; in seconds. */
export function timerOf({
  stage,
  facts,
  isIdle,
}: KioskState): { readonly type: 'idle' | 'over'; readonly seconds: number } | null {
  const { idle = 30, warning = 10, done = 3 } = facts ?? {}
  switch (stage.name) {
    case 'welcome':
    case 'searching':
    case 'deciding':
    case 'named':
      return null
    case 'done': {
      const { prints } = stage
      return { type: 'over', seconds: isPrinting(prints) ? longestPrint : needsDesk(prints) ? idle : done }
    }
    case 'busy':
      return { type: 'over', seconds: Math.max(1, stage.wait) }
    case 'refused':
      return { type: 'over', seconds: warning }
    default:
      return isIdle ? { type: 'over', seconds: warning } : { type: 'idle', seconds: idle }
  }
}
