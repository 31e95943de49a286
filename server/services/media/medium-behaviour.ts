import sql, { type Sql } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { ReusableMedium, reusableMedium } from '../../../schema/resources/media/reusable-medium.ts'
import { customer } from '../../../schema/resources/orders/customer.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { entersEvent } from '../../resource/actor.ts'
import type { Behaviour, RowChange, Scope } from '../../resource/api.ts'
import { integerParameter, type Query } from '../../resource/query.ts'
import { findRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { idListHolds } from '../input/json-filters.ts'
import { findMedium, knownPositions } from './find-medium.ts'
import { presentMedia } from './medium-present.ts'

const unknown = (id: unknown): string[] => [`Invalid pk "${id}" - object does not exist.`]

/** What media must keep to, and what is shown with them. */
export const mediumBehaviour: Behaviour<typeof reusableMedium> = {
  prepare: prepareMedium,
  conditions: (_scope, query) => linkConditions(query),
  present: presentMedia,
}

/** The conditions of the parameters that name a ticket. */
const linkConditions = (query: Query): Sql[] =>
  ['linked_orderposition', 'linked_orderpositions'].flatMap((name) => {
    const id = integerParameter(query, name)
    return id === undefined ? [] : [idListHolds(sql`linked_orderpositions`, id)]
  })

async function prepareMedium(
  tx: Tx,
  scope: Scope,
  { next: given, before, body }: RowChange<typeof reusableMedium>,
): Promise<ReusableMedium> {
  const next = { ...given, linked_orderpositions: linkedIn(given, before, body) }
  const organizer = scope.organizer.id
  const errors: FieldErrors = {}
  const fresh = next.linked_orderpositions.filter((id) => !before?.linked_orderpositions.includes(id))
  const known = await knownPositions(tx, organizer, fresh)
  const missing = fresh.filter((id) => !mayLink(scope, known.get(id)))
  if (missing.length > 0) errors[linkField(body)] = missing.flatMap(unknown)
  const isOther = next.customer !== null && next.customer !== before?.customer
  if (isOther && !(await findRow(tx, customer, scope.place, { identifier: String(next.customer) })))
    errors.customer = [`Object with identifier=${next.customer} does not exist.`]
  if (!before && (await findMedium(tx, organizer, next)))
    errors.identifier = [
      'A medium with the same identifier and type already exists in your organizer account.',
    ]
  if (Object.keys(errors).length > 0) throw invalid(errors)
  if (!before) return { ...next, created: tx.now, updated: tx.now }
  return JSON.stringify(next) === JSON.stringify(before) ? next : { ...next, updated: tx.now }
}

/** Whether a caller may point a medium to a ticket of an event: it lets in whoever has the medium. */
const mayLink = ({ actor, organizer }: Scope, event: number | undefined): boolean =>
  event !== undefined && entersEvent(actor, organizer.id, event)

const linkField = (body: JsonObject): string =>
  Object.hasOwn(body, 'linked_orderposition') ? 'linked_orderposition' : 'linked_orderpositions'

/** The tickets that a medium is to stand for, as a list or, from programs that know one only, as one or none. */
function linkedIn(
  next: ReusableMedium,
  before: ReusableMedium | undefined,
  body: JsonObject,
): readonly number[] {
  if (!Object.hasOwn(body, 'linked_orderposition')) return next.linked_orderpositions
  const refuse = (message: string) => invalid({ linked_orderposition: [message] })
  if (Object.hasOwn(body, 'linked_orderpositions'))
    throw refuse('You cannot use linked_orderposition and linked_orderpositions at the same time.')
  if (before && before.linked_orderpositions.length > 1)
    throw refuse('There are more than one linked_orderposition. You need to use linked_orderpositions.')
  const { linked_orderposition: one } = body
  if (one === null) return []
  if (!Number.isSafeInteger(Number(one)) || typeof one === 'boolean')
    throw refuse('Incorrect type. Expected pk value.')
  return [Number(one)]
}
