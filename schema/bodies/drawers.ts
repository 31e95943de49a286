import { flag, money, text } from '../fields.ts'

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

/** Which receipt of a movement is taken back, and why. */
export const movementReversal = {
  reason: text({ maxLength: 255 }),
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
