import sql, { join, type Sql } from 'sql-template-tag'
import type { Changes } from '../../../schema/sync.ts'
import type { Queryable } from '../../storage/database.ts'
import { replicated } from '../feed/replicated.ts'
import { idOf, shapeOf } from './replica-rows.ts'

/** Where only one row may have a value: a value that no other row has is put there for the moment. */
const unique: Readonly<Record<string, readonly Sql[]>> = {
  gate: [sql`identifier = '~' || id`],
  device: [sql`device_id = -id`],
  event: [sql`slug = '~' || id`],
  event_key: [sql`key_id = -id`],
  question: [sql`identifier = '~' || id`],
  question_option: [sql`identifier = '~' || id`],
  order: [sql`code = '~' || id`],
  order_position: [sql`secret = '~' || id`],
  blocked_secret: [sql`secret = '~' || id`],
  checkin: [sql`ordinal = NULL`],
}

/** Takes away from the rows of a page what two of them may be about to exchange; putting the rows gives it back. */
export async function loosen(tx: Queryable, organizer: number, page: Changes): Promise<void> {
  for (const resource of replicated) {
    const changes = unique[resource.name]
    const rows = page.rows[resource.name]
    const shape = rows && shapeOf(resource.name, rows.columns, organizer)
    const ids = [
      ...(rows && shape ? rows.rows.map((row) => idOf(shape, row)) : []),
      ...(page.gone[resource.name] ?? []),
    ]
    const table = (shape ?? shapeOf(resource.name, [], organizer))?.table
    if (!changes || !table || ids.length === 0) continue
    for (let first = 0; first < ids.length; first += 500)
      await tx.run(
        sql`UPDATE ${table} SET ${join([...changes])}
            WHERE organizer = ${organizer} AND id IN (${join(ids.slice(first, first + 500))})`,
      )
  }
}
