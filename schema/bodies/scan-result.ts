import { type Static, Type } from 'typebox'
import { type Json, the } from '../json-schema.ts'
import type { Question } from '../resources/catalogue/question.ts'
import type { QuestionOption } from '../resources/catalogue/question-option.ts'
import { errorReasons } from '../resources/checkin/checkin.ts'
import {
  shownChoice,
  shownFlag,
  shownList,
  shownMoment,
  shownMomentOrNull,
  shownNames,
  shownOrNull,
  shownRecord,
  shownText,
  shownTextOrNull,
  shownWhole,
  shownWholeOrNull,
} from '../shown.ts'
import { directions, scanSources } from './station.ts'

const direction = shownChoice(directions)

/** What every result of a scan says. */
const outcome = {
  status: shownChoice(['ok', 'error', 'incomplete']),
  require_attention: shownFlag,
  checkin_texts: shownList(shownText),
  list: shownRecord({
    id: shownWhole,
    name: shownText,
    event: shownText,
    subevent: shownWholeOrNull,
    include_pending: shownFlag,
  }),
}

/** What the signature of a ticket says, where its order is not known. */
const signature = {
  scheme: shownText,
  key_id: shownWholeOrNull,
  issued: shownMomentOrNull,
  item: shownWhole,
  variation: shownWholeOrNull,
  subevent: shownWholeOrNull,
  valid_from: shownMomentOrNull,
  valid_until: shownMomentOrNull,
}

const ticketSignature = shownRecord(signature)

/** What the signature of a ticket says, as it is shown. */
export type TicketSignature = Static<typeof ticketSignature>

/** The result of a scan as the API shows it to clients. */
export const redeemResult = shownRecord(outcome, {
  reason: shownText,
  reason_explanation: shownTextOrNull,
  detail: shownText,
  position: Type.Unsafe<Json>(the('DoorPosition')),
  questions: shownList(Type.Unsafe<Json>(the('Question'))),
  signed: ticketSignature,
})

/** Why a scan was refused. */
export const shownReason = shownChoice(
  errorReasons.filter((one) => one !== 'incomplete' && one !== 'annulled'),
)

/** An earlier check-in of a ticket on the list, with the names of its gate and its device. */
const earlierCheckin = shownRecord({
  datetime: shownMoment,
  type: direction,
  gate: shownTextOrNull,
  device: shownTextOrNull,
  auto_checked_in: shownFlag,
})

export type EarlierCheckin = Static<typeof earlierCheckin>

const product = { item_name: shownNames, variation_name: shownOrNull(shownNames) }

/** The colour of a product, such as of its wristband, as `#rrggbb`; null where the product says none. */
const colored = { item_color: shownTextOrNull }

const scannedPosition = shownRecord({
  id: shownWhole,
  order: shownText,
  positionid: shownWhole,
  attendee_name: shownTextOrNull,
  ...product,
  ...colored,
  subevent_name: shownOrNull(shownNames),
  seat: shownOrNull(shownRecord({ name: shownText })),
  secret: shownText,
  addons: shownList(shownRecord(product)),
  order_status: shownText,
  checkins: shownList(earlierCheckin),
})

/** The ticket that a scan found. */
export type ScannedPosition = Static<typeof scannedPosition>

type Limits = Pick<
  Question,
  | 'valid_number_min'
  | 'valid_number_max'
  | 'valid_date_min'
  | 'valid_date_max'
  | 'valid_datetime_min'
  | 'valid_datetime_max'
  | 'valid_string_length_max'
>

/** A question that is asked at entry, as far as a screen needs it. */
export type CheckinQuestion = Readonly<
  Pick<Question, 'id' | 'question' | 'help_text' | 'type' | 'required' | 'position'> & Partial<Limits>
> & { readonly options: readonly Readonly<QuestionOption>[] }

/** Money that is still to be paid, as a decimal amount. */
const owedMoney = shownRecord({ amount: shownText, currency: shownText })

/** Money that is still to be paid for an order. */
export type OwedMoney = Static<typeof owedMoney>

/** What a station says of a ticket: all by name, nothing by id alone. */
const stationOutcome = {
  ...outcome,
  reason: shownOrNull(shownReason),
  reason_explanation: shownTextOrNull,
  can_ignore_unpaid: shownFlag,
  /** What is missing for the order of an unpaid ticket; null where nothing can be paid. */
  owed: shownOrNull(owedMoney),
  position: shownOrNull(scannedPosition),
  questions: shownList(Type.Unsafe<CheckinQuestion>(the('Question'))),
  can_undo: shownFlag,
}

const signed = shownRecord({
  ...signature,
  ...product,
  ...colored,
  subevent_name: shownOrNull(shownNames),
  checkins: shownList(earlierCheckin),
})

/** What is shown of a ticket that was decided by its signature. */
export type ScannedSignature = Static<typeof signed>

const scanOutcome = shownRecord(stationOutcome, { signed })

/** What became of a scan, before it is known which scan it was. */
export type ScanOutcome = Static<typeof scanOutcome>

/** The result of a scan at a station, as its screens show it. */
const scanResult = shownRecord(
  {
    id: shownText,
    nonce: shownText,
    /** The same code was read twice in a moment: this is the first result. */
    repeated: shownFlag,
    source: shownChoice(scanSources),
    code: shownText,
    at: shownMoment,
    type: direction,
    ...stationOutcome,
  },
  {
    /** Instead of the position, where a signature is all that is known. */
    signed,
    /** Decided by this station, while the upstream server could not confirm it. */
    offline: shownFlag,
    /** The upstream server has confirmed it. */
    confirmed: shownFlag,
  },
)

export type ScanResult = Static<typeof scanResult>
