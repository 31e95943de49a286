import sql, { empty } from 'sql-template-tag'
import { ev, operationOf } from '../../../schema/actions/action.ts'
import {
  orderPositionAddBlock,
  orderPositionRegenerateSecrets,
  orderPositionRemoveBlock,
} from '../../../schema/actions/order-positions.ts'
import type { blockInput } from '../../../schema/bodies/order-actions.ts'
import type { JsonObject, RowOf } from '../../../schema/fields.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { notFound } from '../../errors.ts'
import type { ScopeInEvent } from '../../resource/api.ts'
import {
  type ActionRequest,
  type ApiRouter,
  serveAction,
  serveRaw,
  serveRead,
} from '../../resource/endpoints.ts'
import { audienceOf } from '../../resource/mask.ts'
import type { PageBody } from '../../resource/pages.ts'
import { flagParameter, type Query } from '../../resource/query.ts'
import { idIn } from '../../resource/routes.ts'
import type { Tx } from '../../resource/transactions.ts'
import { regenerateTicketSecret } from '../../services/order-actions/order-secrets.ts'
import { addPosition, readAddedPosition } from '../../services/order-actions/position-add.ts'
import { blockPosition, cancelPosition } from '../../services/order-actions/position-cancel.ts'
import { changePosition, readPositionChange } from '../../services/order-actions/position-change.ts'
import { addPdfData } from '../../services/orders/pdf-data.ts'
import { lockPosition } from '../../services/orders/position-lock.ts'
import { positionsInRange } from '../../services/orders/position-query.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import { type PositionView, presentPositions, selectPositions } from '../../services/orders/positions.ts'
import type { DownloadSite } from '../../services/orders/ticket-downloads.ts'
import type { Queryable } from '../../storage/database.ts'
import { chosenFields } from '../input/chosen-fields.ts'
import { expandRows } from '../input/expand.ts'
import { inListTurn, inSlices } from '../input/heavy-lists.ts'
import { serveAnswerFiles } from './answer-files.ts'
import { wantsPrints } from './order-view.ts'
import { servePositionPrints } from './position-prints.ts'

const collection = `${ev}/orderpositions/` as const
const single = `${collection}:id/` as const

/** How many positions of a list are shown with their prints without a pause. */
const shownAtOnce = 25

/** A request that shows positions of an event. */
type Asked = ScopeInEvent & { readonly query: Query }

/** How a request wants to see the positions of its event. */
function viewOf({
  actor,
  organizer,
  event,
  origin = '',
}: ScopeInEvent): PositionView & { readonly site: DownloadSite } {
  const site = { origin, organizer: organizer.slug, events: new Map([[event.id, event]]) }
  return { list: null, atDoor: false, site, audience: audienceOf(actor) }
}

/** Quotas are looked at unless a request says otherwise. */
const checksQuotas = ({ query }: Asked): boolean => flagParameter(query, 'check_quotas') !== false

/** Positions as a request wants to see them, with what can be printed of them where it asks for that. */
async function shownRows(
  db: Queryable,
  request: Asked,
  found: readonly PositionCells[],
): Promise<JsonObject[]> {
  const { place } = request
  const view = viewOf(request)
  const rows = await presentPositions(db, place.organizer, found, view)
  return wantsPrints(request)
    ? addPdfData(db, place.organizer, view.site, { positions: found, shown: rows, audience: view.audience })
    : rows
}

/** The page of positions that a request asks for. */
async function pageOfPositions(
  db: Queryable,
  request: ScopeInEvent & ActionRequest<string>,
): Promise<PageBody<JsonObject>> {
  const { place, query, page } = request
  const range = { organizer: place.organizer, events: [place.event] }
  const found = await positionsInRange(db, range, query, page)
  const show = (some: typeof found.positions) => shownRows(db, request, some)
  const plain = await (wantsPrints(request)
    ? inSlices(found.positions, shownAtOnce, show)
    : show(found.positions))
  const rows = await expandRows(db, request, plain)
  return request.pageOf(found.count, chosenFields(query, rows))
}

/** A position of the event, of those that are not canceled unless the request is about those too. */
async function shownPosition(
  db: Queryable,
  request: Asked,
  id: number,
  withCanceled = false,
): Promise<JsonObject> {
  const { place } = request
  const open = withCanceled ? empty : sql` AND p.canceled = 0`
  const found = await selectPositions(
    db,
    sql`p.organizer = ${place.organizer} AND p.event = ${place.event} AND p.id = ${id}${open}`,
    sql`p.id`,
  )
  const [row] = await shownRows(db, request, found)
  if (!row) throw notFound()
  return row
}

/** Serves the positions of an event's orders. */
export function serveOrderPositions(router: ApiRouter): void {
  serveStandardOperations(router)
  servePositionActions(router)
  servePositionPrints(router)
  serveAnswerFiles(router)
}

function serveStandardOperations(router: ApiRouter): void {
  const { database } = router.api.transactions

  serveRead(router, operationOf(orderPosition, 'list', collection), (request, db) => {
    const list = () => pageOfPositions(db, request)
    return wantsPrints(request) ? inListTurn(request, list) : list()
  })

  serveRead(router, operationOf(orderPosition, 'retrieve', single), async (request, db) => {
    const { query, params } = request
    const withCanceled = flagParameter(query, 'include_canceled_positions') === true
    const row = await shownPosition(db, request, idIn(params.id), withCanceled)
    return chosenFields(query, await expandRows(db, request, [row]))[0]
  })

  serveAction(
    router,
    operationOf(orderPosition, 'create', collection),
    (request, tx) => {
      const input = readAddedPosition(request.body, request)
      return addPosition(tx, request, input, checksQuotas(request))
    },
    (request, id, db) => shownPosition(db, request, id),
  )

  serveRaw(router, operationOf(orderPosition, 'update', single), async (request) => {
    const id = idIn(request.params.id)
    await shownPosition(database, request, id)
    const sent = readPositionChange(request.body, request)
    return request.carryOut(
      async (tx) =>
        changePosition(tx, request, await lockPosition(tx, request.place, id), {
          sent,
          checkQuotas: checksQuotas(request),
        }),
      (_, db) => shownPosition(db, request, id),
    )
  })

  serveAction(router, operationOf(orderPosition, 'delete', single), async (request, tx) => {
    const { place, params } = request
    await cancelPosition(tx, request, await lockPosition(tx, place, idIn(params.id)))
  })
}

function servePositionActions(router: ApiRouter): void {
  const shownAfter = (
    request: Asked & { readonly params: { readonly id: string } },
    _: unknown,
    db: Queryable,
  ): Promise<JsonObject> => shownPosition(db, request, idIn(request.params.id))

  serveAction(
    router,
    orderPositionRegenerateSecrets,
    async (request, tx) => {
      const { order, position } = await lockPosition(tx, request.place, idIn(request.params.id))
      await regenerateTicketSecret(tx, request, order.id, position)
    },
    shownAfter,
  )
  serveAction(router, orderPositionAddBlock, setBlock(true), shownAfter)
  serveAction(router, orderPositionRemoveBlock, setBlock(false), shownAfter)
}

const setBlock =
  (isBlocked: boolean) =>
  async (
    request: ActionRequest<`${typeof single}${string}`, RowOf<typeof blockInput>>,
    tx: Tx,
  ): Promise<void> => {
    const { place, params } = request
    const id = idIn(params.id)
    const { name, ignore_from_quota_while_blocked: makesRoom } = request.body
    await blockPosition(tx, request, await lockPosition(tx, place, id), { name, isBlocked, makesRoom })
  }
