import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { Permission } from '../../../schema/permissions.ts'
import { cartPosition } from '../../../schema/resources/carts/cart-position.ts'
import { voucher } from '../../../schema/resources/carts/voucher.ts'
import { may } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { audienceOf } from '../../resource/mask.ts'
import { type Query, repeated } from '../../resource/query.ts'
import { shown } from '../../resource/routes.ts'
import { findRows } from '../../resource/store.ts'
import { presentCarts } from '../../services/carts/cart-present.ts'
import { presentPositions, selectPositions } from '../../services/orders/positions.ts'
import { downloadSiteOf } from '../../services/orders/ticket-downloads.ts'
import type { Queryable } from '../../storage/database.ts'

type Load = (db: Queryable, scope: Scope, ids: readonly number[]) => Promise<readonly JsonObject[]>

interface Holder {
  readonly needs: Permission
  readonly load: Load
}

const holders: Readonly<Record<'orderposition' | 'cartposition' | 'voucher', Holder>> = {
  orderposition: {
    needs: 'can_view_orders',
    async load(db, { actor, organizer, place, event, origin = '' }, ids) {
      const found = await selectPositions(
        db,
        sql`p.organizer = ${place.organizer} AND p.event = ${place.event} AND p.id IN (${join([...ids])})`,
        sql`p.id`,
      )
      const rows = await presentPositions(db, place.organizer, found, {
        list: null,
        atDoor: false,
        site: downloadSiteOf(origin, organizer.slug, event ? [{ event }] : []),
        audience: audienceOf(actor),
      })
      return rows.map((row) => ({ ...row, order: { code: row.order, event: event?.slug } }))
    },
  },
  cartposition: {
    needs: 'can_view_orders',
    load: async (db, { place }, ids) =>
      presentCarts(
        db,
        place.organizer,
        await findRows(db, cartPosition, place, { where: sql`id IN (${join([...ids])})` }),
      ),
  },
  voucher: {
    needs: 'can_view_vouchers',
    load: async (db, { place }, ids) =>
      (await findRows(db, voucher, place, { where: sql`id IN (${join([...ids])})` })).map((row) =>
        shown(voucher, row),
      ),
  },
}

/**
 * Puts those who hold some seats in place of their ids where `expand` names them. Whoever may not look at them
 * otherwise is shown the ids.
 */
export async function expandHolders(
  db: Queryable,
  scope: Scope,
  query: Query,
  seats: readonly JsonObject[],
): Promise<JsonObject[]> {
  const wanted = new Set(repeated(query, 'expand'))
  const result = seats.map((row) => ({ ...row }))
  for (const [name, { needs, load }] of Object.entries(holders)) {
    const ids = seats.flatMap((row) => (typeof row[name] === 'number' ? [row[name]] : []))
    if (!wanted.has(name) || ids.length === 0 || !may(scope.actor, needs)) continue
    const found = new Map((await load(db, scope, ids)).map((row) => [row.id, row]))
    for (const row of result) row[name] = found.get(row[name]) ?? row[name]
  }
  return result
}
