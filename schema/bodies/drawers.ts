import { choice, flag, money, text } from '../fields.ts'
import { receiptPrintWays } from '../resources/drawer/receipt-print.ts'

/** What opens a drawer. */
export const drawerOpening = {
  name: text({ default: '', maxLength: 190 }),
  /** The cash in it to give change from. */
  float: money({ default: '0.00', minimum: 0 }),
  training: flag(false),
} as const

/** What puts cash into a drawer or takes it out without a sale. */
export const cashMovement = {
  /** Less than nothing for what is taken out. */
  amount: money(),
  reason: text({ maxLength: 255 }),
} as const

/** Why a drawer is opened without a sale. */
export const drawerOpenedAnyway = {
  reason: text({ maxLength: 255 }),
} as const

/** Which receipt of a movement is taken back, and why. */
export const movementReversal = {
  reason: text({ maxLength: 255 }),
} as const

/** How a receipt is given out. */
export const receiptPrinting = {
  way: choice(receiptPrintWays, { default: 'paper' }),
  /** To whom it is mailed, and in which language. */
  email: text({ default: '', maxLength: 254 }),
  locale: text({ default: '', maxLength: 16 }),
} as const

const denominations = {
  type: 'object',
  additionalProperties: { type: 'integer', minimum: 0, maximum: 100_000 },
  maxProperties: 30,
} as const

/** What closes a drawer: what was counted, as a sum or by notes and coins. */
export const drawerCount = {
  type: 'object',
  properties: {
    counted: { type: 'string', pattern: '^\\d{1,9}\\.\\d{2}$' },
    denominations,
    reason: { type: 'string', maxLength: 255 },
  },
} as const

/** What was counted in a drawer: as a sum, or how many of each note and coin by its worth. */
export interface CountedCash {
  readonly counted?: string
  readonly denominations?: Readonly<Record<string, number>>
  readonly reason: string
}

/** The figures of a report about a drawer; amounts are decimal. */
export interface DrawerFigures {
  readonly receipts: number
  readonly sales: string
  readonly refunds: string
  readonly by_provider: Readonly<Record<string, string>>
  readonly by_cashier: Readonly<Record<string, string>>
  /** By the kind of movement. */
  readonly movements: Readonly<Record<string, string>>
  readonly taxes: readonly { readonly rate: string; readonly net: string; readonly tax: string }[]
  readonly training: { readonly receipts: number; readonly total: string }
  /** The numbers of the receipts that it is about, for each till and node that wrote some. */
  readonly covered: readonly {
    readonly till: number
    readonly site: number
    readonly first: number
    readonly last: number
    readonly count: number
  }[]
  readonly expected_cash: string
}
