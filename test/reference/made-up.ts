import type { Draw } from '../fuzz/invent.ts'
import { pick } from '../fuzz/invent.ts'
import type { Stage } from './stage.ts'

/** What values are drawn from: chance, and what there is on both servers. */
export interface Source {
  readonly draw: Draw
  readonly stage: Stage
}

/** Draws the value of a field. */
export type Make = (source: Source) => unknown

/** One of these. */
export const oneOf =
  (...values: readonly unknown[]): Make =>
  ({ draw }) =>
    pick(draw, values)

/** Yes or no. */
export const yesOrNo = oneOf(true, false)

/** An amount of money. */
export const money = oneOf('0.00', '23.00', '5.00', '10', '19.99', 7, '100.00')

/** A whole number up to some other. */
export const upTo =
  (most: number): Make =>
  ({ draw }) =>
    Math.floor(draw() * (most + 1))

/** A text with a number. */
export const text =
  (...words: readonly string[]): Make =>
  ({ draw }) =>
    `${pick(draw, words)} ${Math.floor(draw() * 1000)}`

/** A text in one language or two. */
export const localized =
  (...words: readonly string[]): Make =>
  (source) => {
    const own = text(...words)(source)
    return pick(source.draw, [{ en: own }, { en: own }, { en: own, de: `${own} (de)` }])
  }

/** A moment within a year of the first of June 2030. */
export const moment: Make = ({ draw }) =>
  new Date(
    Date.UTC(2030, Math.floor(draw() * 12), 1 + Math.floor(draw() * 28), Math.floor(draw() * 24)),
  ).toISOString()

/** Something there is of a kind; null where there is nothing. */
export const known =
  (kind: string): Make =>
  ({ draw, stage }) => {
    const values = stage.of(kind)
    return values.length > 0 ? pick(draw, values) : null
  }

/** Up to two different ones of what there is of a kind. */
export const some =
  (kind: string): Make =>
  (source) => [
    ...new Set(
      Array.from({ length: Math.floor(source.draw() * 3) }, () => known(kind)(source)).filter(
        (one) => one !== null,
      ),
    ),
  ]

/** Null, or what another one draws. */
export const orNull =
  (make: Make): Make =>
  (source) =>
    source.draw() < 0.4 ? null : make(source)

const wrong: readonly unknown[] = [
  null,
  '',
  'x',
  -1,
  1.5,
  99_999_999,
  true,
  [],
  {},
  ['x'],
  '2030-13-45',
  { en: '' },
]

/** A body: all required fields and some of the others; `spoiled` is how often a field holds something odd. */
export function bodyOf(
  source: Source,
  required: Readonly<Record<string, Make>>,
  optional: Readonly<Record<string, Make>>,
  spoiled: number,
): Record<string, unknown> {
  const { draw } = source
  const often = pick(draw, [0.1, 0.3, 0.6])
  const body: Record<string, unknown> = {}
  for (const [name, make] of Object.entries(required)) if (draw() > spoiled / 4) body[name] = make(source)
  for (const [name, make] of Object.entries(optional)) if (draw() < often) body[name] = make(source)
  const names = Object.keys({ ...required, ...optional })
  if (draw() < spoiled) body[pick(draw, names)] = structuredClone(pick(draw, wrong))
  return body
}
