import type { SaleCatalogue, SoldProduct } from '../../../schema/bodies/sale-catalogue.ts'

/** Something that is added to a product or comes with it, so many for each one of it. */
export interface BasketAddon {
  readonly product: number
  readonly variation: number | null
  readonly count: number
  /** Whether the product is never without it, and has its price in its own. */
  readonly bundled?: true
}

/** A seat that is held for this basket. */
export interface HeldSeat {
  /** Its name in the plan. */
  readonly guid: string
  readonly name: string
  /** The place in a cart that holds it, and the cart, which the sale consumes. */
  readonly hold: number
  readonly cart: string
}

/** What a line of a basket is of. */
export interface BasketChoice {
  readonly product: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly addons: readonly BasketAddon[]
  readonly seat?: HeldSeat
  /** What the buyer wants to pay for each, where that is theirs to say. */
  readonly price?: string
  /** The code of the voucher that each of it is bought with. */
  readonly voucher?: string
}

/** What was typed about a ticket: by the field of the API, or by the id of a question. */
export type TicketDetails = Readonly<Record<string, string>>

/** What was typed while a line was in the basket. */
interface Typed {
  /** About its tickets, in the order of their positions. */
  readonly details?: readonly TicketDetails[]
  /** The address of the buyer, which all lines have that were there then. */
  readonly email?: string
}

/** So many of the same, together with what is added to each. */
export interface BasketLine extends BasketChoice, Typed {
  readonly key: string
  readonly count: number
}

/** A position as orders are created with it. */
export interface BasketPosition {
  readonly positionid: number
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly addon_to?: number
  readonly is_bundled?: true
  readonly seat?: string
  readonly price?: string
  readonly voucher?: string
}

/** As many positions as one order can have. */
export const mostTickets = 500

/** Two choices are the same line where they have the same key. */
export const keyOf = ({ product, variation, subevent, addons, seat, price, voucher }: BasketChoice): string =>
  JSON.stringify([
    ...[product, variation, subevent],
    addons.map((one) => [one.product, one.variation, one.count]),
    ...(seat ? [seat.guid] : []),
    ...(price === undefined ? [] : [{ price }]),
    ...(voucher === undefined ? [] : [{ voucher }]),
  ])

/** How many positions each of a choice is: itself, and what is added to it. */
const positionsOf = ({ addons }: BasketChoice): number => addons.reduce((all, { count }) => all + count, 1)

/** What was typed about the tickets of a line: as many entries as it has positions. */
const detailsOf = (line: BasketLine): readonly TicketDetails[] =>
  Array.from({ length: line.count * positionsOf(line) }, (_, index) => line.details?.[index] ?? {})

/** The lines with more of a choice: in the line that it has already, or in a new one at the end. */
export function withMore(
  lines: readonly BasketLine[],
  choice: BasketChoice & Typed,
  count = 1,
): readonly BasketLine[] {
  const key = keyOf(choice)
  const known = lines.find((line) => line.key === key)
  if (!known) return [...lines, { ...choice, key, count }]
  const details = choice.details ? { details: [...detailsOf(known), ...choice.details] } : {}
  const more = { ...known, ...details, count: known.count + count }
  return lines.map((line) => (line.key === key ? more : line))
}

/** The lines with a seat of its own: one that is there already is there once. */
export function withSeat(lines: readonly BasketLine[], choice: BasketChoice): readonly BasketLine[] {
  const isThere = lines.some(({ seat }) => seat !== undefined && seat.guid === choice.seat?.guid)
  return isThere ? lines : withMore(lines, choice)
}

/** The lines of a basket together with those of another one. */
export const withAll = (lines: readonly BasketLine[], more: readonly BasketLine[]): readonly BasketLine[] =>
  more.reduce<readonly BasketLine[]>(
    (all, { key: _, count, ...choice }) =>
      choice.seat ? withSeat(all, choice) : withMore(all, choice, count),
    lines,
  )

/** The lines with another number in one of them; a line of nothing is gone, and so is what was typed about a ticket that is. */
export const withCount = (lines: readonly BasketLine[], key: string, count: number): BasketLine[] =>
  lines.flatMap((line) => {
    if (line.key !== key) return [line]
    const details = line.details ? { details: line.details.slice(0, count * positionsOf(line)) } : {}
    return count > 0 ? [{ ...line, ...details, count }] : []
  })

/** The lines with fewer of a product, those that came last first. */
export const withFewer = (lines: readonly BasketLine[], product: number, count: number): BasketLine[] =>
  lines
    .reduceRight<{ readonly rest: number; readonly lines: readonly BasketLine[] }>(
      ({ rest, lines: after }, line) => {
        const less = line.product === product ? Math.min(rest, line.count) : 0
        return { rest: rest - less, lines: [...withCount([line], line.key, line.count - less), ...after] }
      },
      { rest: count, lines: [] },
    )
    .lines.slice()

/** The lines with something that was typed about one of their tickets. */
export const withDetail = (
  lines: readonly BasketLine[],
  { line: key, index }: { readonly line: string; readonly index: number },
  [field, text]: readonly [field: string, text: string],
): BasketLine[] =>
  lines.map((line) =>
    line.key === key
      ? { ...line, details: detailsOf(line).with(index, { ...line.details?.[index], [field]: text }) }
      : line,
  )

/** The address of the buyer, as far as it was typed. */
export const emailOf = (lines: readonly BasketLine[]): string => lines.find(({ email }) => email)?.email ?? ''

/** The positions of an order for some lines, each with the key of its line. */
export function basketPositions(
  lines: readonly BasketLine[],
): { readonly line: string; readonly position: BasketPosition }[] {
  const positions: { line: string; position: BasketPosition }[] = []
  const add = (line: BasketLine, more: Omit<BasketPosition, 'positionid' | 'subevent'>): number => {
    const positionid = positions.length + 1
    positions.push({ line: line.key, position: { positionid, subevent: line.subevent, ...more } })
    return positionid
  }
  for (const line of lines)
    for (let one = 0; one < line.count; one += 1) {
      const seat = line.seat ? { seat: line.seat.guid } : {}
      const price = line.price === undefined ? {} : { price: line.price }
      const voucher = line.voucher === undefined ? {} : { voucher: line.voucher }
      const main = add(line, { item: line.product, variation: line.variation, ...seat, ...price, ...voucher })
      for (const addon of line.addons)
        for (let each = 0; each < addon.count; each += 1)
          add(line, {
            ...{ item: addon.product, variation: addon.variation, addon_to: main },
            ...(addon.bundled ? { is_bundled: true } : {}),
          })
    }
  return positions
}

/** The seats that are held for some lines. */
export const heldFor = (lines: readonly BasketLine[]): HeldSeat[] => lines.flatMap(({ seat }) => seat ?? [])

/** The carts that a sale of some lines consumes; none where no seat is held. */
export const cartsOf = (lines: readonly BasketLine[]): string[] => [
  ...new Set(heldFor(lines).map(({ cart }) => cart)),
]

/** How many tickets and add-ons some lines are. */
export const ticketCount = (lines: readonly BasketLine[]): number =>
  lines.reduce((sum, line) => sum + line.count * positionsOf(line), 0)

/** How many are bought with a voucher. */
export const usesOf = (lines: readonly BasketLine[], voucher: string): number =>
  lines.reduce((sum, line) => (line.voucher === voucher ? sum + line.count : sum), 0)

/** How many of a product are in the basket. */
export const countOf = (lines: readonly BasketLine[], product: number): number =>
  lines.reduce((sum, line) => (line.product === product ? sum + line.count : sum), 0)

/** Whether somebody has to choose before a product can be in the basket: its form, or what has to go with it. */
export const asksForChoice = ({ variations, addons, seated, free_price }: SoldProduct): boolean =>
  seated || free_price || variations.length > 0 || addons.some(({ min_count }) => min_count > 0)

/** What a product comes with, as it stands in a basket. */
export const bundledWith = ({ bundles }: SoldProduct): BasketAddon[] =>
  bundles.map(({ product, variation, count }) => ({ product, variation, count, bundled: true }))

/** The products that can be added to one, by the category that they come from. */
export const addonsFor = (catalogue: SaleCatalogue, product: SoldProduct) =>
  product.addons.map((choice) => ({
    choice,
    products: catalogue.products.filter(({ category }) => category === choice.category),
  }))
