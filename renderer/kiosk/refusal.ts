import type { TextKey } from '../text/translate.ts'

/** The words of refusals: none of them needs a value. */
type RefusalKey = Extract<TextKey, `kiosk.refused.${string}`>

const words: Readonly<Record<string, RefusalKey>> = {
  invalid: 'kiosk.refused.invalid',
  already_redeemed: 'kiosk.refused.used',
  unpaid: 'kiosk.refused.unpaid',
  unapproved: 'kiosk.refused.unpaid',
  product: 'kiosk.refused.product',
  invalid_time: 'kiosk.refused.time',
  rules: 'kiosk.refused.time',
  canceled: 'kiosk.refused.canceled',
  'all-in': 'kiosk.refused.all-in',
  declined: 'kiosk.refused.declined',
}

/** The plain words for why a guest is not checked in. */
export const refusalWords = (reason: string): RefusalKey => words[reason] ?? 'kiosk.refused.other'
