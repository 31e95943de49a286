import sql from 'sql-template-tag'
import {
  checkinListFailed,
  checkinListPosition,
  checkinListPositions,
  checkinListRedeem,
  checkinListStatus,
} from '../../../schema/actions/checkin.ts'
import { failedCheckinBody } from '../../../schema/bodies/redeem.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import { shownInstant } from '../../../schema/instants.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { invalid, notFound } from '../../errors.ts'
import { may } from '../../resource/actor.ts'
import type { Scope, ScopeInEvent } from '../../resource/api.ts'
import { type ApiRouter, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { audienceOf, maskedQuery } from '../../resource/mask.ts'
import { flagParameter, type Query, single } from '../../resource/query.ts'
import { idIn } from '../../resource/routes.ts'
import type { Place } from '../../resource/transactions.ts'
import { belongsTo } from '../../services/checkin/checkin-counts.ts'
import { type ListAt, listsById } from '../../services/checkin/checkin-lists.ts'
import { isOfEvent, namedByScans, recordFailedScan } from '../../services/checkin/failed-checkin.ts'
import { findPositions } from '../../services/checkin/find-positions.ts'
import { listStatus } from '../../services/checkin/list-status.ts'
import { redeem } from '../../services/checkin/redeem.ts'
import { addPdfData, wantsPdfData } from '../../services/orders/pdf-data.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import { presentPositions, selectPositions } from '../../services/orders/positions.ts'
import { downloadSiteOf } from '../../services/orders/ticket-downloads.ts'
import type { Queryable } from '../../storage/database.ts'
import { expandAtDoor } from './expand-at-door.ts'
import { requireForOverride } from './override.ts'
import { scanAnswer } from './scan-answer.ts'
import { instantIn, readPlain, readRedeemOne, readScan } from './scan-body.ts'

/** The least that somebody who may only scan has to type before names are shown. */
const leastSearch = 3

/** Whether a caller asks for more names than one who may only scan should see. */
export const asksTooMuch = (scope: Scope, query: Query): boolean =>
  !may(scope.actor, 'can_view_orders') && (single(query, 'search') ?? '').trim().length < leastSearch

/** A request about a check-in list. */
type Asked = ScopeInEvent & { readonly query: Query; readonly params: { readonly list: string } }

/** The list that the path names; 404 where there is none in the event. */
async function listOf(db: Queryable, { organizer, event, params }: Asked): Promise<ListAt> {
  const [list] = await listsById(db, organizer.id, [idIn(params.list)])
  if (!list || list.facts.event !== event.id) throw notFound()
  return list
}

/** Positions of a list as a request wants to see them. */
async function shownRows(
  db: Queryable,
  request: Asked,
  list: ListAt,
  positions: readonly PositionCells[],
): Promise<JsonObject[]> {
  const { actor, organizer, origin = '', query } = request
  const site = downloadSiteOf(origin, organizer.slug, [list])
  const audience = audienceOf(actor)
  const view = { list: list.facts.id, atDoor: true, site, audience }
  const rows = await presentPositions(db, organizer.id, positions, view)
  const printed = wantsPdfData(actor, query)
    ? await addPdfData(db, organizer.id, site, { positions, shown: rows, audience })
    : rows
  return expandAtDoor(db, request, view, printed)
}

/** Serves what is below a check-in list: its status, its positions, redeeming them, and failed scans. */
export function serveCheckinLists(router: ApiRouter): void {
  serveRead(router, checkinListStatus, async (request, db) =>
    listStatus(db, request.organizer.id, await listOf(db, request)),
  )
  serveListPositions(router)
  serveListRedeem(router)
  serveFailedScans(router)
}

function serveListPositions(router: ApiRouter): void {
  serveRead(router, checkinListPositions, async (request, db) => {
    const { actor, organizer, page } = request
    const list = await listOf(db, request)
    const audience = audienceOf(actor)
    const query = maskedQuery(orderPosition, audience, request.query)
    const found = asksTooMuch(request, query)
      ? { count: 0, positions: [] }
      : await findPositions(db, organizer.id, { lists: [list], query, part: page, audience })
    return request.pageOf(found.count, await shownRows(db, request, list, found.positions))
  })

  serveRead(router, checkinListPosition, async (request, db) => {
    const { organizer, params, query } = request
    const list = await listOf(db, request)
    const ofList = belongsTo(organizer.id, list.facts, flagParameter(query, 'ignore_status') === true)
    const positions = await selectPositions(db, sql`${ofList} AND p.id = ${idIn(params.position)}`, sql`p.id`)
    const [row] = await shownRows(db, request, list, positions)
    if (!row) throw notFound()
    return row
  })
}

function serveListRedeem(router: ApiRouter): void {
  serveRaw(router, checkinListRedeem, async (request) => {
    const { actor, organizer, params, query } = request
    const { position: code } = params
    const isId = /^\d{1,16}$/.test(code) && flagParameter(query, 'untrusted_input') !== true
    const input = readScan(readRedeemOne(request.body), {
      code,
      position: isId ? Number(code) : null,
      canceled_supported: false,
    })
    return request.carryOut(async (tx) => {
      const list = await listOf(tx, request)
      await requireForOverride(tx, request, input)
      const known = code.includes('+') ? await isKnown(tx, organizer.id, list, code) : true
      // A plus sign in a path may stand for a space.
      const meant = known ? input : { ...input, code: code.replaceAll('+', ' ') }
      return scanAnswer(
        tx,
        request,
        await redeem(tx, { actor, organizer: organizer.id, lists: [list], input: meant }),
        [list],
      )
    })
  })
}

function serveFailedScans(router: ApiRouter): void {
  const { database } = router.api.transactions
  serveRaw(router, checkinListFailed, async (request) => {
    const { actor, place } = request
    const list = await listOf(database, request)
    const body = readPlain(request.body, failedCheckinBody)
    const named = {
      error_explanation: body.error_explanation ?? null,
      type: body.type ?? 'entry',
      raw_item: body.raw_item ?? null,
      raw_variation: body.raw_variation ?? null,
      raw_subevent: body.raw_subevent ?? null,
      nonce: body.nonce || null,
    } as const
    return request.carryOut(async (tx) => {
      await checkNamed(tx, { organizer: place.organizer, event: list.facts.event }, body)
      const { position, at } = await recordFailedScan(tx, actor, place, {
        ...named,
        list: list.facts.id,
        reason: body.error_reason,
        explanation: named.error_explanation,
        barcode: body.raw_barcode,
        at: instantIn(body),
        position: body.position ?? null,
      })
      return { ...body, ...named, position, datetime: shownInstant(at) }
    })
  })
}

/** Refuses what is not of a list's event. */
async function checkNamed(
  db: Queryable,
  place: Place,
  body: Readonly<Partial<Record<(typeof namedByScans)[number][0], number | null>>>,
): Promise<void> {
  for (const [name, table] of namedByScans) {
    const id = body[name] ?? null
    if (id !== null && !(await isOfEvent(db, place, table, id)))
      throw invalid({ [name]: [`Invalid pk "${id}" - object does not exist.`] })
  }
}

/** Whether a code is a ticket's or a revoked one of a list's event. */
async function isKnown(db: Queryable, organizer: number, list: ListAt, code: string): Promise<boolean> {
  const place = sql`organizer = ${organizer} AND event = ${list.facts.event} AND secret = ${code}`
  const ticket = await db.get(sql`SELECT id FROM order_position WHERE ${place}`)
  return (
    ticket !== undefined || (await db.get(sql`SELECT id FROM revoked_secret WHERE ${place}`)) !== undefined
  )
}
