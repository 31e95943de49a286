import type { JsonObject } from '../../../schema/fields.ts'
import { event } from '../../../schema/resources/events/event.ts'
import { notFound } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { lockRow, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { prepareKey } from '../codes/order-codes.ts'
import { organizerSettings } from '../events/organizer-settings.ts'
import { changedSettings } from '../events/settings.ts'

/** Changes settings of an event; null takes one back to what its organizer says. The settings after it. */
export async function saveEventSettings(tx: Tx, scope: Scope, body: unknown): Promise<JsonObject> {
  const { place } = scope
  const row = await lockRow(tx, event, place, { id: place.event })
  if (!row) throw notFound()
  const inherited = await organizerSettings(tx, place.organizer)
  const before = { ...(row.settings as JsonObject), timezone: row.timezone }
  const next = changedSettings('event', before, inherited, body)
  if (JSON.stringify(next) !== JSON.stringify(before)) {
    // The time zone is a field of the event itself, for its times are read by it everywhere.
    const { timezone = inherited.timezone, ...settings } = next
    await updateRow(tx, event, place, { id: place.event, settings, timezone: String(timezone) })
    await prepareKey(tx, scope.actor, place, { ...inherited, ...next }.ticket_secret_generator)
    tx.audit(place, scope.actor, {
      action: 'ticketsvc.event.settings',
      resource: event.name,
      row: place.event,
      data: next,
    })
  }
  return { ...inherited, ...next }
}
