import sql from 'sql-template-tag'
import type { TillDrawer } from '../../../schema/bodies/sale-catalogue.ts'
import { drawer, type StoredDrawer } from '../../../schema/resources/drawer/drawer.ts'
import { findRow, findRows } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { ownDrawerId } from './write-receipt.ts'

/** Where a till looks for drawers: at its server, for the event that it sells for. */
interface TillSpot extends Place {
  readonly device: number
  readonly site: number
}

interface TillCells {
  readonly id: number
  readonly name: string
  readonly cashier: string | null
}

/** The drawer that a till works at, and those of its event where it could work as well: drawers belong to one server. */
export async function shownDrawers(
  db: Queryable,
  { organizer, event, device, site }: TillSpot,
): Promise<{ readonly drawer: TillDrawer | null; readonly other_drawers: readonly TillDrawer[] }> {
  const tills = await db.all<TillCells>(
    sql`SELECT device.id, device.name, staff.name AS cashier FROM device
          LEFT JOIN staff_session ON staff_session.organizer = device.organizer AND staff_session.device = device.id
          LEFT JOIN staff ON staff.organizer = device.organizer AND staff.id = staff_session.staff
          WHERE device.organizer = ${organizer}`,
  )
  const shown = ({ id, name, opened, training, tills: at }: StoredDrawer): TillDrawer => ({
    ...{ id, name, opened, training },
    tills: tills
      .filter((till) => at.includes(till.id))
      .map((till) => ({ name: till.name, cashier: till.cashier, here: till.id === device })),
  })
  const own = await ownDrawerId(db, organizer, device)
  const row = own && (await findRow(db, drawer, own.place, { id: own.id }))
  if (row) return { drawer: shown(row), other_drawers: [] }
  const where = sql`"state" = 'open' AND "site" = ${site}`
  const others = await findRows(db, drawer, { organizer, event }, { where, order: sql`"opened", id` })
  return { drawer: null, other_drawers: others.map(shown) }
}
