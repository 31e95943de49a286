import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import sql, { join } from 'sql-template-tag'
import { transactInput } from '../../../schema/bodies/transact.ts'
import { giftCard } from '../../../schema/resources/payments/gift-card.ts'
import { giftCardTransaction } from '../../../schema/resources/payments/gift-card-transaction.ts'
import { denied, invalid, notFound, Refusal } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { hundredths, type RowData } from '../../resource/codec.ts'
import { addressOf, bodyOf } from '../../resource/endpoints.ts'
import { readBody } from '../../resource/input.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { filterConditions, orderBy, single } from '../../resource/query.ts'
import { idIn, refuseMethod, serve, shown } from '../../resource/routes.ts'
import { countRows, findRows, rowOf } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { stationSettings } from '../../services/devices/station-settings.ts'
import { organizerSettings } from '../../services/events/organizer-settings.ts'
import {
  expiryConditions,
  findCard,
  giftCardBehaviour,
  type TakenCard,
} from '../../services/payments/gift-card-behaviour.ts'
import { issuersFor } from '../../services/payments/gift-card-issuers.ts'
import { type CardChange, type CardKey, transact } from '../../services/payments/gift-card-transactions.ts'
import { eventToReportWith, spendOffline } from '../../services/payments/offline-gift-cards.ts'
import type { Cells } from '../../storage/database.ts'

const collection = '/api/v1/organizers/:organizer/giftcards/'
const one = `${collection}:id/`

/** Whether a request is about the cards of others as well, which may be taken here. */
const isWide = (ctx: Context): boolean => single(ctx.query, 'include_accepted') === 'true'

/** Serves gift cards: the organizer's own, and on request those of others that it may take. */
export function serveGiftCards(router: Router, api: Api): void {
  const { database } = api.transactions
  const admit = api.admit('organizer', 'can_manage_gift_cards')

  async function card(ctx: Context): Promise<TakenCard> {
    const { organizer }: Scope = ctx.state.scope
    const found = await findCard(database, organizer.id, idIn(ctx.params.id), isWide(ctx))
    if (!found) throw notFound()
    return found
  }

  const whenWide =
    (answer: (ctx: Context) => Promise<void>): Middleware =>
    (ctx, next) =>
      isWide(ctx) ? answer(ctx) : next()

  router.get(
    collection,
    admit,
    whenWide(async (ctx) => {
      const { organizer }: Scope = ctx.state.scope
      const page = pageOf(ctx.query)
      const issuers = [organizer.id, ...(await issuersFor(database, organizer.id))]
      const where = join(
        [
          sql`organizer IN (${join(issuers)})`,
          ...filterConditions(giftCard, ctx.query),
          ...expiryConditions(ctx.query, api.transactions.horizon()),
        ],
        ' AND ',
      )
      const total = await database.get<{ count: number }>(
        sql`SELECT count(*) AS count FROM gift_card WHERE ${where}`,
      )
      const found = await database.all<Cells>(
        sql`SELECT * FROM gift_card WHERE ${where}
            ORDER BY ${orderBy(giftCard, ctx.query, database.engine)} LIMIT ${page.size} OFFSET ${page.offset}`,
      )
      const rows = found.map((cells) => shown(giftCard, rowOf(giftCard, cells)))
      ctx.body = pageBody(addressOf(ctx), page, Number(total?.count ?? 0), rows)
    }),
  )

  router.get(
    one,
    admit,
    whenWide(async (ctx) => {
      ctx.body = shown(giftCard, (await card(ctx)).row)
    }),
  )

  const refuseWide = whenWide(async () => {
    throw denied('Gift cards of other organizers can be used here, but not changed.')
  })
  router.patch(one, admit, refuseWide)
  router.put(one, admit, refuseWide)
  router.delete(one, admit, refuseWide)
  serve(router, api, giftCard, giftCardBehaviour)

  const changes = `${one}transact/`
  router.post(changes, admit, async (ctx) => {
    const { actor, organizer }: Scope = ctx.state.scope
    const { issuer, row } = await card(ctx)
    const { value, text, currency } = readChange(bodyOf(ctx))
    const change = {
      value: hundredths(String(value)),
      text: text === '' ? null : (text as string | null),
      currency: currency as string | null,
    }
    // Below another server, this is asked here only while that one cannot be reached.
    const after = await api.transactions.write((tx) =>
      tx.site === 0
        ? transact(tx, actor, { issuer, id: row.id }, change)
        : transactOffline(tx, actor, { issuer: organizer.id, id: row.id }, change),
    )
    ctx.body = shown(giftCard, after)
  })
  router.all(changes, api.admit('organizer', null), (ctx) => refuseMethod(ctx))

  const history = `${one}transactions/`
  router.get(history, admit, async (ctx) => {
    const { issuer, row } = await card(ctx)
    const place = { organizer: issuer, event: 0 }
    const page = pageOf(ctx.query)
    const ofCard = sql`gift_card = ${row.id}`
    const count = await countRows(database, giftCardTransaction, place, ofCard)
    const order = sql`"datetime", id LIMIT ${page.size} OFFSET ${page.offset}`
    const rows = await findRows(database, giftCardTransaction, place, ofCard, order)
    const results = rows.map((found) => shown(giftCardTransaction, found))
    ctx.body = pageBody(addressOf(ctx), page, count, results)
  })
  router.all(history, api.admit('organizer', null), (ctx) => refuseMethod(ctx))
}

/** Changes a card on a node below another one, as far as the organizer lets it without asking. */
async function transactOffline(
  tx: Tx,
  actor: Actor,
  { issuer: organizer, id }: CardKey,
  change: CardChange,
): Promise<RowData> {
  const { gift_card_offline_limit: limit } = await organizerSettings(tx, organizer)
  const preferred = (await stationSettings(tx))?.event ?? null
  const place = await eventToReportWith(tx, actor, organizer, preferred)
  return spendOffline(tx, { actor, place }, id, { ...change, limit: hundredths(String(limit)) })
}

/** What a change says. Complaints about it are a plain list, for clients look for them there. */
function readChange(body: unknown): RowData {
  try {
    return readBody(transactInput, body, { partial: false, locale: 'en' })
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.status !== 400 || cause.body === null) throw cause
    throw invalid(Object.values(cause.body).flat())
  }
}
