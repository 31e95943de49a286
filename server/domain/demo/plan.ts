import type { Language } from '../../../schema/texts/translate.ts'

/** Stands for the id that a row gets when the plan is carried out: `vip`, `main-entrance`. */
export type DemoKey = string

/** A text in English and German, and in the language in which the demo is made. */
export type DemoText = Readonly<Partial<Record<Language, string>>> & {
  readonly en: string
  readonly de: string
}

/** Everything the demo event consists of. Fields have the API's names; references are keys. */
export interface DemoPlan extends DemoFestival {
  readonly orders: readonly DemoOrder[]
  /** The tickets to print for trying out. */
  readonly samples: readonly DemoSample[]
}

/** The demo event without its orders. */
export interface DemoFestival {
  /** The language in which it is made: of what has one name only, and of many guests. */
  readonly language: Language
  readonly organizer: { readonly slug: string; readonly name: string }
  readonly event: DemoEvent
  readonly tax_rules: readonly { readonly key: DemoKey; readonly name: DemoText; readonly rate: string }[]
  readonly categories: readonly DemoCategory[]
  readonly items: readonly DemoItem[]
  readonly questions: readonly DemoQuestion[]
  readonly quotas: readonly DemoQuota[]
  readonly discounts: readonly DemoDiscount[]
  readonly vouchers: readonly DemoVoucher[]
  readonly gift_cards: readonly DemoGiftCard[]
  readonly gates: readonly { readonly key: DemoKey; readonly name: string; readonly identifier: string }[]
  readonly checkin_lists: readonly DemoCheckinList[]
}

/** The event; its times are instants in UTC with microseconds. */
interface DemoEvent {
  readonly slug: string
  readonly name: DemoText
  readonly location: DemoText
  readonly timezone: string
  readonly currency: string
  readonly date_from: string
  readonly date_to: string
  readonly date_admission: string
  readonly settings: Readonly<Record<string, unknown>>
  /** What is said of products beside their names, and what is meant where nothing is said. */
  readonly item_meta_properties: Readonly<Record<string, string>>
}

/** A product category. */
interface DemoCategory {
  readonly key: DemoKey
  readonly name: DemoText
  readonly position: number
  readonly is_addon: boolean
}

/** A product with everything that is created along with it. */
export interface DemoItem {
  readonly key: DemoKey
  readonly name: DemoText
  readonly category: DemoKey
  readonly tax_rule: DemoKey
  readonly default_price: string
  readonly admission: boolean
  readonly position: number
  /** Among it the colour of the wristband. */
  readonly meta_data?: Readonly<Record<string, string>>
  /** Whether the buyer may pay more than the price. */
  readonly free_price?: boolean
  readonly variations: readonly {
    readonly key: DemoKey
    readonly value: DemoText
    readonly default_price: string
    readonly position: number
  }[]
  readonly addons: readonly {
    readonly addon_category: DemoKey
    readonly min_count: number
    readonly max_count: number
  }[]
}

/** A question asked at check-in; `items` are keys, options are known by their identifier. */
export interface DemoQuestion {
  readonly key: DemoKey
  readonly question: DemoText
  /** What is to be known before one answers; a long one is a waiver. */
  readonly help_text?: DemoText
  readonly type: 'C' | 'S' | 'B'
  readonly required: boolean
  readonly items: readonly DemoKey[]
  readonly identifier: string
  readonly ask_during_checkin: true
  readonly position: number
  readonly options: readonly {
    readonly identifier: string
    readonly answer: DemoText
    readonly position: number
  }[]
}

/** A quota; it is never oversold by the plan's orders. */
export interface DemoQuota {
  readonly name: string
  readonly size: number
  readonly items: readonly DemoKey[]
  readonly variations: readonly DemoKey[]
}

/** A discount for whoever buys several of one product; `condition_limit_products` are keys. */
export interface DemoDiscount {
  readonly internal_name: string
  readonly condition_limit_products: readonly DemoKey[]
  readonly condition_min_count: number
  readonly benefit_discount_matching_percent: string
}

/** A voucher that makes one product cheaper; `item` is a key. */
export interface DemoVoucher {
  readonly code: string
  readonly max_usages: number
  readonly price_mode: 'percent'
  readonly value: string
  readonly item: DemoKey
  readonly comment: string
}

/** A gift card of the organizer. */
export interface DemoGiftCard {
  readonly secret: string
  readonly currency: string
  readonly value: string
}

/** A check-in list. Its rules name products by key: rulesWithIds puts the ids in. */
export interface DemoCheckinList {
  readonly key: DemoKey
  readonly name: string
  readonly all_products: boolean
  readonly limit_products: readonly DemoKey[]
  readonly include_pending: boolean
  readonly allow_multiple_entries: boolean
  readonly allow_entry_after_exit: boolean
  readonly addon_match: boolean
  readonly rules: unknown
}

/** An order as the API creates it, with the states that only come later (`e`, `c`) and its time as well. */
export interface DemoOrder {
  readonly code: string
  readonly status: 'n' | 'p' | 'e' | 'c'
  readonly email: string
  readonly locale: Language
  readonly sales_channel: 'web'
  readonly datetime: string
  readonly payment_provider: 'banktransfer'
  readonly comment: string
  readonly checkin_attention: boolean
  readonly checkin_text: string | null
  readonly require_approval: boolean
  readonly positions: readonly DemoPosition[]
}

/** A position of an order; `addon_to` is the positionid of its parent, `blocked` the reasons why it is. */
export interface DemoPosition {
  readonly positionid: number
  readonly item: DemoKey
  readonly variation: DemoKey | null
  readonly price: string
  readonly attendee_name_parts: Readonly<Record<string, string>>
  readonly attendee_email: string | null
  readonly company: string | null
  readonly secret: string
  readonly addon_to: number | null
  readonly blocked: readonly string[] | null
  readonly answers: readonly DemoAnswer[]
}

/** An answer given in advance; `options` are identifiers of the question's options. */
export interface DemoAnswer {
  readonly question: DemoKey
  readonly answer: string
  readonly options: readonly string[]
}

/** A ticket to try out: at which list, and what is to be expected. */
export interface DemoSample {
  readonly order: string
  readonly positionid: number
  readonly list: DemoKey
  readonly expect: DemoText
}
