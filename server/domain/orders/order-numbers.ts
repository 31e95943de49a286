/** How a request numbers one position: both, one or neither may be given. */
interface GivenNumber {
  readonly positionid: number | null
  readonly addon_to: number | null
}

/** Messages by field; empty for a position that is fine. */
type Complaints = Record<string, string[]>

/** Numbers for the positions of an order, or what is wrong with each of them. */
type Numbering =
  | { readonly ok: true; readonly numbers: readonly number[] }
  | { readonly ok: false; readonly errors: readonly Complaints[] }

/**
 * Numbers the positions of an order from 1. A request gives either none of the numbers or all, which then have to be
 * consecutive; add-ons follow what they belong to at once and need numbers.
 */
export function numberPositions(positions: readonly GivenNumber[]): Numbering {
  const errors = positions.some(({ positionid }) => positionid !== null)
    ? checkGiven(positions)
    : positions.map(
        ({ addon_to }): Complaints =>
          addon_to === null
            ? {}
            : { addon_to: ['An add-on needs position numbers: give `positionid` to all positions.'] },
      )
  if (errors.some((one) => Object.keys(one).length > 0)) return { ok: false, errors }
  return { ok: true, numbers: positions.map((_, index) => index + 1) }
}

function checkGiven(positions: readonly GivenNumber[]): Complaints[] {
  let base: number | null = null
  return positions.map(({ positionid, addon_to }, index): Complaints => {
    if (addon_to === null) base = positionid
    if (positionid === null) return { positionid: ['Give numbers to all positions or to none of them.'] }
    if (positionid !== index + 1)
      return { positionid: ['The numbers have to be consecutive and start with 1.'] }
    if (addon_to !== null && addon_to !== base)
      return { addon_to: ['An add-on has to follow the position that it belongs to.'] }
    return {}
  })
}
