import sql, { join } from 'sql-template-tag'
import { operationOf, org } from '../../../schema/actions/action.ts'
import { giftCardTransact, giftCardTransactionList } from '../../../schema/actions/customers.ts'
import { transactInput } from '../../../schema/bodies/transact.ts'
import type { JsonObject, RowOf } from '../../../schema/fields.ts'
import { giftCard } from '../../../schema/resources/payments/gift-card.ts'
import { giftCardTransaction } from '../../../schema/resources/payments/gift-card-transaction.ts'
import { denied, invalid, notFound, Refusal } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { hundredths } from '../../resource/codec.ts'
import { type ApiRouter, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { readBody } from '../../resource/input.ts'
import { filterConditions, orderBy, type Query, single } from '../../resource/query.ts'
import { idIn, serve, shown } from '../../resource/routes.ts'
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
import type { Cells, Queryable } from '../../storage/database.ts'

const collection = `${org}/giftcards/` as const
const one = `${collection}:id/` as const

/** Whether a request is about the cards of others as well, which may be taken here. */
const isWide = (query: Query): boolean => single(query, 'include_accepted') === 'true'

/** The card that a request names, of its organizer or of others whose cards are taken here. */
async function cardOf(db: Queryable, { organizer }: Scope, id: string, query: Query): Promise<TakenCard> {
  const found = await findCard(db, organizer.id, idIn(id), isWide(query))
  if (!found) throw notFound()
  return found
}

/** Serves gift cards: the organizer's own, and on request those of others that it may take. */
export function serveGiftCards(router: ApiRouter): void {
  // Before the standard operations, which serve what is not about the cards of others.
  serveAcceptedCards(router)
  serve(router, giftCard, giftCardBehaviour)
  serveTransactions(router)
}

function serveAcceptedCards(router: ApiRouter): void {
  const { transactions } = router.api
  const { database } = transactions

  serveRaw(router, operationOf(giftCard, 'list', collection), async (request, _, next) => {
    const { organizer, query } = request
    if (!isWide(query)) return next()
    const { page } = request
    const issuers = [organizer.id, ...(await issuersFor(database, organizer.id))]
    const where = join(
      [
        sql`organizer IN (${join(issuers)})`,
        ...filterConditions(giftCard, query),
        ...expiryConditions(query, transactions.horizon()),
      ],
      ' AND ',
    )
    const total = await database.get<{ count: number }>(
      sql`SELECT count(*) AS count FROM gift_card WHERE ${where}`,
    )
    const found = await database.all<Cells>(
      sql`SELECT * FROM gift_card WHERE ${where}
          ORDER BY ${orderBy(giftCard, query, database.engine)} LIMIT ${page.size} OFFSET ${page.offset}`,
    )
    const rows = found.map((cells) => shown(giftCard, rowOf(giftCard, cells)))
    return request.pageOf(total?.count ?? 0, rows)
  })

  serveRaw(router, operationOf(giftCard, 'retrieve', one), async (request, _, next) => {
    const { query, params } = request
    if (!isWide(query)) return next()
    return shown(giftCard, (await cardOf(database, request, params.id, query)).row)
  })

  for (const operation of ['update', 'replace', 'delete'] as const)
    serveRaw(router, operationOf(giftCard, operation, one), ({ query }, _, next) => {
      if (!isWide(query)) return next()
      throw denied('Gift cards of other organizers can be used here, but not changed.')
    })
}

function serveTransactions(router: ApiRouter): void {
  const { database } = router.api.transactions
  serveRaw(router, giftCardTransact, async (request) => {
    const { actor, organizer, params, query } = request
    const { issuer, row } = await cardOf(database, request, params.id, query)
    const { value, text, currency, info } = readChange(request.body)
    const change = { value: hundredths(value), text: text === '' ? null : text, currency, info: info ?? {} }
    // Below another server, this is asked here only while that one cannot be reached.
    return request.carryOut(
      (tx) =>
        tx.site === 0
          ? transact(tx, actor, { issuer, id: row.id }, change)
          : transactOffline(tx, actor, { issuer: organizer.id, id: row.id }, change),
      (after) => shown(giftCard, after),
    )
  })

  serveRead(router, giftCardTransactionList, async (request, db) => {
    const { params, query } = request
    const { issuer, row } = await cardOf(db, request, params.id, query)
    const place = { organizer: issuer, event: 0 }
    const { page } = request
    const ofCard = sql`gift_card = ${row.id}`
    const count = await countRows(db, giftCardTransaction, place, ofCard)
    const order = sql`"datetime", id LIMIT ${page.size} OFFSET ${page.offset}`
    const rows = await findRows(db, giftCardTransaction, place, { where: ofCard, order })
    return request.pageOf(
      count,
      rows.map((found) => shown(giftCardTransaction, found)),
    )
  })
}

/** Changes a card on a node below another one, as far as the organizer lets it without asking. */
async function transactOffline(
  tx: Tx,
  actor: Actor,
  { issuer: organizer, id }: CardKey,
  change: CardChange,
): Promise<JsonObject> {
  const { gift_card_offline_limit: limit } = await organizerSettings(tx, organizer)
  const preferred = (await stationSettings(tx))?.event ?? null
  const place = await eventToReportWith(tx, actor, organizer, preferred)
  return spendOffline(tx, { actor, place }, id, { ...change, limit: hundredths(String(limit)) })
}

/** What a change says. Complaints about it are a plain list, for clients look for them there. */
function readChange(body: unknown): RowOf<typeof transactInput> {
  try {
    return readBody(transactInput, body, { partial: false, locale: 'en' })
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.status !== 400 || cause.body === null) throw cause
    throw invalid(Object.values(cause.body).flat())
  }
}
