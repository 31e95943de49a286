/** One seat as a layout tells of it. */
export interface LayoutSeat {
  readonly seat_guid: string
  readonly seat_number: string
  readonly category: string
  readonly position: { readonly x: number; readonly y: number }
}

/** One row of a zone. Positions of seats are relative to it, and its own to the zone. */
interface LayoutRow {
  readonly row_number: string
  /** How the row is called, with `%s` for its number. */
  readonly row_label?: string | null
  /** How seats of the row are called, with `%s` for their number. */
  readonly seat_label?: string | null
  readonly position?: { readonly x: number; readonly y: number }
  readonly seats: readonly LayoutSeat[]
}

/** A part of a venue. */
interface LayoutZone {
  readonly name?: string
  readonly position: { readonly x: number; readonly y: number }
  readonly rows: readonly LayoutRow[]
}

/** A seating plan in the published exchange format of seating plan editors. */
export interface Layout {
  readonly name: string
  readonly zones: readonly LayoutZone[]
  readonly categories: readonly { readonly name: string; readonly color?: string }[]
  readonly size?: { readonly width: number; readonly height: number }
}

const words = { type: 'string', maxLength: 190 }
const label = { type: ['string', 'null'], maxLength: 190 }
const number = { type: 'number' }

const object = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  properties,
  required: [...required],
})

const list = (items: object, maxItems: number): object => ({ type: 'array', items, maxItems })

const position = object({ x: number, y: number }, ['x', 'y'])

const seat = object(
  {
    seat_guid: { ...words, minLength: 1 },
    seat_number: words,
    position,
    category: words,
  },
  ['seat_guid', 'seat_number', 'position', 'category'],
)

const row = object(
  {
    row_number: words,
    row_label: label,
    seat_label: label,
    number_of_seats: { type: 'integer' },
    seats_spacing: number,
    position,
    seats: list(seat, 20_000),
  },
  ['row_number', 'seats'],
)

const area = object(
  {
    color: { type: 'string' },
    border_color: { type: 'string' },
    rotation: number,
    position,
  },
  ['position'],
)

const zone = object(
  {
    name: words,
    displayed: { type: 'boolean' },
    position,
    rows: list(row, 20_000),
    areas: list(area, 20_000),
  },
  ['position', 'rows'],
)

/**
 * What a layout looks like. What it has beyond this is kept for the editor that made it: the format grows, and a plan
 * that is drawn with a newer editor has the same seats.
 */
export const layoutSchema = object(
  {
    name: { type: 'string' },
    zones: list(zone, 1000),
    categories: list(object({ name: { ...words, minLength: 1 }, color: { type: 'string' } }, ['name']), 1000),
    size: object({ width: number, height: number }, ['width', 'height']),
  },
  ['name', 'zones', 'categories'],
)
