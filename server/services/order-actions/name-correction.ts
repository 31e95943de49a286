import { correctableParts, type NamePart } from '../../../schema/bodies/kiosk.ts'
import { askedParts, fullName, withScheme } from '../../domain/text/names.ts'
import { invalid } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { eventById } from '../events/events.ts'
import { lockPosition } from '../orders/position-lock.ts'
import { changePosition } from './position-change.ts'

/** Parts of a name as they are stored, with the scheme that they were entered in. */
export type StoredName = Readonly<Record<string, string>>

/** What a guest may correct of a name: the parts that a form of its scheme asks for, as they are; a title stays. */
export function correctableName(stored: StoredName, eventScheme: string): readonly NamePart[] {
  if (fullName(stored, eventScheme) === null) return []
  if (stored._legacy !== undefined) return [{ part: 'full_name', text: stored._legacy }]
  const asked = new Set(askedParts(stored._scheme ?? eventScheme).map(({ key }) => key))
  return correctableParts
    .filter((part) => asked.has(part))
    .map((part) => ({ part, text: stored[part] ?? '' }))
}

/** A name with some of its parts corrected; throws 400 where nothing is left of it. */
export function correctedName(stored: StoredName, given: StoredName, eventScheme: string): StoredName {
  const { _legacy, ...before } = stored
  const after = withScheme({ ...before, ...given }, eventScheme)
  if (fullName(after, eventScheme) === null) throw invalid({ name_parts: ['A name is needed.'] })
  return after
}

/** Stores another name of the attendee of a ticket, as any change of it; nothing where it is the same. */
export async function storeAttendeeName(
  tx: Tx,
  { actor, place }: Pick<Scope, 'actor'> & { readonly place: Place },
  position: number,
  parts: StoredName,
): Promise<void> {
  const event = await eventById(tx, place.organizer, place.event)
  if (!event) return
  const locked = await lockPosition(tx, place, position)
  const sent = { attendee_name_parts: parts }
  await changePosition(tx, { actor, place, event }, locked, { sent, checkQuotas: false })
}
