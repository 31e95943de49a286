import type Router from '@koa/router'
import type { Context } from 'koa'
import { annulBody, redeemBody } from '../../../schema/bodies/redeem.ts'
import { denied, invalid } from '../../errors.ts'
import { entersEvent } from '../../resource/actor.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { addressOf, originOf } from '../../resource/endpoints.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { repeated } from '../../resource/query.ts'
import { refuseMethod } from '../../resource/routes.ts'
import { annul, nothingToUndo } from '../../services/checkin/annul.ts'
import { type ListAt, listsById } from '../../services/checkin/checkin-lists.ts'
import { findPositions } from '../../services/checkin/find-positions.ts'
import { redeem } from '../../services/checkin/redeem.ts'
import { presentPositions } from '../../services/orders/positions.ts'
import { downloadSiteOf } from '../../services/orders/ticket-downloads.ts'
import type { Queryable } from '../../storage/database.ts'
import { expandRows } from '../input/expand.ts'
import { asksTooMuch, mayLook, mayScan } from './checkin-lists.ts'
import { scanAnswer } from './scan-answer.ts'
import { instantIn, readPlain, readScan } from './scan-body.ts'

/** Serves check-in across events: redeem, search and annul. */
export function serveCheckinRpc(router: Router, api: Api): void {
  const { database } = api.transactions
  const base = '/api/v1/organizers/:organizer/checkinrpc/'

  /** The lists with these ids, at least one and of different events; unknown and foreign ones are told by `refuse`. */
  async function listsFor(
    db: Queryable,
    ctx: Context,
    ids: readonly number[],
    refuse: (id: number) => Error,
  ): Promise<[ListAt, ...ListAt[]]> {
    const scope: Scope = ctx.state.scope
    const unique = [...new Set(ids)]
    const lists = await listsById(db, scope.organizer.id, unique)
    const allowed = lists.filter((list) => entersEvent(scope.actor, scope.organizer.id, list.facts.event))
    const missing = unique.find((id) => !allowed.some((list) => list.facts.id === id))
    if (missing !== undefined) throw refuse(missing)
    const [first, ...rest] = allowed
    if (!first) throw invalid(['No check-in list passed.'])
    if (new Set(allowed.map((list) => list.facts.event)).size < allowed.length)
      throw invalid(['Selecting two check-in lists from the same event is unsupported.'])
    return [first, ...rest]
  }

  const unknownList = (id: number) => invalid({ lists: [`Invalid pk "${id}" - object does not exist.`] })

  router.post(`${base}redeem/`, api.admit('organizer', mayScan), async (ctx) => {
    const scope: Scope = ctx.state.scope
    const { id } = scope.organizer
    const input = readScan(ctx, redeemBody, { canceled_supported: true })
    // All in one transaction: the lists are as the decision sees them, and the answer is as it was recorded.
    const { status, body } = await api.transactions.write(async (tx) => {
      const lists = await listsFor(tx, ctx, input.lists, unknownList)
      const outcome = await redeem(tx, {
        actor: scope.actor,
        organizer: id,
        lists,
        input: { ...input, canceled_supported: true },
      })
      return scanAnswer(tx, ctx, outcome, lists)
    })
    ctx.status = status
    ctx.body = body
  })

  router.get(`${base}search/`, api.admit('organizer', mayLook), async (ctx) => {
    const scope: Scope = ctx.state.scope
    const { id, slug } = scope.organizer
    const ids = repeated(ctx.query, 'list').map((text) => {
      if (!/^\d{1,16}$/.test(text)) throw invalid({ list: ['Enter a whole number.'] })
      return Number(text)
    })
    const lists = await listsFor(database, ctx, ids, (list) =>
      denied(`You do not have access to check-in list ${list}.`),
    )
    const page = pageOf(ctx.query)
    const found = asksTooMuch(scope, ctx.query)
      ? { count: 0, positions: [] }
      : await findPositions(database, id, { lists, query: ctx.query, part: page })
    const byEvent = new Map(lists.map((list) => [list.facts.event, list.facts.id]))
    const rows = await presentPositions(database, id, found.positions, {
      list: lists.length === 1 ? lists[0].facts.id : null,
      atDoor: true,
      site: downloadSiteOf(originOf(ctx), slug, lists),
    })
    const own = rows.map((row, index) => {
      const list = byEvent.get(found.positions[index]?.event ?? 0)
      const checkins = row.checkins as { list: number }[]
      return { ...row, checkins: checkins.filter((one) => one.list === list) }
    })
    ctx.body = pageBody(addressOf(ctx), page, found.count, await expandRows(database, ctx, own))
  })

  router.post(`${base}annul/`, api.admit('organizer', mayScan), async (ctx) => {
    const scope: Scope = ctx.state.scope
    const body = readPlain(ctx, annulBody)
    const lists = await listsFor(database, ctx, body.lists as number[], unknownList)
    const undone = await api.transactions.write((tx) =>
      annul(tx, {
        actor: scope.actor,
        organizer: scope.organizer.id,
        lists,
        nonce: String(body.nonce),
        at: instantIn(body, 'datetime'),
        explanation: (body.error_explanation as string | null | undefined) ?? null,
      }),
    )
    if (!undone) throw nothingToUndo()
    ctx.body = { status: 'ok' }
  })

  for (const path of ['redeem/', 'search/', 'annul/'])
    router.all(base + path, api.admit('organizer', null), (ctx) => refuseMethod(ctx))
}
