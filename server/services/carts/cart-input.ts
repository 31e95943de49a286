import { cartInput, cartLineInput, usualChannel } from '../../../schema/bodies/cart.ts'
import { answerInput } from '../../../schema/bodies/order-create.ts'
import type { Fields } from '../../../schema/fields.ts'
import { cartSuffix } from '../../../schema/resources/carts/cart-position.ts'
import { partsFromName } from '../../domain/text/names.ts'
import { invalid } from '../../errors.ts'
import type { RowData } from '../../resource/codec.ts'
import { readBody } from '../../resource/input.ts'
import { attempt, goodRows } from '../input/attempts.ts'
import type { EventScope } from '../pricing/order-draft.ts'
import { type AnswerInput, refuseUnknownParts, withoutBlanks } from '../pricing/position-input.ts'

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
export function readCart(body: unknown, at: EventScope): CartInput {
  const row = readFields(cartInput, body, at)
  const { cart_id, expires, seat, voucher, addons, bundled } = row
  const sales_channel = String(row.sales_channel ?? usualChannel)
  if (typeof cart_id === 'string' && !cart_id.endsWith(cartSuffix))
    throw invalid({ cart_id: [`Cart ids made through this interface end in "${cartSuffix}".`] })
  const nested = (name: string, bodies: unknown): CartLineInput[] =>
    goodRows(
      name,
      ((bodies ?? []) as unknown[]).map((one) => attempt(() => readLine(one, at))),
    )
  return {
    ...lineOf(row, body, at),
    cart_id: cart_id as string | null,
    expires: expires as string | null,
    seat: seat as string | null,
    voucher: voucher as string | null,
    sales_channel,
    addons: nested('addons', addons),
    bundled: nested('bundled', bundled),
  }
}

const readFields = (fields: Fields, body: unknown, { event }: EventScope): RowData =>
  readBody(fields, withoutBlanks(body, blankable), { partial: false, locale: event.locale })

const readLine = (body: unknown, at: EventScope): CartLineInput =>
  lineOf(readFields(cartLineInput, body, at), body, at)

function lineOf(row: RowData, body: unknown, at: EventScope): CartLineInput {
  const { item, variation, subevent, price, includes_tax, attendee_email } = row
  return {
    item: Number(item),
    variation: variation as number | null,
    subevent: subevent as number | null,
    namesDate: Object.hasOwn(body as RowData, 'subevent'),
    price: String(price),
    includes_tax: includes_tax === true,
    attendee_name_parts: nameIn(row),
    attendee_email: attendee_email as string | null,
    answers: readAnswers((row.answers ?? []) as unknown[], at),
  }
}

/** The parts of a name as they were given; throws 400 when it was given whole as well or in unknown parts. */
function nameIn({ attendee_name: whole, attendee_name_parts: parts }: RowData): Record<string, string> {
  const given = (parts ?? {}) as Record<string, string>
  if (!whole) {
    refuseUnknownParts('attendee_name_parts', given)
    return given
  }
  if (Object.keys(given).length > 0)
    throw invalid({ attendee_name: ['Give either attendee_name or attendee_name_parts, not both.'] })
  return partsFromName(String(whole))
}

const readAnswers = (bodies: readonly unknown[], { event: { locale } }: EventScope): AnswerInput[] =>
  goodRows(
    'answers',
    bodies.map((body) =>
      attempt(() => readBody(answerInput, body, { partial: false, locale }) as unknown as AnswerInput),
    ),
  )
