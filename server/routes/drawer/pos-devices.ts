import sql from 'sql-template-tag'
import {
  cashierList,
  posClosingCreate,
  posClosingList,
  posReceiptCreate,
  posReceiptList,
} from '../../../schema/actions/drawer/pos-devices.ts'
import { staff } from '../../../schema/resources/accounts/staff.ts'
import { closing, type StoredClosing } from '../../../schema/resources/drawer/closing.ts'
import { receipt, type StoredReceipt } from '../../../schema/resources/drawer/receipt.ts'
import { type ApiRouter, serveAction, serveRead } from '../../resource/endpoints.ts'
import { idIn } from '../../resource/routes.ts'
import { findRows, rowOf } from '../../resource/store.ts'
import {
  keepPosDocument,
  posClosing,
  posDevice,
  posDocuments,
  posReceipt,
} from '../../services/drawer/pos-documents.ts'
import type { Queryable } from '../../storage/database.ts'

/** Serves what apps for tills ask for: who works there, and what they keep of receipts and closings. */
export function servePosDevices(router: ApiRouter): void {
  serveRead(router, cashierList, async (request, db) => {
    const rows = await findRows(db, staff, { ...request.place, event: 0 })
    return request.partOf(
      rows.map(({ id, name, short_name, active, all_devices, limit_devices }) => ({
        ...{ id, name, active, pin: null, userid: short_name === '' ? String(id) : short_name },
        team: { all_devices, devices: limit_devices.map(String) },
      })),
    )
  })
  serveAction(router, posReceiptCreate, async (request, tx) => {
    const device = await posDevice(tx, request, idIn(request.params.device))
    const { receipt_id: localId, ...data } = request.body
    const sent = { device, kind: 'receipt', localId, data: { receipt_id: localId, ...data } } as const
    return { receipt_id: await keepPosDocument(tx, request, sent) }
  })
  serveAction(router, posClosingCreate, async (request, tx) => {
    const device = await posDevice(tx, request, idIn(request.params.device))
    const { closing_id: localId, ...data } = request.body
    const sent = { device, kind: 'closing', localId, data: { closing_id: localId, ...data } } as const
    return { closing_id: await keepPosDocument(tx, request, sent) }
  })
  serveRead(router, posReceiptList, async (request, db) => {
    const device = await posDevice(db, request, idIn(request.params.device))
    const own = await receiptsOfTill(db, request.organizer.id, device)
    return request.partOf([...(await posDocuments(db, request, device, 'receipt')), ...own.map(posReceipt)])
  })
  serveRead(router, posClosingList, async (request, db) => {
    const device = await posDevice(db, request, idIn(request.params.device))
    const rows = await closingsOfTill(db, request.organizer.id, device)
    const receipts = await receiptsOfTill(db, request.organizer.id, device)
    const own = rows.map((row) =>
      posClosing(
        row,
        receipts.filter(({ drawer }) => drawer === row.drawer),
      ),
    )
    return request.partOf([...(await posDocuments(db, request, device, 'closing')), ...own])
  })
}

const receiptsOfTill = async (db: Queryable, organizer: number, till: number): Promise<StoredReceipt[]> =>
  (
    await db.all(
      sql`SELECT * FROM receipt WHERE organizer = ${organizer} AND "till" = ${till} ORDER BY site, number, id`,
    )
  ).map((cells) => rowOf(receipt, cells))

const closingsOfTill = async (db: Queryable, organizer: number, till: number): Promise<StoredClosing[]> =>
  (
    await db.all(
      sql`SELECT * FROM closing WHERE organizer = ${organizer} AND "till" = ${till} ORDER BY site, number, id`,
    )
  ).map((cells) => rowOf(closing, cells))
