import {
  drawerClose,
  drawerJoin,
  drawerMoveCash,
  drawerOpen,
  drawerReportShown,
  drawerReverse,
  receiptPictureShown,
  receiptTextShown,
} from '../../../schema/actions/drawer/drawers.ts'
import type { Resource } from '../../../schema/resource.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { closing } from '../../../schema/resources/drawer/closing.ts'
import { drawer } from '../../../schema/resources/drawer/drawer.ts'
import { receipt } from '../../../schema/resources/drawer/receipt.ts'
import { impossible, notFound } from '../../errors.ts'
import type { Behaviour, ScopeInEvent } from '../../resource/api.ts'
import { type ApiRouter, serveAction, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { idIn, serve, shown } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import { requireRight } from '../../services/accounts/staff-sign-in.ts'
import { closeDrawer, drawerReport } from '../../services/drawer/drawer-closing.ts'
import { joinDrawer, moveCash, openDrawer, reverseMovement } from '../../services/drawer/drawer-sessions.ts'
import type { ReceiptSetting } from '../../services/drawer/receipt-description.ts'
import { receiptPicture, receiptText } from '../../services/drawer/receipt-output.ts'
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
  serveRead(router, drawerReportShown, async (request, db) => {
    const id = idIn(request.params.id)
    if (!(await findRow(db, drawer, request.place, { id }))) throw notFound()
    return drawerReport(db, request.place, id)
  })
  serveReceiptFiles(router)
}

function serveReceiptFiles(router: ApiRouter): void {
  const { database } = router.api.transactions
  const asked = async (scope: ScopeInEvent, id: string, query: Query) => {
    const row = await findRow(database, receipt, scope.place, { id: idIn(id) })
    const till = row && (await findRow(database, device, { ...scope.place, event: 0 }, { id: row.till }))
    if (!row) throw notFound()
    return { row, at: settingOf(scope, till?.name ?? '', query) }
  }
  serveRaw(router, receiptTextShown, async (request, ctx) => {
    const { row, at } = await asked(request, request.params.id, request.query)
    ctx.type = 'text/plain; charset=utf-8'
    return receiptText(row, at)
  })
  serveRaw(router, receiptPictureShown, async (request, ctx) => {
    const { row, at } = await asked(request, request.params.id, request.query)
    ctx.type = 'image/svg+xml'
    return receiptPicture(row, at)
  })
}

type Query = Readonly<Record<string, string | string[] | undefined>>

/** Where a receipt is shown: in a language of the event, on paper that is as wide as somebody says. */
function settingOf({ event }: ScopeInEvent, till: string, { columns = '42', locale }: Query): ReceiptSetting {
  const width = Number(columns)
  if (!Number.isInteger(width) || width < 24 || width > 64)
    throw impossible('Set columns to a whole number between 24 and 64.')
  const { settings, timezone } = event
  const known = event.locales.find((one) => one === locale) ?? event.locale
  return { settings, timezone, locale: known, till, columns: width }
}
