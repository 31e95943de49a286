import type { Context } from 'koa'
import sql from 'sql-template-tag'
import { orderPositionDownload } from '../../../schema/actions/order-positions.ts'
import { orderDownload } from '../../../schema/actions/orders.ts'
import { denied, notFound } from '../../errors.ts'
import { type TicketPaper, ticketPdf } from '../../exporters/tickets/ticket-pdf.ts'
import type { ScopeInEvent } from '../../resource/api.ts'
import { type ApiRouter, serveRaw } from '../../resource/endpoints.ts'
import { idIn } from '../../resource/routes.ts'
import { orderByCode } from '../../services/orders/order-query.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import { selectPositions } from '../../services/orders/positions.ts'
import {
  hasTicketFor,
  type TicketOutput,
  ticketOutputs,
  whyNoTicketOf,
  whyNoTicketsOf,
} from '../../services/orders/ticket-downloads.ts'
import { printedTickets } from '../../services/orders/ticket-print.ts'

const papers: Readonly<Record<TicketOutput, TicketPaper>> = { pdf: 'page', roll: 'roll' }

/** The form that a path names; 404 when there is none. */
function outputIn(params: { readonly output: string }): TicketOutput {
  const output = ticketOutputs.find((one) => one === params.output)
  if (!output) throw notFound()
  return output
}

/** Serves the tickets of orders and positions as files, drawn when they are asked for. */
export function serveTicketDownloads(router: ApiRouter): void {
  const { database } = router.api.transactions

  async function drawn(
    ctx: Context,
    { place, event }: ScopeInEvent,
    output: TicketOutput,
    { positions, name }: { readonly positions: readonly PositionCells[]; readonly name: string },
  ): Promise<Buffer> {
    const tickets = await printedTickets(database, place.organizer, event, positions)
    const file = `${event.slug.toUpperCase()}-${name}-${output}.pdf`
    const pdf = await ticketPdf(tickets, papers[output], file)
    ctx.set('Content-Disposition', `attachment; filename="${file}"`)
    ctx.type = 'application/pdf'
    return Buffer.from(pdf)
  }

  serveRaw(router, orderDownload, async (request, ctx) => {
    const { place, event, params } = request
    const order = await orderByCode(database, place, params.code)
    if (!order) throw notFound()
    const output = outputIn(params)
    const reason = whyNoTicketsOf(order, event)
    if (reason !== null) throw denied(reason)
    const all = await selectPositions(
      database,
      sql`p.organizer = ${place.organizer} AND p.order_id = ${order.id} AND p.canceled = 0`,
      sql`p.positionid`,
    )
    const positions = all.filter((cells) => hasTicketFor(cells, event))
    if (positions.length === 0) throw denied('There are no tickets for the products of this order.')
    return drawn(ctx, request, output, { positions, name: order.code })
  })

  serveRaw(router, orderPositionDownload, async (request, ctx) => {
    const { place, event, params } = request
    const [cells] = await selectPositions(
      database,
      sql`p.organizer = ${place.organizer} AND p.event = ${place.event} AND p.id = ${idIn(params.id)}
        AND p.canceled = 0`,
      sql`p.id`,
    )
    if (!cells) throw notFound()
    const output = outputIn(params)
    const reason = whyNoTicketOf(cells, event)
    if (reason !== null) throw denied(reason)
    if (!hasTicketFor(cells, event)) throw denied('There are no tickets for this product.')
    return drawn(ctx, request, output, {
      positions: [cells],
      name: `${cells.order_code}-${cells.positionid}`,
    })
  })
}
