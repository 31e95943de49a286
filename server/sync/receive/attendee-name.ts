import { check, isObject } from '../../resource/input.ts'
import { eventById } from '../../services/events/events.ts'
import { type StoredName, storeAttendeeName } from '../../services/order-actions/name-correction.ts'
import { lockPosition } from '../../services/orders/position-lock.ts'
import type { Applier } from './applier.ts'
import { findPosition, mayStillCome } from './reported-position.ts'

const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const
const parts = {
  type: 'object',
  maxProperties: 20,
  additionalProperties: { type: 'string', maxLength: 1000 },
} as const

const schema = {
  type: 'object',
  required: ['position', 'secret', 'before', 'parts'],
  properties: { position: id, secret: { type: 'string', maxLength: 255 }, before: parts, parts },
} as const

interface Corrected {
  readonly position: number
  readonly secret: string
  readonly before: StoredName
  readonly parts: StoredName
}

/** Stores a name that a guest has corrected, unless it was changed here meanwhile: then that stays. */
export const applyAttendeeName: Applier = async (tx, context, fact) => {
  check(schema, fact.payload)
  const { position: id, secret, before, parts } = fact.payload as Corrected
  const event = await eventById(tx, context.place.organizer, context.place.event)
  if (!event?.settings.kiosk_name_correction)
    return {
      status: 'rejected',
      reason: 'may_not_correct',
      detail: 'Guests may not correct their names at this event.',
    }
  const position = await findPosition(tx, context.place, id, secret)
  if (!position)
    return {
      status: mayStillCome(tx, context, id) ? 'retry' : 'rejected',
      reason: 'unknown_order',
      detail: 'The ticket whose name was corrected is not known here.',
    }
  const { position: row } = await lockPosition(tx, context.place, position.id)
  const stored: unknown = JSON.parse(String(row.attendee_name_parts ?? '{}'))
  if (isObject(stored) && isSame(stored, before)) await storeAttendeeName(tx, context, position.id, parts)
  return { status: 'applied' }
}

const isSame = (one: Readonly<Record<string, unknown>>, other: StoredName): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => one[key] === other[key])
