import sql from 'sql-template-tag'
import { hardwareInput, initializationInput } from '../../../schema/bodies/device.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { appProfileOf } from '../../../schema/security-profiles.ts'
import { invalid } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { readBody } from '../../resource/input.ts'
import { rowOf, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Cells, Queryable } from '../../storage/database.ts'
import { alphabets, hashToken, randomWord } from '../codes/secrets.ts'
import { tellOfDevice } from './device-behaviour.ts'

/** A device with the token it has just been given or has shown. */
export interface DeviceAccess {
  readonly row: StoredRow<typeof device>
  readonly place: Place
  readonly token: string
}

const newToken = (tx: Tx): string => randomWord(tx.randomBytes, alphabets.token, 64)

/** Sets a device up with its one-time token; the access token it gets is stored as a hash only. */
export async function initializeDevice(tx: Tx, body: unknown): Promise<DeviceAccess> {
  const { token: once, ...about } = readBody(initializationInput, body, { partial: false, locale: 'en' })
  const cells = await tx.get<Cells>(
    sql`SELECT * FROM device WHERE initialization_token = ${once}${tx.forUpdate}`,
  )
  const row = cells && rowOf(device, cells)
  if (!cells || !row) throw invalid({ token: ['Unknown initialization token.'] })
  if (row.initialized !== null) throw invalid({ token: ['This initialization token has already been used.'] })
  if (row.revoked) throw invalid({ token: ['This device has been revoked.'] })
  const token = newToken(tx)
  const place = { organizer: Number(cells.organizer), event: 0 }
  const changes = { ...about, initialized: tx.now, token_hash: hashToken(token) }
  await changeDevice(tx, actorOf(row, place), { row, place }, { changes, done: 'initialized' })
  return { row: { ...row, ...changes }, place, token }
}

/** Notes what a device says about itself, such as the version it was updated to. */
export async function updateDevice(
  tx: Tx,
  actor: Actor,
  token: string,
  body: unknown,
): Promise<DeviceAccess> {
  const { row, place } = await ownRow(tx, actor)
  const about = readBody(hardwareInput, body, { partial: false, locale: 'en' })
  await changeDevice(tx, actor, { row, place }, { changes: about, done: 'updated' })
  return { row: { ...row, ...about }, place, token }
}

/** Notes which version a device runs and which update did not work there, where that is news. */
export async function noteUpdateReport(
  tx: Tx,
  actor: Actor,
  { version, failure = null }: { readonly version: string; readonly failure?: string | null },
): Promise<void> {
  const { row, place } = await ownRow(tx, actor)
  if (row.software_version === version && row.update_failure === failure) return
  const changes = { software_brand: 'Gatehouse', software_version: version, update_failure: failure }
  await changeDevice(tx, actor, { row, place }, { changes, done: 'updated' })
}

/** Gives a device a new access token; the old one dies with the commit. */
export async function rollToken(tx: Tx, actor: Actor): Promise<DeviceAccess> {
  const { row, place } = await ownRow(tx, actor)
  const token = newToken(tx)
  await changeDevice(
    tx,
    actor,
    { row, place },
    { changes: { token_hash: hashToken(token) }, done: 'keyroll' },
  )
  return { row, place, token }
}

/** Gives a device's access up for good, at its own wish. */
export async function giveUpDevice(tx: Tx, actor: Actor, token: string): Promise<DeviceAccess> {
  const { row, place } = await ownRow(tx, actor)
  await changeDevice(tx, actor, { row, place }, { changes: { revoked: true }, done: 'revoked' })
  return { row: { ...row, revoked: true }, place, token }
}

async function ownRow(tx: Tx, actor: Actor): Promise<{ row: StoredRow<typeof device>; place: Place }> {
  const place = { organizer: Number(actor.organizer), event: 0 }
  const cells = await tx.get<Cells>(
    sql`SELECT * FROM device WHERE organizer = ${place.organizer} AND id = ${actor.id}${tx.forUpdate}`,
  )
  if (!cells) throw new Error('A device that has just been recognised is gone.')
  return { row: rowOf(device, cells), place }
}

async function changeDevice(
  tx: Tx,
  actor: Actor,
  { row, place }: { readonly row: StoredRow<typeof device>; readonly place: Place },
  { changes, done }: { readonly changes: Partial<StoredRow<typeof device>>; readonly done: string },
): Promise<void> {
  await updateRow(tx, device, place, { id: row.id, ...changes })
  tx.audit(place, actor, {
    action: `ticketsvc.device.${done}`,
    resource: device.name,
    row: row.id,
  })
  tellOfDevice(tx, place.organizer, { ...row, ...changes })
}

/** A device that acts for itself before it can sign in. */
const actorOf = (row: StoredRow<typeof device>, place: Place): Actor => ({
  kind: 'device',
  id: row.id,
  name: row.name,
  organizer: place.organizer,
  permissions: new Set(),
  allEvents: false,
  events: new Set(),
  device: null,
})

/** A device as it sees itself. */
export async function deviceShown(db: Queryable, { row, place, token }: DeviceAccess): Promise<JsonObject> {
  const organizer = await db.get<{ slug: string }>(
    sql`SELECT slug FROM organizer WHERE id = ${place.organizer}`,
  )
  const gate =
    row.gate === null
      ? undefined
      : await db.get<Cells>(
          sql`SELECT id, name, identifier FROM gate WHERE organizer = ${place.organizer} AND id = ${row.gate}`,
        )
  return {
    organizer: organizer?.slug,
    device_id: row.device_id,
    unique_serial: row.unique_serial,
    api_token: token,
    name: row.name,
    security_profile: appProfileOf(row.security_profile),
    gate: gate ?? null,
  }
}
