import { shownInstant } from '../../../schema/instants.ts'
import { cashProviderId } from '../../domain/drawer/receipts.ts'
import type { Run } from '../format/exporter.ts'
import type { ClosedDrawer } from './dsfinvk-rows.ts'

/** A cell: text, or a number in hundredths; whole where its column has no decimals. */
export type DsfinvkCell = string | number

/** A column: its name, and how many decimals it has where it is a number. */
export type DsfinvkColumn = readonly [name: string, decimals?: number]

/** A file of the package: what it is about, its columns beside those of the closing, and its rows for one closing. */
export interface DsfinvkTable {
  readonly file: string
  readonly title: string
  readonly columns: readonly DsfinvkColumn[]
  readonly rowsOf: (
    run: Run,
    closed: ClosedDrawer,
  ) => AsyncIterable<readonly DsfinvkCell[]> | Iterable<readonly DsfinvkCell[]>
}

/** The columns by which each row belongs to a closing. */
export const closingColumns: readonly DsfinvkColumn[] = [['Z_KASSE_ID'], ['Z_ERSTELLUNG'], ['Z_NR', 0]]

/** Columns by their names, each with `:` and its decimals where it is a number. */
export const dsfinvkColumns = (names: string): DsfinvkColumn[] =>
  names.split(' ').map((name): DsfinvkColumn => {
    const [word = '', decimals] = name.split(':')
    return decimals === undefined ? [word] : [word, Number(decimals)]
  })

/** A moment as the package writes it; `cell` is as it is stored. */
export const bookedMoment = (cell: string): string => shownInstant(cell)

const taxKeys: Readonly<Record<number, string>> = { 1900: '1', 700: '2', 1070: '3', 550: '4', 0: '5' }
/** The key of a tax rate: that of the law where there is one, and our own from 1000 on. */
export const taxKey = (rate: number): string => taxKeys[rate] ?? String(1000 + rate)

/** What ways of paying are called in the package. */
export function paymentType(provider: string): string {
  if (provider === cashProviderId) return 'Bar'
  if (provider === 'cardterminal') return 'Unbar'
  return provider === 'giftcard' ? 'Guthabenkarte' : 'Unbar'
}

/** An amount with its tax, in hundredths. */
export interface Taxed {
  readonly gross: number
  readonly tax: number
}

/** The sum of two of them. */
export const addTaxed = (sum: Taxed | undefined, { gross, tax }: Taxed): Taxed => ({
  gross: (sum?.gross ?? 0) + gross,
  tax: (sum?.tax ?? 0) + tax,
})
