import sql, { type Sql } from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { event } from '../../../schema/resources/events/event.ts'
import { eventMetaProperty } from '../../../schema/resources/events/event-meta-property.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import {
  type MetaData,
  type MetaProperty,
  metaProblems,
  missingMeta,
  withoutProtected,
} from '../../domain/text/meta-data.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { may } from '../../resource/actor.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { findRow, findRows, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { objectKnows } from '../input/json-filters.ts'

/** What meta properties must keep to. Events keep what they say when a property is renamed, and lose it with it. */
export const metaPropertyBehaviour: Behaviour<typeof eventMetaProperty> = {
  async prepare(_tx, _scope, { next: given }) {
    const next = given.choices?.length === 0 ? { ...given, choices: null } : given
    const keys = next.choices?.map(({ key }) => key)
    if (keys && new Set(keys).size < keys.length)
      throw invalid({ choices: ['Every value can be there only once.'] })
    if (keys && next.default !== '' && !keys.includes(next.default))
      throw invalid({ default: ['The default must be one of the values that can be chosen.'] })
    return next
  },
  async afterWrite(tx, scope, { next: row, before }) {
    if (before && before.name !== row.name) await renameValues(tx, scope, before.name, row.name)
  },
  async beforeDelete(tx, scope, row) {
    await renameValues(tx, scope, row.name, null)
  },
}

async function renameValues(tx: Tx, scope: Scope, from: string, to: string | null): Promise<void> {
  const { organizer } = scope.place
  const renamed = (meta: MetaData): MetaData => {
    const { [from]: value, ...rest } = meta
    return to === null || value === undefined ? rest : { ...rest, [to]: value }
  }
  const says = objectKnows(sql`meta_data`, from)
  for (const row of await findRows(tx, event, { organizer, event: 0 }, { where: says }))
    await updateRow(tx, event, { organizer, event: 0 }, { id: row.id, meta_data: renamed(row.meta_data) })
  const dates = await tx.all<{ id: number; event: number; meta_data: string }>(
    sql`SELECT id, event, meta_data FROM subevent WHERE organizer = ${organizer} AND ${says} ORDER BY id`,
  )
  for (const { id, event: of, meta_data } of dates) {
    const change = { meta_data: renamed(JSON.parse(meta_data)), last_modified: tx.now }
    await updateRow(tx, subevent, { organizer, event: of }, { id, ...change })
  }
}

interface WithMetaData {
  readonly meta_data: MetaData
}

const propertiesOf = (tx: Tx, organizer: number): Promise<MetaProperty[]> =>
  findRows(tx, eventMetaProperty, { organizer, event: 0 })

/**
 * The meta data of an event or date that is about to be stored, compared with what it said before, and messages about
 * it. Protected properties stay as they were where the caller may not change the organizer.
 */
export async function sentMetaData(
  tx: Tx,
  scope: Scope,
  next: WithMetaData,
  before: WithMetaData | undefined,
): Promise<{ readonly meta_data: MetaData; readonly errors: FieldErrors }> {
  const old = before?.meta_data ?? {}
  if (JSON.stringify(next.meta_data) === JSON.stringify(old)) return { meta_data: old, errors: {} }
  const properties = await propertiesOf(tx, scope.place.organizer)
  const problems = metaProblems(next.meta_data, old, properties)
  const mayChangeAll = may(scope.actor, 'can_change_organizer_settings')
  const stored = mayChangeAll ? next.meta_data : withoutProtected(next.meta_data, old, properties)
  return { meta_data: stored, errors: problems.length > 0 ? { meta_data: problems } : {} }
}

/** Why an event cannot go live yet: what has to be said about it and is not. */
export async function missingMetaData(tx: Tx, scope: Scope, row: WithMetaData): Promise<string[]> {
  const missing = missingMeta(row.meta_data, await propertiesOf(tx, scope.place.organizer))
  return missing.map((name) => `The meta data of the event says nothing about "${name}", which is required.`)
}

/** The event that a new one is made after, if it is: what it says counts as said before. */
export const eventCopied = async (tx: Tx, { place }: Scope): Promise<StoredRow<typeof event> | undefined> =>
  place.event === 0 ? undefined : findRow(tx, event, place, { id: place.event })

/** What a property is when an event says nothing about it. */
export const usualValue = (organizer: Sql, key: string): Sql =>
  sql`(SELECT p."default" FROM event_meta_property p WHERE p.organizer = ${organizer} AND p.name = ${key})`
