import type Router from '@koa/router'
import type { Context } from 'koa'
import sql from 'sql-template-tag'
import { failedCheckinBody, redeemOneBody } from '../../../schema/bodies/redeem.ts'
import type { Requirement } from '../../../schema/permissions.ts'
import type { Reason } from '../../domain/rules/facts.ts'
import { invalid, notFound } from '../../errors.ts'
import { may } from '../../resource/actor.ts'
import type { Api, Scope } from '../../resource/api.ts'
import type { RowData } from '../../resource/codec.ts'
import { addressOf, originOf } from '../../resource/endpoints.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { flagParameter, type Query, single } from '../../resource/query.ts'
import { idIn, refuseMethod } from '../../resource/routes.ts'
import { type ListAt, listsById } from '../../services/checkin/checkin-lists.ts'
import { recordFailedScan } from '../../services/checkin/failed-checkin.ts'
import { findPositions } from '../../services/checkin/find-positions.ts'
import { listStatus } from '../../services/checkin/list-status.ts'
import { redeem } from '../../services/checkin/redeem.ts'
import { addPdfData, wantsPdfData } from '../../services/orders/pdf-data.ts'
import { type PositionCells, presentPositions, selectPositions } from '../../services/orders/positions.ts'
import { downloadSiteOf } from '../../services/orders/ticket-downloads.ts'
import type { Queryable } from '../../storage/database.ts'
import { expandRows } from '../input/expand.ts'
import { scanAnswer } from './scan-answer.ts'
import { instantIn, readPlain, readScan } from './scan-body.ts'

/** Who may look at the positions of a list. */
export const mayLook: Requirement = ['can_view_orders', 'can_checkin_orders']

/** Who may let people in. */
export const mayScan: Requirement = ['can_change_orders', 'can_checkin_orders']

/** The least that somebody who may only scan has to type before names are shown. */
const leastSearch = 3

/** Whether a caller asks for more names than one who may only scan should see. */
export const asksTooMuch = (scope: Scope, query: Query): boolean =>
  !may(scope.actor, 'can_view_orders') && (single(query, 'search') ?? '').trim().length < leastSearch

/** Serves what is below a check-in list: its status, its positions, redeeming them, and failed scans. */
export function serveCheckinLists(router: Router, api: Api): void {
  const { database } = api.transactions
  const base = '/api/v1/organizers/:organizer/events/:event/checkinlists/:list/'

  async function listOf(ctx: Context, db: Queryable = database): Promise<ListAt> {
    const scope: Scope = ctx.state.scope
    const [list] = await listsById(db, scope.organizer.id, [idIn(ctx.params.list)])
    if (!list || list.facts.event !== scope.event?.id) throw notFound()
    return list
  }

  /** Positions of a list as a request wants to see them. */
  async function shownRows(
    ctx: Context,
    list: ListAt,
    positions: readonly PositionCells[],
  ): Promise<RowData[]> {
    const { actor, organizer }: Scope = ctx.state.scope
    const site = downloadSiteOf(originOf(ctx), organizer.slug, [list])
    const view = { list: list.facts.id, atDoor: true, site }
    const rows = await presentPositions(database, organizer.id, positions, view)
    const printed = wantsPdfData(actor, ctx.query)
      ? await addPdfData(database, organizer.id, site, { positions, shown: rows })
      : rows
    return expandRows(database, ctx, printed)
  }

  router.get(`${base}status/`, api.admit('event', mayLook), async (ctx) => {
    const scope: Scope = ctx.state.scope
    ctx.body = await listStatus(database, scope.organizer.id, await listOf(ctx))
  })

  router.get(`${base}positions/`, api.admit('event', mayLook), async (ctx) => {
    const scope: Scope = ctx.state.scope
    const list = await listOf(ctx)
    const page = pageOf(ctx.query)
    const found = asksTooMuch(scope, ctx.query)
      ? { count: 0, positions: [] }
      : await findPositions(database, scope.organizer.id, { lists: [list], query: ctx.query, part: page })
    ctx.body = pageBody(addressOf(ctx), page, found.count, await shownRows(ctx, list, found.positions))
  })

  router.get(`${base}positions/:position/`, api.admit('event', mayLook), async (ctx) => {
    const scope: Scope = ctx.state.scope
    const list = await listOf(ctx)
    const positions = await selectPositions(
      database,
      sql`p.organizer = ${scope.organizer.id} AND p.event = ${list.facts.event} AND p.canceled = 0 AND p.id = ${idIn(ctx.params.position)}`,
      sql`p.id`,
    )
    const [row] = await shownRows(ctx, list, positions)
    if (!row) throw notFound()
    ctx.body = row
  })

  router.post(`${base}positions/:position/redeem/`, api.admit('event', mayScan), async (ctx) => {
    const scope: Scope = ctx.state.scope
    const { id } = scope.organizer
    const code = String(ctx.params.position)
    const isId = /^\d{1,16}$/.test(code) && flagParameter(ctx.query, 'untrusted_input') !== true
    const input = readScan(ctx, redeemOneBody, {
      code,
      position: isId ? Number(code) : null,
      canceled_supported: false,
    })
    const { status, body } = await api.transactions.write(async (tx) => {
      const list = await listOf(ctx, tx)
      const known = code.includes('+') ? await isKnown(tx, id, list, code) : true
      // A plus sign in a path may stand for a space.
      const meant = known ? input : { ...input, code: code.replaceAll('+', ' ') }
      const request = { actor: scope.actor, organizer: id, lists: [list], input: meant } as const
      return scanAnswer(tx, ctx, await redeem(tx, request), [list])
    })
    ctx.status = status
    ctx.body = body
  })

  router.post(`${base}failed_checkins/`, api.admit('event', mayScan), async (ctx) => {
    const scope: Scope = ctx.state.scope
    const list = await listOf(ctx)
    const body = readPlain(ctx, failedCheckinBody)
    const position = body.position as number | null | undefined
    await api.transactions.write(async (tx) => {
      if (typeof position === 'number') {
        const own = await tx.get(
          sql`SELECT id FROM order_position WHERE organizer = ${scope.organizer.id} AND event = ${list.facts.event} AND id = ${position}`,
        )
        if (!own) throw invalid({ position: [`Invalid pk "${position}" - object does not exist.`] })
      }
      await recordFailedScan(tx, scope.actor, scope.place, {
        list: list.facts.id,
        reason: body.error_reason as Reason,
        explanation: (body.error_explanation as string | null | undefined) ?? null,
        barcode: String(body.raw_barcode),
        at: instantIn(body, 'datetime'),
        type: body.type === 'exit' ? 'exit' : 'entry',
        position: position ?? null,
        raw_item: (body.raw_item as number | null | undefined) ?? null,
        raw_variation: (body.raw_variation as number | null | undefined) ?? null,
        raw_subevent: (body.raw_subevent as number | null | undefined) ?? null,
        nonce: (body.nonce as string | null | undefined) || null,
      })
    })
    ctx.status = 201
    ctx.body = { type: 'entry', position: null, ...body }
  })

  for (const path of [
    'status/',
    'positions/',
    'positions/:position/',
    'positions/:position/redeem/',
    'failed_checkins/',
  ])
    router.all(base + path, api.admit('event', null), (ctx) => refuseMethod(ctx))
}

/** Whether a code is a ticket's or a revoked one of a list's event. */
async function isKnown(db: Queryable, organizer: number, list: ListAt, code: string): Promise<boolean> {
  const place = sql`organizer = ${organizer} AND event = ${list.facts.event} AND secret = ${code}`
  const ticket = await db.get(sql`SELECT id FROM order_position WHERE ${place}`)
  return (
    ticket !== undefined || (await db.get(sql`SELECT id FROM revoked_secret WHERE ${place}`)) !== undefined
  )
}
