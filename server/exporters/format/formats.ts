import type { Dialect } from './csv-file.ts'
import type { Exporter } from './exporter.ts'

/** How tables are written: as a workbook of all of them, or one of them as CSV. */
export type Format =
  | { readonly kind: 'xlsx' }
  | { readonly kind: 'csv'; readonly sheet: string; readonly dialect: Dialect }

const dialects: readonly Dialect[] = ['default', 'excel', 'semicolon']
const listFormats: Readonly<Record<string, Dialect>> = {
  default: 'default',
  'csv-excel': 'excel',
  semicolon: 'semicolon',
}

/** The formats that an exporter takes as `_format`, by their names there; none where it has a format of its own. */
export function formatsOf({ output }: Exporter): ReadonlyMap<string, Format> {
  if (output.kind === 'file') return new Map()
  const { sheets } = output
  const [only] = sheets
  const csv: (readonly [string, Format])[] =
    sheets.length === 1 && only
      ? Object.entries(listFormats).map(([name, dialect]) => [
          name,
          { kind: 'csv', sheet: only.name, dialect },
        ])
      : sheets.flatMap(({ name }) =>
          dialects.map((dialect) => [`${name}:${dialect}`, { kind: 'csv', sheet: name, dialect }] as const),
        )
  return new Map([['xlsx', { kind: 'xlsx' }], ...csv])
}
