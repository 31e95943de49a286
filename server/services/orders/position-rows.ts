import type { StoredRow } from '../../../schema/resource.ts'
import type { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import type { OrderStatus } from '../../domain/orders/payments.ts'
import { taxInGross } from '../../domain/pricing/taxes.ts'
import type { TicketFacts } from '../../domain/rules/facts.ts'
import { fullName } from '../../domain/text/names.ts'
import { amountOf } from '../../resource/codec.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Cells } from '../../storage/database.ts'
import { folded } from '../../storage/search.ts'
import { freshPseudonym, type IssueCode, type IssuedTicket } from '../codes/order-codes.ts'
import type { PositionDraft } from '../pricing/order-draft.ts'

/** A position as it is stored. */
export type PositionRow = StoredRow<typeof orderPosition>

/** The stored cells of a position together with what is shown or decided of its order, item and parent. */
export type PositionCells = Cells &
  Pick<
    TicketFacts,
    'id' | 'event' | 'positionid' | 'secret' | 'item' | 'variation' | 'subevent' | 'addon_to'
  > & {
    readonly organizer: number
    readonly order_id: number
    readonly seat_id: number | null
    readonly price: number
    readonly pseudonymization_id: string
    /** As JSON text, like the other lists and objects. */
    readonly blocked: string | null
    readonly answers: string | null
    readonly seat: string | null
    readonly valid_from: string | null
    readonly valid_until: string | null
    readonly attendee_name: string | null
    readonly parent_name: string | null
    readonly parent_parts: string | null
    readonly parent_answers: string | null
    readonly order_code: string
    readonly order_status: OrderStatus
    readonly order_locale: string
    readonly order_datetime: string
    readonly order_address: string | null
    readonly order_channel: string
  }

const longestKey = 300

/** What a position stores of its attendee's name. */
type NameColumns = Pick<PositionRow, 'attendee_name' | 'attendee_name_parts' | 'name_key'>

/** Gives what a position stores of its attendee's name. */
export function nameColumns(parts: Readonly<Record<string, string>>, scheme: string): NameColumns {
  const attendee_name = fullName(parts, scheme)
  return {
    attendee_name,
    attendee_name_parts: { ...parts },
    name_key: folded(attendee_name ?? '').slice(0, longestKey),
  }
}

/** What a position or fee stores of its tax. */
export type TaxColumns = Pick<PositionRow, 'tax_rate' | 'tax_value' | 'tax_rule'>

/** Gives what a position or fee stores of the tax in its gross price; `step` is the currency's smallest amount. */
export const taxColumns = (gross: number, rate: number, rule: number | null, step: number): TaxColumns => ({
  tax_rate: amountOf(rate),
  tax_value: amountOf(taxInGross(gross, rate, step)),
  tax_rule: rule,
})

/** Where a position belongs. */
interface PositionKeys {
  readonly id: number
  readonly order: number
  readonly parent: number | null
}

/** What the rows of positions depend on beside the draft. */
export interface PositionTerms {
  readonly nameScheme: string
  /** The currency's smallest amount. */
  readonly step: number
  /** Makes the code of a ticket that brings none. */
  readonly issue: IssueCode
}

const contentOf = (draft: PositionDraft): Omit<IssuedTicket, 'id'> => ({
  item: draft.item,
  variation: draft.variation ?? null,
  subevent: draft.subevent ?? null,
  valid_from: draft.valid_from ?? null,
  valid_until: draft.valid_until ?? null,
})

/** The row of a position in its JSON form. */
export const positionRow = (
  tx: Tx,
  draft: PositionDraft,
  keys: PositionKeys,
  { nameScheme, step, issue }: PositionTerms,
): PositionRow => ({
  id: keys.id,
  order_id: keys.order,
  positionid: draft.positionid,
  canceled: false,
  item: draft.item,
  variation: draft.variation ?? null,
  subevent: draft.subevent ?? null,
  price: amountOf(draft.price),
  ...taxColumns(draft.price, draft.tax_rate ?? 0, draft.tax_rule ?? null, step),
  ...nameColumns(draft.attendee_name_parts ?? {}, nameScheme),
  attendee_email: draft.attendee_email ?? null,
  company: draft.company ?? null,
  street: draft.street ?? null,
  zipcode: draft.zipcode ?? null,
  city: draft.city ?? null,
  country: draft.country ?? null,
  state: draft.state ?? null,
  voucher: draft.voucher ?? null,
  voucher_budget_use: draft.voucher_budget_use == null ? null : amountOf(draft.voucher_budget_use),
  secret: draft.secret || issue({ ...contentOf(draft), id: keys.id }),
  addon_to: keys.parent,
  discount: draft.discount ?? null,
  pseudonymization_id: freshPseudonym(tx),
  answers: [...(draft.answers ?? [])],
  seat: draft.seat ?? null,
  seat_id: draft.seat?.id ?? null,
  blocked: draft.blocked?.length ? [...draft.blocked] : null,
  ignore_from_quota_while_blocked: null,
  valid_from: draft.valid_from ?? null,
  valid_until: draft.valid_until ?? null,
})
