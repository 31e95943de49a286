import sql from 'sql-template-tag'
import { organizerOnlySettings } from '../../../schema/event-settings.ts'
import { type JsonObject, marksOf } from '../../../schema/fields.ts'
import { organizer } from '../../../schema/resources/events/organizer.ts'
import type { Scope } from '../../resource/api.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { settingDefaults } from './events.ts'
import { changedSettings } from './settings.ts'

const defaults: JsonObject = {
  ...settingDefaults,
  ...Object.fromEntries(
    Object.entries(organizerOnlySettings).map(([key, { field }]) => [key, marksOf(field).default]),
  ),
}

async function ownSettings(db: Queryable, id: number): Promise<JsonObject> {
  const row = await db.get<{ settings: string }>(sql`SELECT settings FROM organizer WHERE id = ${id}`)
  return JSON.parse(row?.settings ?? '{}')
}

/** The settings of an organizer: what it says itself, and else the defaults. */
export const organizerSettings = async (db: Queryable, id: number): Promise<JsonObject> => ({
  ...defaults,
  ...(await ownSettings(db, id)),
})

/** Changes settings of an organizer, which all of its events inherit; null takes one back. The settings after it. */
export async function saveOrganizerSettings(tx: Tx, scope: Scope, body: unknown): Promise<JsonObject> {
  const { id } = scope.organizer
  await tx.get(sql`SELECT id FROM organizer WHERE id = ${id}${tx.forUpdate}`)
  const before = await ownSettings(tx, id)
  const next = changedSettings('organizer', before, defaults, body)
  const text = JSON.stringify(next)
  if (text !== JSON.stringify(before)) {
    const place = { organizer: id, event: 0 }
    await tx.run(sql`UPDATE organizer SET settings = ${text} WHERE id = ${id}`)
    tx.changed(place, organizer.name, id, 'put')
    tx.audit(place, scope.actor, {
      action: 'ticketsvc.organizer.settings',
      resource: organizer.name,
      row: id,
      data: next,
    })
  }
  return { ...defaults, ...next }
}
