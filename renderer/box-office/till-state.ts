import type { ParkedBasket } from '../../schema/bodies/parked-baskets.ts'
import type { ShownPrintJob } from '../../schema/bodies/print-jobs.ts'
import type { SaleCatalogue } from '../../schema/bodies/sale-catalogue.ts'
import type { ShownTillPayment } from '../../schema/bodies/till-payments.ts'
import type { OrderLookup, OrdersEvent } from './orders/order-state.ts'
import type { PaymentEvent, TillPayment, TillSale } from './payment/payment-state.ts'
import type { BasketChoice, BasketLine } from './selling/basket.ts'

/** What the server says that a basket costs; amounts are decimal. */
export interface Priced {
  /** The basket that it is about. */
  readonly of: string
  readonly total: string
  /** By the keys of the lines. */
  readonly lines: Readonly<Record<string, string>>
}

/** Why the server does not sell a basket, in its words. */
export interface Objection {
  readonly of: string
  readonly general: string
  readonly lines: Readonly<Record<string, string>>
}

/** All that the till knows. */
export interface TillState {
  readonly catalogue: SaleCatalogue | null
  /** Why there is no catalogue. */
  readonly trouble: string | null
  /** The date chosen by hand. */
  readonly date: number | null
  readonly lines: readonly BasketLine[]
  /** The code of the voucher that is being redeemed: what is pressed now is bought with it. */
  readonly voucher: string | null
  /** How many the next press of a product puts into the basket; null for one. */
  readonly quantity: number | null
  /** The product whose form and add-ons are being chosen. */
  readonly choosing: number | null
  /** The page of what is asked before the sale, and whether it is paid for after the last one. */
  readonly asking: { readonly page: number; readonly pays: boolean } | null
  readonly priced: Priced | null
  readonly objection: Objection | null
  readonly payment: TillPayment | null
  readonly sold: TillSale | null
  /** What products are searched for. */
  readonly search: string
  /** What is searched for among the receipts; null while nobody looks at them. */
  readonly receipts: string | null
  readonly orders: OrderLookup | null
  /** The page about the drawer is open. */
  readonly atDrawer: boolean
  /** The page about what the guest sees is open. */
  readonly atDisplay: boolean
  /** What the tills of this station have put aside. */
  readonly parked: readonly ParkedBasket[]
  /** Somebody is asked for the name that the basket is parked by. */
  readonly parking: boolean
  /** What was charged without a sale, or is not known to be. */
  readonly unsettled: readonly ShownTillPayment[]
  /** What the printers have not printed, or may not have. */
  readonly prints: readonly ShownPrintJob[]
}

/** What can happen to a basket. */
export type BasketEvent =
  | { readonly type: 'pressed'; readonly product: number }
  | { readonly type: 'added'; readonly choice: BasketChoice; readonly count: number }
  | { readonly type: 'choice-closed' }
  | { readonly type: 'counted'; readonly key: string; readonly count: number }
  | { readonly type: 'emptied' }
  /** Whether a name is asked for, to park it by. */
  | { readonly type: 'parking'; readonly open: boolean }
  /** The server has it. */
  | { readonly type: 'parked'; readonly lines: readonly BasketLine[] }
  | { readonly type: 'taken-up'; readonly lines: readonly BasketLine[] }
  /** How many the next press is about; null for one. */
  | { readonly type: 'quantity'; readonly quantity: number | null }
  /** As many of a product are taken out again. */
  | { readonly type: 'taken-out'; readonly product: number }
  /** One of the last line is taken off. */
  | { readonly type: 'taken-off' }

/** What can happen to what is asked before a sale. */
export type DetailsEvent =
  /** A page of it is shown; null for none. */
  | { readonly type: 'asking'; readonly page: number | null }
  /** Something is typed about a ticket, or null for the buyer. */
  | {
      readonly type: 'detailed'
      readonly ticket: { readonly line: string; readonly index: number } | null
      readonly field: string
      readonly text: string
    }

/** All that can happen at a till. */
export type TillEvent =
  | BasketEvent
  | DetailsEvent
  | OrdersEvent
  | PaymentEvent
  | { readonly type: 'offered'; readonly catalogue: SaleCatalogue }
  | { readonly type: 'not-offered'; readonly detail: string }
  | { readonly type: 'dated'; readonly date: number }
  /** What is offered with a voucher, or without one again. */
  | { readonly type: 'redeeming'; readonly catalogue: SaleCatalogue }
  | { readonly type: 'restored'; readonly lines: readonly BasketLine[]; readonly payment: TillPayment | null }
  /** Out of whatever is open. */
  | { readonly type: 'back' }
  | { readonly type: 'at-drawer'; readonly open: boolean }
  | { readonly type: 'at-display'; readonly open: boolean }
  | { readonly type: 'at-receipts'; readonly search: string | null }
  | { readonly type: 'priced'; readonly priced: Priced }
  | { readonly type: 'objected'; readonly objection: Objection }
  | { readonly type: 'unsettled'; readonly unsettled: readonly ShownTillPayment[] }
  | { readonly type: 'printing'; readonly prints: readonly ShownPrintJob[] }
  | { readonly type: 'baskets-parked'; readonly baskets: readonly ParkedBasket[] }
  | { readonly type: 'finished' }
  | { readonly type: 'searched'; readonly search: string }

/** A till before it knows anything. */
export const initialTill: TillState = {
  catalogue: null,
  trouble: null,
  date: null,
  lines: [],
  voucher: null,
  quantity: null,
  choosing: null,
  asking: null,
  priced: null,
  objection: null,
  payment: null,
  sold: null,
  search: '',
  receipts: null,
  orders: null,
  atDrawer: false,
  atDisplay: false,
  parked: [],
  parking: false,
  unsettled: [],
  prints: [],
}

/** Names a basket, for answers that come when it has changed. */
export const basketName = (lines: readonly BasketLine[]): string =>
  JSON.stringify(lines.map(({ key, count }) => [key, count]))

/** What the basket costs as it is now, or null while nobody has said that. */
export const pricedNow = ({ priced, lines }: TillState): Priced | null =>
  priced && priced.of === basketName(lines) ? priced : null

/** What is wrong with the basket as it is now. */
export const objectionNow = ({ objection, lines }: TillState): Objection | null =>
  objection && objection.of === basketName(lines) ? objection : null

/** Whether the basket cannot be changed: somebody pays for it. */
export const isPinned = ({ payment }: TillState): boolean => payment !== null
