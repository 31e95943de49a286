import { grossOfNet, taxInGross } from './taxes.ts'

/**
 * What a buyer pays who may pay more: the larger of the price asked for and the one that was typed, compared in the same
 * sense. Amounts in hundredths, the rate in hundredths of a percent; `isNet` says that the typed one is without tax.
 */
export function freePrice(
  charged: { readonly price: number; readonly rate: number },
  typed: { readonly amount: number; readonly isNet: boolean } | null,
  step: number,
): number {
  if (typed === null) return charged.price
  if (!typed.isNet) return Math.max(typed.amount, charged.price)
  const net = charged.price - taxInGross(charged.price, charged.rate, step)
  return typed.amount > net ? grossOfNet(typed.amount, charged.rate, step) : charged.price
}

/** Whether an add-on costs nothing: its base says so of the category, or the base's voucher of all add-ons. */
export const isIncluded = (
  addon: { readonly price_included: boolean },
  baseVoucher: { readonly all_addons_included: boolean } | null,
): boolean => addon.price_included || baseVoucher?.all_addons_included === true
