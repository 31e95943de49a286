/** What the cells of a column hold. */
export type CellKind = 'text' | 'whole' | 'money' | 'percent' | 'flag' | 'moment' | 'day'

/** A column of a table. */
export interface Column {
  readonly title: string
  readonly kind: CellKind
}

/**
 * A value: money and percentages in hundredths, moments as clocks at the event show them (`YYYY-MM-DDTHH:MM:SS`, no
 * offset), days as `YYYY-MM-DD`.
 */
export type TableCell = string | number | boolean | null

/** The cells of a row, one for each column. */
export type TableRow = readonly TableCell[]

/** A table that is read bit by bit. */
export interface Sheet {
  readonly title: string
  readonly columns: readonly Column[]
  /** How many rows there are about, or null where nobody counts them before. */
  readonly total: number | null
  pages(): AsyncIterable<readonly TableRow[]>
}

const column =
  (kind: CellKind) =>
  (title: string): Column => ({ title, kind })

/** Columns by what they hold. */
export const textColumn = column('text')
export const wholeColumn = column('whole')
export const moneyColumn = column('money')
export const percentColumn = column('percent')
export const flagColumn = column('flag')
export const momentColumn = column('moment')
export const dayColumn = column('day')
