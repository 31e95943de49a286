import type { Context } from 'koa'
import {
  invoiceDownload,
  invoiceRegenerate,
  invoiceReissue,
  invoiceRetransmit,
  invoiceTransmit,
  organizerInvoiceDownload,
  organizerInvoiceList,
  organizerInvoiceRegenerate,
  organizerInvoiceReissue,
  organizerInvoiceRetrieve,
} from '../../../schema/actions/invoices.ts'
import { invoice } from '../../../schema/resources/orders/invoice.ts'
import { denied, notFound } from '../../errors.ts'
import { invoiceFile } from '../../exporters/invoices/invoice-files.ts'
import type { Scope } from '../../resource/api.ts'
import { type ApiRouter, serveAction, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { serve } from '../../resource/routes.ts'
import {
  regenerateInvoice,
  replaceInvoice,
  transmitInvoice,
} from '../../services/invoices/invoice-actions.ts'
import {
  invoiceBehaviour,
  invoiceByNumber,
  organizerInvoices,
  shownInvoices,
} from '../../services/invoices/invoice-list.ts'

/** Serves invoices: those of an event, and those of all that a caller may see. */
export function serveInvoices(router: ApiRouter): void {
  const { database } = router.api.transactions

  serveRead(router, organizerInvoiceList, async (request, db) => {
    const { count, rows } = await organizerInvoices(db, request, request.query, request.page)
    return request.pageOf(count, rows)
  })
  serveRead(router, organizerInvoiceRetrieve, async (request, db) => {
    const found = await invoiceByNumber(db, request, request.params.number)
    if (!found) throw notFound()
    return (await shownInvoices(db, request.organizer.id, [found.row]))[0]
  })

  const download = async (scope: Scope, number: string, ctx: Context): Promise<Buffer> => {
    const found = await invoiceByNumber(database, scope, number)
    if (!found) throw notFound()
    if (found.row.shredded) throw denied('The invoice file is no longer stored on the server.')
    const { filename, content } = await invoiceFile(database, scope.organizer.id, found.row)
    ctx.set('Content-Disposition', `attachment; filename="${filename}"`)
    ctx.type = 'application/pdf'
    return Buffer.from(content)
  }
  for (const action of [invoiceDownload, organizerInvoiceDownload] as const)
    serveRaw(router, action, (request, ctx) => download(request, request.params.number, ctx))

  for (const action of [invoiceRegenerate, organizerInvoiceRegenerate] as const)
    serveAction(router, action, (request, tx) => regenerateInvoice(tx, request, request.params.number))
  for (const action of [invoiceReissue, organizerInvoiceReissue] as const)
    serveAction(router, action, (request, tx) => replaceInvoice(tx, request, request.params.number))
  serveAction(router, invoiceTransmit, (request, tx) =>
    transmitInvoice(tx, request, request.params.number, false),
  )
  serveAction(router, invoiceRetransmit, (request, tx) =>
    transmitInvoice(tx, request, request.params.number, true),
  )

  serve(router, invoice, invoiceBehaviour)
}
