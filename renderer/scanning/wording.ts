import type { EarlierCheckin, ScanResult } from '../../schema/bodies/scan-result.ts'
import type { Settings } from '../../schema/bodies/station-state.ts'
import { beside } from '../text/direction.ts'
import { formatMoment } from '../text/format.ts'
import { localized, type Translate } from '../text/translate.ts'
import { type Entry, lookOf } from './entries.ts'
import { offersUnpaid } from './result-kind.ts'

/** What words are put together with: the language, and the time zone of the event. */
export interface Voice {
  readonly t: Translate
  readonly language: string
  readonly timeZone: string
}

/** The few words that say what became of a scan. */
export function headline(entry: Entry, { t }: Voice): string {
  const look = lookOf(entry)
  switch (look) {
    case 'waiting':
      return t('result.waiting')
    case 'undone':
      return t('result.undone')
    case 'failed':
      return t('result.failed')
    case 'refused':
      return t(`refused.${entry.result?.reason ?? 'error'}`)
    case 'question':
      return t(entry.result && offersUnpaid(entry.result) ? 'result.unpaid' : 'result.question')
    default:
      return t(entry.direction === 'exit' ? 'result.exit' : 'result.admitted')
  }
}

/** What the person at the gate does next, or empty. */
export function nextStep(entry: Entry, { t }: Voice): string {
  const look = lookOf(entry)
  if (look === 'failed') return t('result.failed.next')
  if (look === 'undone') return t('result.undone.next')
  if (look === 'question')
    return entry.result && offersUnpaid(entry.result) ? unpaidNext(entry.result, t) : ''
  if (look !== 'refused') return ''
  const reason = entry.result?.reason ?? 'error'
  if (reason === 'invalid' && entry.read.garbled) return t('refused.garbled.next')
  return t(`refused.${reason}.next`)
}

/** Money is taken only where something can be paid. */
const unpaidNext = ({ owed }: ScanResult, t: Translate): string =>
  t(owed ? 'result.unpaid.next' : 'refused.unpaid.next')

/** Who it is: the name, or the order where there is none; empty for an unknown code. */
export function who(entry: Entry, { t }: Voice): string {
  const position = entry.result?.position
  if (!position) return ''
  return position.attendee_name ?? t('ticket.order', { order: `${position.order}-${position.positionid}` })
}

/** What was bought: product, variation, and the date of a series. */
export function what(entry: Entry, { language }: Voice): string {
  const ticket = entry.result?.position ?? entry.result?.signed
  if (!ticket) return ''
  const parts = [ticket.item_name, ticket.variation_name, ticket.subevent_name]
  return beside(
    parts.map((part) => localized(part, language)),
    ' · ',
    language,
  )
}

/** The list that a ticket is on, with its event where there are several; empty where this entrance has one list only. */
export function listOfTicket({ result }: Entry, settings: Settings | null | undefined): string {
  if (!settings || settings.lists.length < 2 || !(result?.position ?? result?.signed)) return ''
  const list = settings.lists.find(({ id }) => id === result?.list.id)
  if (!list) return result?.list.name ?? ''
  const isOnlyEvent = settings.lists.every(({ event }) => event === list.event)
  return isOnlyEvent ? list.name : `${list.name} · ${list.event_name}`
}

/** The add-ons of a ticket by name. */
export const addons = (entry: Entry, { language }: Voice): readonly string[] =>
  (entry.result?.position?.addons ?? []).map((addon) => {
    const variation = localized(addon.variation_name, language)
    return localized(addon.item_name, language) + (variation ? ` (${variation})` : '')
  })

/** When and where a used ticket was used: the only time, or the latest of several; empty for all others. */
export function used(entry: Entry, voice: Voice): string {
  const { result } = entry
  if (result?.reason !== 'already_redeemed') return ''
  const entries = ((result.position ?? result.signed)?.checkins ?? []).filter((pass) => pass.type === 'entry')
  const [latest] = entries
  if (!latest) return ''
  const key = entries.length > 1 ? 'used.last' : 'used.first'
  return voice.t(key, { when: whenAndWhere(latest, result.at, voice) })
}

function whenAndWhere(pass: EarlierCheckin, now: string, { t, language, timeZone }: Voice): string {
  const where = beside([pass.gate, pass.device], ', ', language)
  const parts = [formatMoment(pass.datetime, now, timeZone, language), where]
  if (pass.auto_checked_in) parts.push(t('used.automatic'))
  return beside(parts, ' · ', language)
}

/**
 * Whether the upstream server has confirmed a result, or the station decided offline; null where there is no upstream
 * server.
 */
export function certaintyOf({ result }: Entry): 'offline' | 'confirmed' | null {
  if (result?.offline) return 'offline'
  return result?.confirmed ? 'confirmed' : null
}

/** What a screen reader says when a result arrives. */
export function announcement(entry: Entry, voice: Voice, { asksUndo = false, list = '' } = {}): string {
  if (asksUndo) return `${voice.t('undo.ask')} ${who(entry, voice)}, ${what(entry, voice)}.`
  const { result } = entry
  const attention = result?.require_attention ? voice.t('result.attention') : ''
  const parts = [
    headline(entry, voice),
    who(entry, voice),
    what(entry, voice),
    list === '' ? '' : `${voice.t('alert.list')}: ${list}`,
    result?.position?.seat ? voice.t('ticket.seat.is', { seat: result.position.seat.name }) : '',
    attention,
    ...(result?.checkin_texts ?? []),
    used(entry, voice),
    result?.reason_explanation ?? '',
    nextStep(entry, voice),
    certaintyOf(entry) === 'offline' ? voice.t('certainty.offline') : '',
  ]
  return parts
    .filter((part) => part !== '')
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ')
}
