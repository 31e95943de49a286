import { Sql } from 'sql-template-tag'

/** A value as a database takes it. */
type Cell = string | number | null

/** A statement whose text is that of its shape, so that a driver finds what it has prepared without comparing texts. */
export class ShapedSql extends Sql {
  /** The same object for all statements of one shape. */
  readonly shape: readonly string[]

  constructor(shape: readonly string[], values: readonly Cell[]) {
    super(shape, values)
    this.shape = shape
  }
}

/**
 * Makes a statement that is carried out very often: its text is put together once. `write` puts its parameters, all of
 * them and in their order, into a template; `count` says how many where it takes any number.
 */
export function shaped<V extends readonly Cell[]>(
  write: (...values: V) => Sql,
  count: number = write.length,
): (...values: V) => Sql {
  const places = Array.from({ length: count }, (_, index) => `place ${index}`)
  const { strings, values } = write(...(places as readonly Cell[] as V))
  if (values.length !== count || values.some((place, index) => place !== places[index]))
    throw new Error(`A statement does not take its values in their order: ${strings.join('?')}`)
  return (...given) => new ShapedSql(strings, given)
}
