import type { SaleCatalogue, SoldProduct } from '../../schema/bodies/sale-catalogue.ts'

/** Something that is added to a product, so many for each one of it. */
export interface BasketAddon {
  readonly product: number
  readonly variation: number | null
  readonly count: number
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
}

/** So many of the same, together with what is added to each. */
export interface BasketLine extends BasketChoice {
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
  readonly seat?: string
  readonly price?: string
}

/** As many positions as one order can have. */
export const mostTickets = 500

/** Two choices are the same line where they have the same key. */
export const keyOf = ({ product, variation, subevent, addons, seat, price }: BasketChoice): string =>
  JSON.stringify([
    ...[product, variation, subevent],
    addons.map((one) => [one.product, one.variation, one.count]),
    ...(seat ? [seat.guid] : []),
    ...(price === undefined ? [] : [{ price }]),
  ])

/** The lines with more of a choice: in the line that it has already, or in a new one at the end. */
export function withMore(lines: readonly BasketLine[], choice: BasketChoice, count = 1): BasketLine[] {
  const key = keyOf(choice)
  const known = lines.some((line) => line.key === key)
  return known
    ? lines.map((line) => (line.key === key ? { ...line, count: line.count + count } : line))
    : [...lines, { ...choice, key, count }]
}

/** The lines with a seat of its own: one that is there already is there once. */
export function withSeat(lines: readonly BasketLine[], choice: BasketChoice): readonly BasketLine[] {
  const isThere = lines.some(({ seat }) => seat !== undefined && seat.guid === choice.seat?.guid)
  return isThere ? lines : withMore(lines, choice)
}

/** The lines with another number in one of them; a line of nothing is gone. */
export const withCount = (lines: readonly BasketLine[], key: string, count: number): BasketLine[] =>
  lines.flatMap((line) => (line.key !== key ? [line] : count > 0 ? [{ ...line, count }] : []))

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
      const main = add(line, { item: line.product, variation: line.variation, ...seat, ...price })
      for (const addon of line.addons)
        for (let each = 0; each < addon.count; each += 1)
          add(line, { item: addon.product, variation: addon.variation, addon_to: main })
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
  lines.reduce(
    (sum, { count, addons }) => sum + count * (1 + addons.reduce((all, addon) => all + addon.count, 0)),
    0,
  )

/** How many of a product are in the basket. */
export const countOf = (lines: readonly BasketLine[], product: number): number =>
  lines.reduce((sum, line) => (line.product === product ? sum + line.count : sum), 0)

/** Whether somebody has to choose before a product can be in the basket: its form, or what has to go with it. */
export const asksForChoice = ({ variations, addons, seated, free_price }: SoldProduct): boolean =>
  seated || free_price || variations.length > 0 || addons.some(({ min_count }) => min_count > 0)

/** The products that can be added to one, by the category that they come from. */
export const addonsFor = (catalogue: SaleCatalogue, product: SoldProduct) =>
  product.addons.map((choice) => ({
    choice,
    products: catalogue.products.filter(({ category }) => category === choice.category),
  }))
