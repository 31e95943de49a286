import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import { type VoucherFacts, type VoucherProblem, voucherProblem } from '../../domain/pricing/vouchers.ts'
import type { ProductLine } from '../../domain/quotas/quotas.ts'
import { contradictory, type FieldErrors, invalid } from '../../errors.ts'
import { storedCode } from '../codes/voucher-codes.ts'
import { attempt, goodRows } from '../input/attempts.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { checkAnswers } from '../pricing/position-check.ts'
import { type CartCatalogue, seatedKey } from './cart-catalogue.ts'
import type { CartInput, CartLineInput } from './cart-input.ts'

/** One line of a cart that could be stored if there is enough. */
export interface CartLine {
  readonly input: CartLineInput
  readonly product: ProductLine
  readonly answers: readonly StoredAnswer[]
}

/** A cart position that could be stored, with what comes with it. */
export interface CartDraft extends CartLine {
  readonly input: CartInput
  readonly voucher: VoucherFacts | null
  readonly addons: readonly CartLine[]
  readonly bundled: readonly CartLine[]
}

const unknownId = (id: number): string[] => [`Invalid pk "${id}" - object does not exist.`]

/** Checks a cart position against the catalogue, but not whether there is any left; throws 400. */
export function checkCart(
  catalogue: CartCatalogue,
  at: OrderScope,
  input: CartInput,
  now: string,
): CartDraft {
  if (!catalogue.channels.has(input.sales_channel))
    throw invalid({ sales_channel: [`There is no sales channel "${input.sales_channel}".`] })
  const base = checkLine(catalogue, at, input)
  checkSeatNeed(catalogue, input, base.product)
  const voucher = input.voucher === null ? null : findVoucher(catalogue, input, base.product, now)
  if (voucher && ignoresQuotas(voucher) && at.event.hasSubevents && input.subevent === null)
    throw invalid({ subevent: ['Choose a date of the series.'] })
  const nested = (name: 'addons' | 'bundled', isAllowed: (line: CartLineInput) => boolean): CartLine[] => {
    if (!input[name].every(isAllowed))
      throw invalid({ [name]: ['One of these products cannot be combined with this one.'] })
    return goodRows(
      name,
      input[name].map((line) => attempt(() => checkNested(catalogue, at, line, base.product))),
    )
  }
  const { item } = base.product
  return {
    ...base,
    input,
    voucher,
    addons: nested('addons', (line) => {
      const category = catalogue.categories.get(line.item) ?? null
      return category !== null && catalogue.addons.get(item)?.has(category) === true
    }),
    bundled: nested(
      'bundled',
      (line) =>
        catalogue.bundles
          .get(item)
          ?.some((one) => one.item === line.item && one.variation === line.variation) === true,
    ),
  }
}

/** Whether what is bought by a voucher is not taken from the quotas: it ignores them, or has its own part of them. */
export const ignoresQuotas = (voucher: Pick<VoucherFacts, 'allow_ignore_quota' | 'block_quota'>): boolean =>
  voucher.allow_ignore_quota || voucher.block_quota

/** What comes with another line is for the same date unless it says otherwise. */
function checkNested(
  catalogue: CartCatalogue,
  at: OrderScope,
  line: CartLineInput,
  base: ProductLine,
): CartLine {
  const whole = line.subevent === null && !line.namesDate ? { ...line, subevent: base.subevent } : line
  const checked = checkLine(catalogue, at, whole)
  if (catalogue.seated.has(seatedKey(checked.product.subevent, checked.product.item)))
    throw invalid({ seat: ['This product needs a seat, so it cannot come with another one.'] })
  return checked
}

function checkLine(catalogue: CartCatalogue, at: OrderScope, input: CartLineInput): CartLine {
  const { item, variation, subevent } = input
  const errors: FieldErrors = dateProblems(catalogue, at, input)
  const found = catalogue.items.get(item)
  if (!found) errors.item = unknownId(item)
  else if (!found.active) errors.item = ['This product is not sold any more.']
  const answers = attempt(() => checkAnswers(catalogue, at, input.answers))
  if (!answers.ok) Object.assign(errors, answers.errors)
  if (!found || !answers.ok || Object.keys(errors).length > 0) throw invalid(errors)
  if (found.variations.length > 0) {
    if (variation === null) throw contradictory('Choose a variation of this product.')
    if (!found.variations.some(({ id }) => id === variation))
      throw contradictory('This variation does not belong to this product.')
  } else if (variation !== null) throw contradictory('This product has no variations.')
  return { input, product: { item, variation, subevent }, answers: answers.value }
}

/** A date that was not sent at all is missed only when quotas are looked for, which belong to one. */
function dateProblems({ subevents }: CartCatalogue, { event }: OrderScope, line: CartLineInput): FieldErrors {
  const { subevent } = line
  if (!event.hasSubevents)
    return subevent === null ? {} : { subevent: ['This event has no dates to choose from.'] }
  if (subevent !== null) return subevents.has(subevent) ? {} : { subevent: unknownId(subevent) }
  return line.namesDate ? { subevent: ['Choose a date of the series.'] } : {}
}

function checkSeatNeed(catalogue: CartCatalogue, { seat }: CartInput, { item, subevent }: ProductLine): void {
  const isSeated = catalogue.seated.has(seatedKey(subevent, item))
  if (isSeated && seat === null) throw invalid({ seat: ['This product needs a seat.'] })
  if (!isSeated && seat !== null) throw invalid({ seat: ['This product is sold without a seat.'] })
}

const voucherTexts: Readonly<Record<VoucherProblem, string>> = {
  product: 'This voucher is not for this product.',
  seat: 'This voucher is for another seat.',
  subevent: 'This voucher is for another date.',
  expired: 'This voucher is not valid any more.',
}

function findVoucher(
  { vouchers, quotas }: CartCatalogue,
  input: CartInput,
  product: ProductLine,
  now: string,
): VoucherFacts {
  const voucher = vouchers.get(storedCode(input.voucher ?? ''))
  if (!voucher) throw invalid({ voucher: ['This voucher code is not known in this event.'] })
  const named = quotas.find(({ id }) => id === voucher.quota) ?? null
  const problem = voucherProblem(voucher, { ...product, seat: input.seat }, named, now)
  if (problem) throw invalid({ voucher: [voucherTexts[problem]] })
  return voucher
}
