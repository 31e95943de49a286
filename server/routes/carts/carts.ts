import type Router from '@koa/router'
import type { Context } from 'koa'
import sql, { type Sql } from 'sql-template-tag'
import { cartPosition, cartSuffix } from '../../../schema/resources/carts/cart-position.ts'
import { invalid, notFound } from '../../errors.ts'
import type { Api, Scope } from '../../resource/api.ts'
import type { RowData } from '../../resource/codec.ts'
import { addressOf, bodyOf } from '../../resource/endpoints.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { orderBy } from '../../resource/query.ts'
import { deleteWithReferences } from '../../resource/references.ts'
import { idIn, refuseMethod } from '../../resource/routes.ts'
import { countRows, findRow, findRows } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { auditAction } from '../../resource/writing.ts'
import { createCarts } from '../../services/carts/cart-create.ts'
import { type CartInput, readCart } from '../../services/carts/cart-input.ts'
import { presentCarts, presentCreated } from '../../services/carts/cart-present.ts'
import type { CartRow, CreatedCart } from '../../services/carts/cart-rows.ts'
import { type Attempt, attempt } from '../../services/input/attempts.ts'
import type { OrderScope } from '../../services/pricing/order-draft.ts'
import { LeasesUsedUp } from '../../services/quotas/lease-sales.ts'
import type { Queryable } from '../../storage/database.ts'
import { eventAt } from '../events/event-at.ts'

/** Only carts that were made through the interface are shown in it. */
const isOurs: Sql = sql`cart_id LIKE ${`%${cartSuffix}`}`

const mostInBulk = 1000

/** Serves cart positions: what is held for people who have not ordered yet. */
export function serveCarts(router: Router, api: Api): void {
  const { transactions, catalogue } = api
  const { database } = transactions
  const collection = '/api/v1/organizers/:organizer/events/:event/cartpositions/'
  const single = `${collection}:id/`
  const bulk = `${collection}bulk_create/`
  const read = api.admit('event', 'can_view_orders')
  const write = api.admit('event', 'can_change_orders')

  router.get(collection, read, async (ctx) => {
    const { place }: Scope = ctx.state.scope
    const page = pageOf(ctx.query)
    const order = sql`${orderBy(cartPosition, ctx.query, database.engine)} LIMIT ${page.size} OFFSET ${page.offset}`
    const count = await countRows(database, cartPosition, place, isOurs)
    const rows = await findRows(database, cartPosition, place, isOurs, order)
    ctx.body = pageBody(addressOf(ctx), page, count, await presentCarts(database, place.organizer, rows))
  })

  router.post(collection, write, async (ctx) => {
    const at = eventAt(ctx)
    const input = readCart(bodyOf(ctx), at)
    const [result] = await create(api, at, [{ ok: true, value: input }])
    if (!result?.ok) throw invalid((result?.errors ?? []) as RowData)
    ctx.status = 201
    ctx.body = (await presentCreated(database, at.place.organizer, [result.value]))[0]
  })

  router.post(bulk, write, async (ctx) => {
    const at = eventAt(ctx)
    const bodies = bodyOf(ctx)
    if (!Array.isArray(bodies)) throw invalid({ error: 'Please supply a list' })
    if (bodies.length > mostInBulk) throw invalid({ error: `Send at most ${mostInBulk} of these.` })
    const asked = bodies.map((body) => attempt(() => readCart(body, at)))
    const results = await create(api, at, asked)
    const made = results.flatMap((one) => (one.ok ? [one.value] : []))
    const shown = await presentCreated(database, at.place.organizer, made)
    ctx.body = {
      results: results.map((one) =>
        one.ok
          ? { success: true, data: shown[made.indexOf(one.value)], errors: null }
          : { success: false, data: null, errors: errorsByField(one.errors) },
      ),
    }
  })

  router.get(single, read, async (ctx) => {
    const { place }: Scope = ctx.state.scope
    const row = await existing(database, ctx)
    ctx.body = (await presentCarts(database, place.organizer, [row]))[0]
  })

  router.delete(single, write, async (ctx) => {
    const { place, actor }: Scope = ctx.state.scope
    await transactions.write(async (tx) => {
      const { id } = await existing(tx, ctx, tx.forUpdate)
      await deleteWithReferences(tx, catalogue, cartPosition, place, id)
      const action = auditAction(cartPosition, {}, 'deleted')
      tx.audit(place, actor, { action, resource: cartPosition.name, row: id })
    })
    ctx.status = 204
  })

  router.all(bulk, api.admit('event', null), (ctx) => refuseMethod(ctx))
  for (const path of [collection, single])
    router.all(path, api.admit('event', null), (ctx) => refuseMethod(ctx))
}

/** The row that a path names, hidden fields included; 404 where it is not there or was not made through the interface. */
async function existing(db: Queryable, ctx: Context, lock?: Sql): Promise<CartRow> {
  const { place }: Scope = ctx.state.scope
  const row = await findRow(db, cartPosition, place, 'id', idIn(ctx.params.id), lock)
  if (!row?.cart_id.endsWith(cartSuffix)) throw notFound()
  return row
}

/** Plain texts are under no field. */
const errorsByField = (errors: unknown): unknown =>
  Array.isArray(errors) ? { non_field_errors: errors } : errors

/** Fills carts; where this node may not sell that many without asking, it asks for more and tries once again. */
async function create(
  { transactions, askForLeases }: Api,
  at: OrderScope,
  asked: readonly Attempt<CartInput>[],
): Promise<Attempt<CreatedCart>[]> {
  const fill = (mayAsk: boolean) => transactions.write((tx: Tx) => createCarts(tx, at, asked, { mayAsk }))
  try {
    return await fill(askForLeases !== undefined)
  } catch (cause) {
    if (!(cause instanceof LeasesUsedUp)) throw cause
    await askForLeases?.(at.place, cause.needs)
    return fill(false)
  }
}
