import sql, { join, type Sql } from 'sql-template-tag'
import { type GiftCard, giftCard } from '../../../schema/resources/payments/gift-card.ts'
import { giftCardTransaction } from '../../../schema/resources/payments/gift-card-transaction.ts'
import { denied, type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour, RowChange, Scope } from '../../resource/api.ts'
import { hundredths } from '../../resource/codec.ts'
import { flagParameter, type Query } from '../../resource/query.ts'
import { countRows, rowOf } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { alphabets, randomWord } from '../codes/secrets.ts'
import { acceptorsOf, issuersFor } from './gift-card-issuers.ts'
import { recordChange } from './gift-card-transactions.ts'

const secretLength = 12

/** What gift cards must keep to. Every change of their value is a transaction as well. */
export const giftCardBehaviour: Behaviour<typeof giftCard> = {
  prepare: prepareCard,
  async afterWrite(tx, scope, { next: row, before }) {
    const value = hundredths(row.value) - (before ? hundredths(before.value) : 0)
    if (before && value === 0) return
    await recordChange(tx, scope.place, row.id, { value })
  },
  conditions: (_scope, query, now) => expiryConditions(query, now),
  async beforeDelete(tx, scope, row) {
    const changes = sql`gift_card = ${row.id}`
    if ((await countRows(tx, giftCardTransaction, scope.place, changes)) > 1)
      throw denied('This gift card has been used, so it cannot be deleted.')
  },
}

async function prepareCard(
  tx: Tx,
  scope: Scope,
  { next, before }: RowChange<typeof giftCard>,
): Promise<GiftCard> {
  const errors: FieldErrors = {}
  if (hundredths(next.value) < 0) errors.value = ['A gift card cannot be worth less than nothing.']
  const secret = before ? before.secret : next.secret || freshSecret(tx)
  if (!before && (await isSecretTaken(tx, scope.organizer.id, secret)))
    errors.secret = [
      'A gift card with the same secret already exists in your or an affiliated organizer account.',
    ]
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return { ...next, secret }
}

/** A new code; two of the same are made about once in two hundred thousand million million. */
const freshSecret = (tx: Tx): string => randomWord(tx.randomBytes, alphabets.orderCode, secretLength)

/** Whether a till that takes a card could mean another one: of this organizer, or of one on either side of a grant. */
async function isSecretTaken(tx: Tx, organizer: number, secret: string): Promise<boolean> {
  const near = [organizer, ...(await issuersFor(tx, organizer)), ...(await acceptorsOf(tx, organizer))]
  const found = await tx.get(
    sql`SELECT id FROM gift_card WHERE organizer IN (${join(near)}) AND lower(secret) = ${secret.toLowerCase()} LIMIT 1`,
  )
  return found !== undefined
}

/** The condition of the `expired` parameter. */
export function expiryConditions(query: Query, now: string): Sql[] {
  const wanted = flagParameter(query, 'expired')
  if (wanted === undefined) return []
  return [wanted ? sql`expires < ${now}` : sql`(expires IS NULL OR expires >= ${now})`]
}

/** A gift card that an organizer may take, and whose it is. */
export interface TakenCard {
  readonly issuer: number
  readonly row: GiftCard
}

/** The card with an id among those that an organizer may take: its own alone, or those of others as well. */
export async function findCard(
  db: Queryable,
  organizer: number,
  id: number,
  withAccepted: boolean,
): Promise<TakenCard | undefined> {
  const issuers = [organizer, ...(withAccepted ? await issuersFor(db, organizer) : [])]
  const cells = await db.get(
    sql`SELECT * FROM gift_card WHERE organizer IN (${join(issuers)}) AND id = ${id}`,
  )
  return cells && { issuer: Number(cells.organizer), row: rowOf(giftCard, cells) }
}
