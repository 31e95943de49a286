import {
  drawerClose,
  drawerJoin,
  drawerMoveCash,
  drawerOpen,
  drawerOpenWithoutSale,
  drawerReportShown,
  drawerReverse,
} from '../../../schema/actions/drawer/drawers.ts'
import type { Resource } from '../../../schema/resource.ts'
import { closing } from '../../../schema/resources/drawer/closing.ts'
import { drawer } from '../../../schema/resources/drawer/drawer.ts'
import { receipt } from '../../../schema/resources/drawer/receipt.ts'
import { notFound } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { type ApiRouter, serveAction, serveRead } from '../../resource/endpoints.ts'
import { idIn, serve, shown } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import { requireRight } from '../../services/accounts/staff-sign-in.ts'
import { closeDrawer } from '../../services/drawer/drawer-closing.ts'
import { drawerReport } from '../../services/drawer/drawer-report.ts'
import {
  joinDrawer,
  moveCash,
  openDrawer,
  openWithoutSale,
  reverseMovement,
} from '../../services/drawer/drawer-sessions.ts'
import { presentWithDevice } from '../../services/drawer/receipt-rows.ts'
import type { Queryable } from '../../storage/database.ts'

const drawerBehaviour: Behaviour<typeof drawer> = {
  present: (db, { organizer }, rows) => presentWithDevice(db, organizer.id, rows),
}
const receiptBehaviour: Behaviour<typeof receipt> = {
  present: (db, { organizer }, rows) => presentWithDevice(db, organizer.id, rows),
}
const closingBehaviour: Behaviour<typeof closing> = {
  present: (db, { organizer }, rows) => presentWithDevice(db, organizer.id, rows),
}

/** A row of a till as the API shows it; 404 where there is none. */
async function shownOf<R extends { readonly till: number }>(
  db: Queryable,
  resource: Resource,
  place: Place,
  row: R | undefined,
): Promise<object> {
  if (!row) throw notFound()
  const [whole] = await presentWithDevice(db, place.organizer, [row])
  return shown(resource, { ...whole })
}

const shownDrawer = async (db: Queryable, place: Place, id: number): Promise<object> =>
  shownOf(db, drawer, place, await findRow(db, drawer, place, { id }))

const shownReceipt = async (db: Queryable, place: Place, id: number): Promise<object> =>
  shownOf(db, receipt, place, await findRow(db, receipt, place, { id }))

const shownClosing = async (db: Queryable, place: Place, id: number): Promise<object> =>
  shownOf(db, closing, place, await findRow(db, closing, place, { id }))

/** Serves drawers, their receipts and closings, and what tills do with them. */
export function serveDrawers(router: ApiRouter): void {
  serve(router, drawer, drawerBehaviour)
  serve(router, receipt, receiptBehaviour)
  serve(router, closing, closingBehaviour)

  serveAction(
    router,
    drawerOpen,
    async (request, tx) => {
      await requireRight(tx, request, 'close_drawer', request.header('X-Step-Up'))
      return openDrawer(tx, request, request.body)
    },
    ({ place }, id, db) => shownDrawer(db, place, id),
  )
  serveAction(
    router,
    drawerJoin,
    async (request, tx) => {
      await requireRight(tx, request, 'sell', request.header('X-Step-Up'))
      return joinDrawer(tx, request, idIn(request.params.id))
    },
    ({ place, params }, _, db) => shownDrawer(db, place, idIn(params.id)),
  )
  serveAction(
    router,
    drawerMoveCash,
    async (request, tx) => {
      await requireRight(tx, request, 'move_cash', request.header('X-Step-Up'))
      return moveCash(tx, request, idIn(request.params.id), request.body)
    },
    ({ place }, id, db) => shownReceipt(db, place, id),
  )
  serveAction(
    router,
    drawerOpenWithoutSale,
    async (request, tx) => {
      await requireRight(tx, request, 'open_drawer', request.header('X-Step-Up'))
      return openWithoutSale(tx, request, idIn(request.params.id), request.body.reason)
    },
    ({ place }, id, db) => shownReceipt(db, place, id),
  )
  serveAction(
    router,
    drawerReverse,
    async (request, tx) => {
      await requireRight(tx, request, 'move_cash', request.header('X-Step-Up'))
      const { id, receipt: of } = request.params
      return reverseMovement(tx, request, { drawer: idIn(id), receipt: idIn(of) }, request.body.reason)
    },
    ({ place }, id, db) => shownReceipt(db, place, id),
  )
  serveAction(
    router,
    drawerClose,
    async (request, tx) => {
      await requireRight(tx, request, 'close_drawer', request.header('X-Step-Up'))
      return closeDrawer(tx, request, idIn(request.params.id), request.body)
    },
    ({ place }, id, db) => shownClosing(db, place, id),
  )
  serveRead(router, drawerReportShown, (request, db) => drawerReport(db, request, idIn(request.params.id)))
}
