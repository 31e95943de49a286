import sql, { type Sql } from 'sql-template-tag'
import { instantParameter, type Query } from '../../resource/query.ts'

/** The parameters that bound when events and dates begin and end; those without an end are in no bounds of that. */
const bounds = [
  ['date_from_after', (moment: string) => sql`date_from >= ${moment}`],
  ['date_from_before', (moment: string) => sql`date_from <= ${moment}`],
  ['date_to_after', (moment: string) => sql`date_to >= ${moment}`],
  ['date_to_before', (moment: string) => sql`date_to <= ${moment}`],
] as const

/** The conditions that a query makes on when the rows of a table begin and end. */
export const timeConditions = (query: Query): Sql[] =>
  bounds.flatMap(([name, condition]) => {
    const moment = instantParameter(query, name)
    return moment ? [condition(moment)] : []
  })
