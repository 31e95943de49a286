import { cartInput, cartLineInput, usualChannel } from '../../../schema/bodies/cart.ts'
import type { RowOf } from '../../../schema/fields.ts'
import { cartSuffix } from '../../../schema/resources/carts/cart-position.ts'
import { partsFromName } from '../../domain/text/names.ts'
import { invalid } from '../../errors.ts'
import { isObject, readBody } from '../../resource/input.ts'
import { attempt, goodRows } from '../input/attempts.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import {
  type AnswerInput,
  readAnswerInputs,
  refuseUnknownParts,
  withoutBlanks,
} from '../pricing/position-input.ts'

/** One line of a cart as a request gives it, of the right shape; amounts are texts with two decimals. */
export interface CartLineInput {
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  /** Whether the date was sent at all. */
  readonly namesDate: boolean
  readonly price: string
  readonly includes_tax: boolean
  readonly attendee_name_parts: Readonly<Record<string, string>>
  readonly attendee_email: string | null
  readonly answers: readonly AnswerInput[]
}

/** A cart position as a request gives it. */
export interface CartInput extends CartLineInput {
  readonly cart_id: string | null
  readonly expires: string | null
  readonly seat: string | null
  readonly voucher: string | null
  readonly sales_channel: string
  readonly addons: readonly CartLineInput[]
  readonly bundled: readonly CartLineInput[]
}

const blankable = ['attendee_email', 'cart_id', 'seat', 'voucher', 'sales_channel'] as const

/** Reads a cart position with what comes with it; throws 400 with messages by field. */
export function readCart(body: unknown, at: OrderScope): CartInput {
  const row = readBody(cartInput, withoutBlanks(body, blankable), wholeIn(at))
  const { cart_id, expires, seat, voucher } = row
  if (cart_id !== null && !cart_id.endsWith(cartSuffix))
    throw invalid({ cart_id: [`Cart ids made through this interface end in "${cartSuffix}".`] })
  const nested = (name: 'addons' | 'bundled'): CartLineInput[] =>
    goodRows(
      name,
      (row[name] ?? []).map((one) => attempt(() => readLine(one, at))),
    )
  return {
    ...lineIn(row, body, at),
    cart_id,
    expires,
    seat,
    voucher,
    sales_channel: row.sales_channel ?? usualChannel,
    addons: nested('addons'),
    bundled: nested('bundled'),
  }
}

const wholeIn = ({ event: { locale } }: OrderScope) => ({ partial: false, locale }) as const

const readLine = (body: unknown, at: OrderScope): CartLineInput =>
  lineIn(readBody(cartLineInput, withoutBlanks(body, blankable), wholeIn(at)), body, at)

function lineIn(row: RowOf<typeof cartLineInput>, body: unknown, at: OrderScope): CartLineInput {
  const { item, variation, subevent, price, includes_tax, attendee_email } = row
  return {
    item,
    variation,
    subevent,
    namesDate: isObject(body) && Object.hasOwn(body, 'subevent'),
    price,
    includes_tax,
    attendee_name_parts: nameIn(row),
    attendee_email,
    answers: readAnswerInputs(row.answers ?? [], at),
  }
}

/** The parts of a name as they were given; throws 400 when it was given whole as well or in unknown parts. */
function nameIn({
  attendee_name: whole,
  attendee_name_parts: parts,
}: Pick<RowOf<typeof cartLineInput>, 'attendee_name' | 'attendee_name_parts'>): Readonly<
  Record<string, string>
> {
  const given = parts ?? {}
  if (!whole) {
    refuseUnknownParts('attendee_name_parts', given)
    return given
  }
  if (Object.keys(given).length > 0)
    throw invalid({ attendee_name: ['Give either attendee_name or attendee_name_parts, not both.'] })
  return partsFromName(whole)
}
