import type { KioskFound } from '../../schema/bodies/kiosk.ts'
import { isLanguage, type Language, languageOf } from '../../schema/texts/translate.ts'
import { allAnswers, inOrder } from '../questions/answers.ts'
import {
  alive,
  at,
  isPrinting,
  type KioskEvent,
  type KioskState,
  type Stage,
  startedOver,
} from './kiosk-state.ts'
import { nextName, saidName } from './next-name.ts'

type Event<Type extends KioskEvent['type']> = Extract<KioskEvent, { readonly type: Type }>

/** The kiosk after an event. What does not fit the state, such as a late answer, changes nothing. */
export function nextKiosk(state: KioskState, event: KioskEvent): KioskState {
  const { stage } = state
  switch (event.type) {
    case 'loaded':
      return { ...state, facts: event.facts }
    case 'scanned':
      return interrupts(stage)
        ? at({ ...startedOver(state), language: state.language }, { name: 'deciding', guest: event.guest })
        : state
    case 'finding': {
      const { wait = 0 } = state.facts ?? {}
      return at(state, wait > 0 ? { name: 'busy', wait } : { name: 'find', way: event.way, trouble: '' })
    }
    case 'typed':
      return alive({ ...state, sought: { ...state.sought, [event.field]: event.text } })
    case 'sought':
      return sought(state)
    case 'found':
      return stage.name === 'searching' ? found(state, stage, event.found) : state
    case 'taken':
      return taken(state, event.nonce)
    case 'skipped':
      return stage.name === 'offer' ? nextOffer(state) : state
    case 'judged':
      return judged(state, event)
    case 'not-judged':
      return stage.name === 'deciding' ? refused(state, 'error', 'S1') : state
    case 'name-opened':
    case 'name-typed':
    case 'name-said':
    case 'print-ordered':
      return nextName(state, event)
    case 'printed':
      return printed(state, event)
    case 'drafted':
      return alive({ ...state, drafts: { ...state.drafts, [event.question]: event.text } })
    case 'answered':
      return answered(state, event)
    case 'declined':
      return stage.name === 'asking' ? refused(state, 'declined', 'W1') : state
    case 'stepped-back':
      return state.step > 0 ? alive({ ...state, step: state.step - 1, isTried: false }) : startedOver(state)
    case 'spoken':
      return alive({ ...state, language: event.language })
    case 'touched':
      return stage.name === 'done' || stage.name === 'refused' || stage.name === 'busy' ? state : alive(state)
    case 'idle':
      return event.turn === state.turn ? { ...state, isIdle: true } : state
    case 'over':
      return event.turn === state.turn ? over(state) : state
    case 'read':
      return over(state)
    case 'restarted':
      return stage.name === 'naming' ? saidName(state, stage, null) : startedOver(state)
    case 'staff-called':
      return at(startedOver(state), { name: 'staff', trouble: '' })
    case 'pin-refused':
      return stage.name === 'staff' ? at(state, { name: 'staff', trouble: event.trouble }) : state
    default:
      return event satisfies never
  }
}

function over(state: KioskState): KioskState {
  const { stage } = state
  // Who was checked in has their badge printed, also where they have said nothing of their name.
  if (stage.name === 'naming') return saidName(state, stage, null)
  return stage.name === 'done' || stage.name === 'refused' ? nextOffer(state) : startedOver(state)
}
const refused = (state: KioskState, reason: string, code: string): KioskState =>
  at({ ...startedOver(state), language: state.language }, { name: 'refused', refusal: { reason, code } })

/** Whoever scans begins a visit, except while the guest before is at something that is not done, or waits for their badge. */
const interrupts = (stage: Stage): boolean =>
  stage.name === 'done'
    ? !isPrinting(stage.prints)
    : !['deciding', 'asking', 'naming', 'named', 'searching', 'staff'].includes(stage.name)

/** The language that a guest has chosen, else that of the order. */
const spokenIn = (state: KioskState, locale: string | null | undefined): Language | null => {
  const [base = ''] = (locale ?? '').toLowerCase().split(/[-_]/, 1)
  return state.language ?? (isLanguage(base) ? languageOf(base) : null)
}

function sought(state: KioskState): KioskState {
  const { stage } = state
  if (stage.name !== 'find') return state
  const { order, last_name, email } = state.sought
  const isWhole = stage.way === 'order' ? order.trim() !== '' && last_name.trim() !== '' : email.includes('@')
  return at(state, isWhole ? { name: 'searching', way: stage.way } : { ...stage, trouble: 'missing' })
}

function found(
  state: KioskState,
  { way }: Extract<Stage, { readonly name: 'searching' }>,
  { status, visit, offers, locale, wait = 60 }: KioskFound,
): KioskState {
  if (status === 'busy') return at(startedOver(state), { name: 'busy', wait })
  if (status === 'offline') return at(state, { name: 'find', way: 'order', trouble: 'offline' })
  if (status === 'none' || visit === undefined) return at(state, { name: 'find', way, trouble: 'none' })
  const language = spokenIn(state, locale)
  if (offers.length === 0) return refused({ ...state, language }, 'all-in', 'T8')
  return at({ ...startedOver(state), language, offers: { visit, list: offers, at: 0 } }, { name: 'offer' })
}

function taken(state: KioskState, nonce: string): KioskState {
  if (state.stage.name !== 'offer' || !state.offers) return state
  const { visit, at: offer } = state.offers
  return at(state, { name: 'deciding', guest: { nonce, source: 'hand', visit, offer } })
}

/** The next ticket of the order, or the next guest. */
function nextOffer(state: KioskState): KioskState {
  const { offers } = state
  if (!offers || offers.at + 1 >= offers.list.length) return startedOver(state)
  return at(
    { ...startedOver(state), language: state.language, offers: { ...offers, at: offers.at + 1 } },
    { name: 'offer' },
  )
}

function judged(state: KioskState, { result }: Event<'judged'>): KioskState {
  const { stage } = state
  if (stage.name !== 'deciding' || stage.guest.nonce !== result.nonce) return state
  const spoken = { ...state, language: spokenIn(state, result.locale) }
  if (result.status === 'error') {
    const { offers } = spoken
    const shown = refused(spoken, result.reason ?? 'error', result.code ?? 'T0')
    return { ...shown, offers }
  }
  if (result.status === 'ok' && result.name_parts.length > 0)
    return at({ ...spoken, drafts: {}, step: 0 }, { name: 'naming', result, typed: null, isTried: false })
  if (result.status === 'ok')
    return at({ ...spoken, drafts: {}, step: 0 }, { name: 'done', result, prints: result.prints })
  // Asked once more, the answers given before stand in the fields.
  return at({ ...spoken, step: 0, isTried: false }, { name: 'asking', guest: stage.guest, result })
}

/** What has become of a print is news only where it is other than before: the guest is not kept for it. */
function printed(state: KioskState, { nonce, prints }: Event<'printed'>): KioskState {
  const { stage } = state
  if (stage.name !== 'done' || stage.result.nonce !== nonce) return state
  const isNews = JSON.stringify(prints) !== JSON.stringify(stage.prints)
  return isNews ? at(state, { ...stage, prints }) : state
}

function answered(state: KioskState, { question, text, isGood }: Event<'answered'>): KioskState {
  const { stage } = state
  if (stage.name !== 'asking') return state
  const drafts = { ...state.drafts, [question]: text }
  if (!isGood) return alive({ ...state, drafts, isTried: true })
  const questions = inOrder(stage.result.questions)
  if (state.step + 1 < questions.length)
    return alive({ ...state, drafts, isTried: false, step: state.step + 1 })
  const answers = { ...stage.guest.answers, ...allAnswers(questions, drafts) }
  return at({ ...state, drafts }, { name: 'deciding', guest: { ...stage.guest, answers } })
}
