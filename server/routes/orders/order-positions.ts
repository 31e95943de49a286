import type Router from '@koa/router'
import type { Context } from 'koa'
import sql, { empty } from 'sql-template-tag'
import { blockInput } from '../../../schema/bodies/order-actions.ts'
import { notFound } from '../../errors.ts'
import type { Api, Scope } from '../../resource/api.ts'
import type { RowData } from '../../resource/codec.ts'
import { addressOf, bodyOf, originOf } from '../../resource/endpoints.ts'
import { readBody } from '../../resource/input.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { flagParameter } from '../../resource/query.ts'
import { idIn, refuseMethod } from '../../resource/routes.ts'
import { regenerateTicketSecret } from '../../services/order-actions/order-secrets.ts'
import { addPosition, readAddedPosition } from '../../services/order-actions/position-add.ts'
import { blockPosition, cancelPosition } from '../../services/order-actions/position-cancel.ts'
import { changePosition, readPositionChange } from '../../services/order-actions/position-change.ts'
import { addPdfData } from '../../services/orders/pdf-data.ts'
import { lockPosition } from '../../services/orders/position-lock.ts'
import { findEventPositions } from '../../services/orders/position-query.ts'
import {
  type PositionCells,
  type PositionView,
  presentPositions,
  selectPositions,
} from '../../services/orders/positions.ts'
import type { DownloadSite } from '../../services/orders/ticket-downloads.ts'
import { eventAt } from '../events/event-at.ts'
import { chosenFields } from '../input/chosen-fields.ts'
import { expandRows } from '../input/expand.ts'
import { serveAnswerFiles } from './answer-files.ts'
import { servePositionPrints } from './position-prints.ts'

/** How a request wants to see the positions of its event. */
function viewOf(ctx: Context): PositionView & { readonly site: DownloadSite } {
  const { organizer, event }: Scope = ctx.state.scope
  const events = new Map(event ? [[event.id, event]] : [])
  const site = { origin: originOf(ctx), organizer: organizer.slug, events }
  return { list: null, atDoor: false, site }
}

/** Serves the positions of an event's orders. */
export function serveOrderPositions(router: Router, api: Api): void {
  const { transactions } = api
  const { database } = transactions
  const collection = '/api/v1/organizers/:organizer/events/:event/orderpositions/'
  const single = `${collection}:id/`
  const read = api.admit('event', 'can_view_orders')
  const write = api.admit('event', 'can_change_orders')

  /** Positions as a request wants to see them, with what can be printed of them where it asks for that. */
  async function shownRows(ctx: Context, found: readonly PositionCells[]): Promise<RowData[]> {
    const { place }: Scope = ctx.state.scope
    const view = viewOf(ctx)
    const rows = await presentPositions(database, place.organizer, found, view)
    return flagParameter(ctx.query, 'pdf_data') === true
      ? addPdfData(database, place.organizer, view.site, { positions: found, shown: rows })
      : rows
  }

  async function shownPosition(ctx: Context, id: number, withCanceled: boolean): Promise<RowData> {
    const { place }: Scope = ctx.state.scope
    const open = withCanceled ? empty : sql` AND p.canceled = 0`
    const found = await selectPositions(
      database,
      sql`p.organizer = ${place.organizer} AND p.event = ${place.event} AND p.id = ${id}${open}`,
      sql`p.id`,
    )
    const [row] = await shownRows(ctx, found)
    if (!row) throw notFound()
    return row
  }

  /** Quotas are looked at unless a request says otherwise. */
  const checksQuotas = (ctx: Context): boolean => flagParameter(ctx.query, 'check_quotas') !== false

  router.get(collection, read, async (ctx) => {
    const { place }: Scope = ctx.state.scope
    const page = pageOf(ctx.query)
    const found = await findEventPositions(database, place, ctx.query, page)
    const rows = await expandRows(database, ctx, await shownRows(ctx, found.positions))
    ctx.body = pageBody(addressOf(ctx), page, found.count, chosenFields(ctx.query, rows))
  })

  router.get(single, read, async (ctx) => {
    const withCanceled = flagParameter(ctx.query, 'include_canceled_positions') === true
    const row = await shownPosition(ctx, idIn(ctx.params.id), withCanceled)
    ctx.body = chosenFields(ctx.query, await expandRows(database, ctx, [row]))[0]
  })

  router.post(collection, write, async (ctx) => {
    const at = eventAt(ctx)
    const input = readAddedPosition(bodyOf(ctx), at)
    const id = await transactions.write((tx) => addPosition(tx, at, input, checksQuotas(ctx)))
    ctx.status = 201
    ctx.body = await shownPosition(ctx, id, false)
  })

  router.patch(single, write, async (ctx) => {
    const { place }: Scope = ctx.state.scope
    const at = eventAt(ctx)
    const id = idIn(ctx.params.id)
    await shownPosition(ctx, id, false)
    const sent = readPositionChange(bodyOf(ctx), at)
    await transactions.write(async (tx) =>
      changePosition(tx, at, await lockPosition(tx, place, id), {
        sent,
        checkQuotas: checksQuotas(ctx),
      }),
    )
    ctx.body = await shownPosition(ctx, id, false)
  })

  router.delete(single, write, async (ctx) => {
    const { place }: Scope = ctx.state.scope
    const id = idIn(ctx.params.id)
    await transactions.write(async (tx) =>
      cancelPosition(tx, eventAt(ctx), await lockPosition(tx, place, id)),
    )
    ctx.status = 204
  })

  router.post(`${single}regenerate_secrets/`, write, async (ctx) => {
    const at = eventAt(ctx)
    const id = idIn(ctx.params.id)
    await transactions.write(async (tx) => {
      const { order, position } = await lockPosition(tx, at.place, id)
      await regenerateTicketSecret(tx, at, order.id, position)
    })
    ctx.body = await shownPosition(ctx, id, false)
  })

  for (const [action, isBlocked] of [
    ['add_block', true],
    ['remove_block', false],
  ] as const)
    router.post(`${single}${action}/`, write, async (ctx) => {
      const at = eventAt(ctx)
      const id = idIn(ctx.params.id)
      const sent = readBody(blockInput, bodyOf(ctx), { partial: false, locale: 'en' })
      const change = {
        name: String(sent.name),
        isBlocked,
        makesRoom: sent.ignore_from_quota_while_blocked as boolean | null,
      }
      await transactions.write(async (tx) =>
        blockPosition(tx, at, await lockPosition(tx, at.place, id), change),
      )
      ctx.body = await shownPosition(ctx, id, false)
    })

  servePositionPrints(router, api, single)
  serveAnswerFiles(router, api, single)
  for (const below of ['', ':id/', ':id/regenerate_secrets/', ':id/add_block/', ':id/remove_block/'])
    router.all(`${collection}${below}`, api.admit('event', null), (ctx) => refuseMethod(ctx))
}
