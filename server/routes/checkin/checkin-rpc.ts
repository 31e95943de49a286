import { checkinAnnul, checkinRedeem, checkinSearch } from '../../../schema/actions/checkin.ts'
import { annulBody, redeemBody } from '../../../schema/bodies/redeem.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { denied, invalid } from '../../errors.ts'
import { entersEvent } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { type ApiRouter, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { audienceOf, maskedQuery } from '../../resource/mask.ts'
import { repeated } from '../../resource/query.ts'
import { requireAtEntrance } from '../../services/accounts/entrance-rights.ts'
import { annul, nothingToUndo } from '../../services/checkin/annul.ts'
import { type ListAt, listsById } from '../../services/checkin/checkin-lists.ts'
import { findPositions } from '../../services/checkin/find-positions.ts'
import { redeem } from '../../services/checkin/redeem.ts'
import { presentPositions } from '../../services/orders/positions.ts'
import { downloadSiteOf } from '../../services/orders/ticket-downloads.ts'
import type { Queryable } from '../../storage/database.ts'
import { asksTooMuch } from './checkin-lists.ts'
import { expandAtDoor } from './expand-at-door.ts'
import { requireForOverride } from './override.ts'
import { scanAnswer } from './scan-answer.ts'
import { instantIn, readPlain, readScan } from './scan-body.ts'

/** The lists with these ids, at least one and of different events, unless a station looks on all that it admits; unknown and foreign ones are refused by `refuse`. */
async function listsFor(
  db: Queryable,
  { actor, organizer }: Scope,
  ids: readonly number[],
  refuse: (id: number) => Error,
): Promise<[ListAt, ...ListAt[]]> {
  const unique = [...new Set(ids)]
  const lists = await listsById(db, organizer.id, unique)
  const allowed = lists.filter((list) => entersEvent(actor, organizer.id, list.facts.event))
  const missing = unique.find((id) => !allowed.some((list) => list.facts.id === id))
  if (missing !== undefined) throw refuse(missing)
  const [first, ...rest] = allowed
  if (!first) throw invalid(['No check-in list passed.'])
  // A list that is named twice is refused as two lists of one event are.
  if (actor.kind !== 'station' && new Set(allowed.map((list) => list.facts.event)).size < ids.length)
    throw invalid(['Selecting two check-in lists from the same event is unsupported.'])
  return [first, ...rest]
}

const unknownList = (id: number) => invalid({ lists: [`Invalid pk "${id}" - object does not exist.`] })

/** Serves check-in across events: redeem, search and annul. */
export function serveCheckinRpc(router: ApiRouter): void {
  serveRedeem(router)
  serveSearch(router)
  serveAnnul(router)
}

function serveRedeem(router: ApiRouter): void {
  serveRaw(router, checkinRedeem, async (request) => {
    const { actor, organizer } = request
    const sent = readPlain(request.body, redeemBody)
    const input = readScan(sent, { code: sent.secret, canceled_supported: true })
    // All in one transaction: the lists are as the decision sees them, and the answer is as it was recorded.
    return request.carryOut(async (tx) => {
      const lists = await listsFor(tx, request, sent.lists, unknownList)
      await requireForOverride(tx, request, input)
      const outcome = await redeem(tx, {
        actor,
        organizer: organizer.id,
        lists,
        input: { ...input, canceled_supported: true },
      })
      return scanAnswer(tx, request, outcome, lists)
    })
  })
}

function serveSearch(router: ApiRouter): void {
  serveRead(router, checkinSearch, async (request, db) => {
    const { actor, organizer, origin = '' } = request
    const audience = audienceOf(actor)
    const query = maskedQuery(orderPosition, audience, request.query)
    const ids = repeated(query, 'list').map((text) => {
      if (!/^\d{1,16}$/.test(text)) throw invalid({ list: ['Enter a whole number.'] })
      return Number(text)
    })
    const lists = await listsFor(db, request, ids, (list) =>
      denied(`You do not have access to check-in list ${list}.`),
    )
    const { page } = request
    const found = asksTooMuch(request, query)
      ? { count: 0, positions: [] }
      : await findPositions(db, organizer.id, { lists, query, part: page, audience })
    const asked = new Set(lists.map((list) => list.facts.id))
    const view = {
      list: lists.length === 1 ? lists[0].facts.id : null,
      atDoor: true,
      site: downloadSiteOf(origin, organizer.slug, lists),
      audience,
    }
    const rows = await presentPositions(db, organizer.id, found.positions, view)
    const own = rows.map((row) => ({
      ...row,
      checkins: row.checkins.filter(({ list }) => asked.has(Number(list))),
    }))
    return request.pageOf(found.count, await expandAtDoor(db, request, view, own))
  })
}

function serveAnnul(router: ApiRouter): void {
  const { transactions } = router.api
  serveRaw(router, checkinAnnul, async (request) => {
    const { actor, organizer } = request
    const body = readPlain(request.body, annulBody)
    const lists = await listsFor(transactions.database, request, body.lists, unknownList)
    return request.carryOut(async (tx) => {
      await requireAtEntrance(tx, request, 'override', request.header('X-Step-Up'))
      const undone = await annul(tx, {
        actor,
        organizer: organizer.id,
        lists,
        nonce: body.nonce,
        at: instantIn(body),
        explanation: body.error_explanation ?? null,
      })
      if (!undone) throw nothingToUndo()
      return { status: 'ok' }
    })
  })
}
