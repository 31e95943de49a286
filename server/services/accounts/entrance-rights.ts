import type { StaffRight } from '../../../schema/staff-rights.ts'
import { Refusal } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Tx } from '../../resource/transactions.ts'
import { chosenEvents, stationSettings } from '../devices/station-settings.ts'
import { eventById } from '../events/events.ts'
import { staffNeededFor } from './staff-sign-in.ts'

/**
 * Refuses what only some staff may do at an entrance, where the organizer has that asked there. Nobody has to sign in to
 * admit guests: whoever has not is asked for somebody who may, for this act alone.
 */
export async function requireAtEntrance(
  tx: Tx,
  { actor }: { readonly actor: Actor },
  right: StaffRight,
  token: string,
): Promise<void> {
  if (actor.kind !== 'station') return
  const settings = await stationSettings(tx)
  if (!settings) return
  let isAsked = false
  for (const id of await chosenEvents(tx, settings)) {
    const event = await eventById(tx, settings.organizer, id)
    isAsked ||= event?.settings.entrance_staff_asked === true
  }
  if (!isAsked) return
  const place = { organizer: settings.organizer, event: 0 }
  if ((await staffNeededFor(tx, { actor, place }, right, token)) === null) return
  throw new Refusal(403, { detail: 'A supervisor has to allow this.', reason: 'step_up', right })
}
