import type { JsonObject } from '../../../schema/fields.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { resourceByName } from '../../../schema/resources/index.ts'
import type { Scope } from '../../resource/api.ts'
import { settled } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { readBody } from '../../resource/input.ts'
import { checkReferences } from '../../resource/references.ts'
import { insertRow, storedFields } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { deviceAdded, deviceBehaviour, tellOfDevice } from './device-behaviour.ts'

/** Makes a device that can be set up once with its token; refuses what the API refuses, in the same words. */
export async function createDevice(
  tx: Tx,
  scope: Scope,
  body: JsonObject,
): Promise<StoredRow<typeof device>> {
  const values = readBody(device.fields, body, { partial: false, locale: 'en' })
  const start = { ...blankRow(device), ...values }
  await checkReferences(tx, resourceByName, { resource: device, place: scope.place }, start)
  const next = (await deviceBehaviour.prepare?.(tx, scope, { next: start, before: undefined, body })) ?? start
  const row: StoredRow<typeof device> = settled(storedFields(device), { ...next, id: tx.nextId() })
  await insertRow(tx, device, scope.place, row)
  tx.audit(scope.place, scope.actor, {
    action: deviceAdded,
    resource: device.name,
    row: row.id,
    data: values,
  })
  tellOfDevice(tx, scope.organizer.id, row)
  return row
}
