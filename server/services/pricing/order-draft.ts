import type { InvoiceAddress, orderStates } from '../../../schema/resources/orders/order.ts'
import type { feeTypes } from '../../../schema/resources/orders/order-fee.ts'
import type { OrderPayment } from '../../../schema/resources/orders/order-payment.ts'
import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import type { Risk, TakenOfLease } from '../../domain/quotas/lease-sales.ts'
import type { Actor } from '../../resource/actor.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { Place } from '../../resource/transactions.ts'

/** Who acts, and in which event. */
export interface OrderScope {
  readonly actor: Actor
  readonly place: Place
  readonly event: EventFacts
}

/** A ticket to be stored, priced and checked. Money is in hundredths, times are in stored form. */
export interface PositionDraft {
  /** From 1, consecutive in its order; add-ons follow what they belong to. */
  readonly positionid: number
  readonly item: number
  readonly variation?: number | null
  readonly subevent?: number | null
  /** What is to be paid, tax included. */
  readonly price: number
  /** Hundredths of a percent; the tax is worked out of the price. */
  readonly tax_rate?: number
  readonly tax_rule?: number | null
  /** The name's parts with their `_scheme` or `_legacy`. */
  readonly attendee_name_parts?: Readonly<Record<string, string>>
  readonly attendee_email?: string | null
  readonly company?: string | null
  readonly street?: string | null
  readonly zipcode?: string | null
  readonly city?: string | null
  readonly country?: string | null
  readonly state?: string | null
  /** The code on the ticket, free in the event; made when there is none. */
  readonly secret?: string | null
  /** The `positionid` of what it is an add-on to. */
  readonly addon_to?: number | null
  readonly answers?: readonly StoredAnswer[]
  readonly blocked?: readonly string[] | null
  /** The seat that it holds, by its id and as it is shown. */
  readonly seat?: { readonly id: number; readonly name: string; readonly seat_guid: string } | null
  /** The id of the voucher that was used for it, and what that has taken off. */
  readonly voucher?: number | null
  readonly voucher_budget_use?: number | null
  /** The id of the discount that it was used for. */
  readonly discount?: number | null
  readonly valid_from?: string | null
  readonly valid_until?: string | null
}

/** Money to be stored with an order, in hundredths. */
export interface PaymentDraft {
  readonly state: OrderPayment['state']
  readonly amount: number
  readonly provider: string
  readonly payment_date?: string | null
  readonly details?: OrderPayment['details']
}

/** A fee to be stored with an order, in hundredths, tax included. */
export interface FeeDraft {
  readonly fee_type: (typeof feeTypes)[number]
  readonly value: number
  readonly description?: string
  readonly internal_type?: string
  readonly tax_rate?: number
  readonly tax_rule?: number | null
}

/** Where an invoice goes, complete but for the moment of its change. */
export type AddressDraft = Omit<InvoiceAddress, 'last_modified'>

/**
 * An order to be stored as it is: priced, checked against the catalogue and its quotas, payments included. What is left
 * out is made (code, secrets), or is as for an order from the online shop placed now.
 */
export interface OrderDraft {
  /** Free in the organizer; made when there is none. */
  readonly code?: string | null
  readonly status: (typeof orderStates)[number]
  readonly testmode?: boolean
  readonly email?: string | null
  readonly phone?: string | null
  readonly customer?: string | null
  readonly locale?: string
  readonly sales_channel?: string
  readonly datetime?: string
  readonly expires?: string
  readonly comment?: string
  readonly custom_followup_at?: string | null
  readonly checkin_attention?: boolean
  readonly checkin_text?: string | null
  readonly require_approval?: boolean
  readonly valid_if_pending?: boolean
  readonly invoice_address?: AddressDraft | null
  /** At least one. */
  readonly positions: readonly PositionDraft[]
  readonly fees?: readonly FeeDraft[]
  readonly payments?: readonly PaymentDraft[]
  /** Whether the buyer is mailed; null leaves that to the event. */
  readonly send_email?: boolean | null
  /** What was taken for it of what this node may sell without asking, and what nobody has given. */
  readonly sale?: { readonly leases: readonly TakenOfLease[]; readonly risks: readonly Risk[] }
}

/** An order that was stored. */
export interface CreatedOrder {
  readonly id: number
  readonly code: string
  readonly secret: string
  readonly positions: readonly { readonly id: number; readonly positionid: number; readonly secret: string }[]
}
