import sql, { type Sql } from 'sql-template-tag'
import { ev, operationOf } from '../../../schema/actions/action.ts'
import { cartPositionBulkCreate, cartPositionCreate } from '../../../schema/actions/carts.ts'
import { mostCartLines } from '../../../schema/bodies/cart.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import { cartPosition, cartSuffix } from '../../../schema/resources/carts/cart-position.ts'
import { invalid, notFound } from '../../errors.ts'
import type { Api } from '../../resource/api.ts'
import type { EndpointAnswer } from '../../resource/asked.ts'
import {
  type ActionRequest,
  type ApiRouter,
  serveAction,
  serveRaw,
  serveRead,
} from '../../resource/endpoints.ts'
import { orderBy } from '../../resource/query.ts'
import { deleteWithReferences } from '../../resource/references.ts'
import { idIn } from '../../resource/routes.ts'
import { countRows, findRow, findRows, lockRow } from '../../resource/store.ts'
import { auditAction } from '../../resource/writing.ts'
import { createCarts } from '../../services/carts/cart-create.ts'
import { type CartInput, readCart } from '../../services/carts/cart-input.ts'
import { presentCarts, presentCreated } from '../../services/carts/cart-present.ts'
import type { CartRow, CreatedCart } from '../../services/carts/cart-rows.ts'
import { type Attempt, attempt } from '../../services/input/attempts.ts'
import type { OrderScope } from '../../services/pricing/order-draft.ts'
import { LeasesUsedUp } from '../../services/quotas/lease-sales.ts'
import type { Queryable } from '../../storage/database.ts'

/** Only carts that were made through the interface are shown in it. */
const isOurs: Sql = sql`cart_id LIKE ${`%${cartSuffix}`}`

const tooMany = `Send at most ${mostCartLines} of these, add-ons and bundled products among them.`

const collection = `${ev}/cartpositions/` as const
const single = `${collection}:id/` as const

/** Serves cart positions: what is held for people who have not ordered yet. */
export function serveCarts(router: ApiRouter): void {
  const { api } = router

  serveRead(router, operationOf(cartPosition, 'list', collection), async (request, db) => {
    const { place, query, page } = request
    const order = sql`${orderBy(cartPosition, query, db.engine)} LIMIT ${page.size} OFFSET ${page.offset}`
    const count = await countRows(db, cartPosition, place, isOurs)
    const rows = await findRows(db, cartPosition, place, { where: isOurs, order })
    return request.pageOf(count, await presentCarts(db, place.organizer, rows))
  })

  serveRaw(router, cartPositionCreate, async (request) => {
    const input = readCart(request.body, request)
    return create(api, request, [{ ok: true, value: input }], async ([result], db) => {
      if (!result?.ok) throw invalid((result?.errors ?? []) as JsonObject)
      return (await presentCreated(db, request.place.organizer, [result.value]))[0]
    })
  })

  serveRaw(router, cartPositionBulkCreate, async (request) => {
    const { body: bodies } = request
    if (!Array.isArray(bodies)) throw invalid({ error: 'Please supply a list' })
    if (bodies.length > mostCartLines) throw invalid({ error: tooMany })
    const asked = bodies.map((body) => attempt(() => readCart(body, request)))
    const lines = asked.flatMap((one) =>
      one.ok ? [one.value, ...one.value.addons, ...one.value.bundled] : [],
    )
    if (lines.length > mostCartLines) throw invalid({ error: tooMany })
    return create(api, request, asked, async (results, db) => {
      const made = results.flatMap((one) => (one.ok ? [one.value] : []))
      const shown = await presentCreated(db, request.place.organizer, made)
      return {
        results: results.map((one) =>
          one.ok
            ? { success: true, data: shown[made.indexOf(one.value)], errors: null }
            : { success: false, data: null, errors: errorsByField(one.errors) },
        ),
      }
    })
  })

  serveRead(router, operationOf(cartPosition, 'retrieve', single), async ({ place, params }, db) => {
    const row = throughApi(await findRow(db, cartPosition, place, { id: idIn(params.id) }))
    return (await presentCarts(db, place.organizer, [row]))[0]
  })

  serveAction(router, operationOf(cartPosition, 'delete', single), async ({ place, actor, params }, tx) => {
    const { id } = throughApi(await lockRow(tx, cartPosition, place, { id: idIn(params.id) }))
    await deleteWithReferences(tx, api.catalogue, { resource: cartPosition, place, id })
    const action = auditAction(cartPosition, {}, 'deleted')
    tx.audit(place, actor, { action, resource: cartPosition.name, row: id })
  })
}

/** The row that was found; 404 where none was, or one that was not made through the interface. */
function throughApi(row: CartRow | undefined): CartRow {
  if (!row?.cart_id.endsWith(cartSuffix)) throw notFound()
  return row
}

/** Plain texts are under no field. */
const errorsByField = (errors: unknown): unknown =>
  Array.isArray(errors) ? { non_field_errors: errors } : errors

/** Fills carts; where this node may not sell that many without asking, it asks for more and tries once again. */
async function create(
  { askForLeases }: Api,
  at: OrderScope & ActionRequest<string>,
  asked: readonly Attempt<CartInput>[],
  show: (made: Attempt<CreatedCart>[], db: Queryable) => Promise<unknown>,
): Promise<EndpointAnswer> {
  const fill = (mayAsk: boolean) => at.carryOut((tx) => createCarts(tx, at, asked, { mayAsk }), show)
  try {
    return await fill(askForLeases !== undefined)
  } catch (cause) {
    if (!(cause instanceof LeasesUsedUp)) throw cause
    await askForLeases?.(at.place, cause.needs)
    return fill(false)
  }
}
