import type { Resource } from '../../schema/resource.ts'
import type { RowData } from './codec.ts'
import { storedFields } from './store.ts'

/** Values of all stored fields of a row about which nothing was said. */
export const blankRow = (resource: Resource): RowData =>
  Object.fromEntries(
    Object.entries(storedFields(resource)).map(([name, field]) => [
      name,
      structuredClone(field['x-gatehouse'].default ?? null),
    ]),
  )
