import {
  closingFilesShown,
  receiptFilesShown,
  receiptPrinted,
  reportFilesShown,
} from '../../../schema/actions/drawer/drawers.ts'
import { receiptPrint } from '../../../schema/resources/drawer/receipt-print.ts'
import { receiptSignature } from '../../../schema/resources/drawer/receipt-signature.ts'
import { impossible, notFound } from '../../errors.ts'
import { receiptOnPaper, usualColumns } from '../../exporters/receipts/receipt-files.ts'
import { closingSlip, drawerSlip } from '../../exporters/receipts/report-files.ts'
import type { Slip } from '../../exporters/receipts/slip.ts'
import { type SlipFormat, slipFormats, slipOutputs } from '../../exporters/receipts/slip-output.ts'
import type { Behaviour } from '../../resource/api.ts'
import { type ApiRouter, serveAction, serveRaw } from '../../resource/endpoints.ts'
import { idIn, serve, shown } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import { requireRight } from '../../services/accounts/staff-sign-in.ts'
import { printReceipt } from '../../services/drawer/receipt-prints.ts'
import { presentWithDevice } from '../../services/drawer/receipt-rows.ts'

const printBehaviour: Behaviour<typeof receiptPrint> = {
  present: (db, { organizer }, rows) => presentWithDevice(db, organizer.id, rows),
}

const signatureBehaviour: Behaviour<typeof receiptSignature> = {
  present: (db, { organizer }, rows) => presentWithDevice(db, organizer.id, rows),
}

/** Serves receipts as they are printed, and that they were. */
export function serveReceiptFiles(router: ApiRouter): void {
  const { database } = router.api.transactions
  const { receiptSettled = async () => undefined } = router.api
  serve(router, receiptPrint, printBehaviour)
  serve(router, receiptSignature, signatureBehaviour)
  serveAction(
    router,
    receiptPrinted,
    async (request, tx) => {
      await requireRight(tx, request, 'sell', request.header('X-Step-Up'))
      return printReceipt(tx, request, idIn(request.params.id), request.body)
    },
    async ({ place }, id, db) => {
      const row = await findRow(db, receiptPrint, place, { id })
      if (!row) throw notFound()
      const [whole] = await presentWithDevice(db, place.organizer, [row])
      return shown(receiptPrint, { ...whole })
    },
  )
  const now = () => router.api.transactions.horizon()
  for (const format of slipFormats) {
    serveRaw(router, receiptFilesShown[format], async ({ place, event, params, query }, ctx) => {
      const print = query.print === undefined ? {} : { print: idIn(String(query.print)) }
      const wanted = { id: idIn(params.id), ...paperAsked(query), ...print }
      await receiptSettled(wanted.id)
      return given(format, ctx, receiptOnPaper(database, place, event, wanted))
    })
    serveRaw(router, closingFilesShown[format], (at, ctx) =>
      given(format, ctx, closingSlip(database, at, { id: idIn(at.params.id), ...paperAsked(at.query) })),
    )
    serveRaw(router, reportFilesShown[format], (at, ctx) => {
      const wanted = { id: idIn(at.params.id), ...paperAsked(at.query), now: now() }
      return given(format, ctx, drawerSlip(database, at, wanted))
    })
  }
}

/** A slip in a format, with the type of its answer; 404 where there is none. */
async function given(format: SlipFormat, ctx: { type: string }, made: Promise<Slip | null>) {
  const slip = await made
  if (!slip) throw notFound()
  ctx.type = slipOutputs[format].type
  return slipOutputs[format].make(slip)
}

type PaperQuery = Readonly<Record<string, string | string[] | undefined>>

/** On which paper and in which language something is wanted. */
export function paperAsked({ columns = String(usualColumns), locale }: PaperQuery) {
  const width = Number(columns)
  if (!Number.isInteger(width) || width < 24 || width > 64)
    throw impossible('Set columns to a whole number between 24 and 64.')
  return { columns: width, ...(typeof locale === 'string' ? { locale } : {}) }
}
