import type Router from '@koa/router'
import type { Context } from 'koa'
import sql from 'sql-template-tag'
import { denied, notFound } from '../../errors.ts'
import { type TicketPaper, ticketPdf } from '../../exporters/tickets/ticket-pdf.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { idIn, refuseMethod } from '../../resource/routes.ts'
import { orderByCode } from '../../services/orders/order-query.ts'
import { type PositionCells, selectPositions } from '../../services/orders/positions.ts'
import {
  hasTicketFor,
  type TicketOutput,
  ticketOutputs,
  whyNoTicketOf,
  whyNoTicketsOf,
} from '../../services/orders/ticket-downloads.ts'
import { printedTickets } from '../../services/orders/ticket-print.ts'
import { eventAt } from '../events/event-at.ts'

const papers: Readonly<Record<TicketOutput, TicketPaper>> = { pdf: 'page', roll: 'roll' }

/** The form that a path names; 404 when there is none. */
function outputIn(ctx: Context): TicketOutput {
  const output = ticketOutputs.find((one) => one === ctx.params.output)
  if (!output) throw notFound()
  return output
}

/** Serves the tickets of orders and positions as files, drawn when they are asked for. */
export function serveTicketDownloads(router: Router, api: Api): void {
  const { database } = api.transactions
  const ev = '/api/v1/organizers/:organizer/events/:event'
  const read = api.admit('event', 'can_view_orders')

  async function send(ctx: Context, positions: readonly PositionCells[], name: string): Promise<void> {
    const { place, event } = eventAt(ctx)
    const output = outputIn(ctx)
    const tickets = await printedTickets(database, place.organizer, event, positions)
    const file = `${event.slug.toUpperCase()}-${name}-${output}.pdf`
    const pdf = await ticketPdf(tickets, papers[output], file)
    ctx.set('Content-Disposition', `attachment; filename="${file}"`)
    ctx.type = 'application/pdf'
    ctx.body = Buffer.from(pdf)
  }

  router.get(`${ev}/orders/:code/download/:output/`, read, async (ctx) => {
    const { place, event } = eventAt(ctx)
    const order = await orderByCode(database, place, String(ctx.params.code))
    if (!order) throw notFound()
    outputIn(ctx)
    const reason = whyNoTicketsOf(order, event)
    if (reason !== null) throw denied(reason)
    const positions = await selectPositions(
      database,
      sql`p.organizer = ${place.organizer} AND p.order_id = ${order.id} AND p.canceled = 0`,
      sql`p.positionid`,
    )
    const printed = positions.filter((cells) => hasTicketFor(cells, event))
    if (printed.length === 0) throw denied('There are no tickets for the products of this order.')
    await send(ctx, printed, order.code)
  })

  router.get(`${ev}/orderpositions/:id/download/:output/`, read, async (ctx) => {
    const { event } = eventAt(ctx)
    const { place }: Scope = ctx.state.scope
    const [cells] = await selectPositions(
      database,
      sql`p.organizer = ${place.organizer} AND p.event = ${place.event} AND p.id = ${idIn(ctx.params.id)}
        AND p.canceled = 0`,
      sql`p.id`,
    )
    if (!cells) throw notFound()
    outputIn(ctx)
    const reason = whyNoTicketOf(cells, event)
    if (reason !== null) throw denied(reason)
    if (!hasTicketFor(cells, event)) throw denied('There are no tickets for this product.')
    await send(ctx, [cells], `${cells.order_code}-${cells.positionid}`)
  })

  for (const path of ['orders/:code', 'orderpositions/:id'])
    router.all(`${ev}/${path}/download/:output/`, api.admit('event', null), (ctx) => refuseMethod(ctx))
}
