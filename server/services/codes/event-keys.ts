import sql from 'sql-template-tag'
import {
  eventKey,
  type SignatureScheme,
  signatureSchemes,
} from '../../../schema/resources/checkin/event-key.ts'
import { keyPairFrom, readPrivateKey, readPublicKey, seedBytes } from '../../domain/signed-tickets/keys.ts'
import type { TicketKey } from '../../domain/signed-tickets/signed-ticket.ts'
import type { Actor } from '../../resource/actor.ts'
import { insertRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** What signs tickets: the number of a key, and its private half. */
interface Signer {
  readonly key_id: number
  readonly key: TicketKey['key']
}

interface KeyCells {
  readonly id: number
  readonly scheme: SignatureScheme
  readonly key_id: number
  readonly public_key: string
  readonly created: string
  readonly retired: string | null
}

const keysAt = (db: Queryable, place: Place): Promise<KeyCells[]> =>
  db.remembered(`ticket keys ${place.organizer} ${place.event}`, () =>
    db.all<KeyCells>(
      sql`SELECT id, scheme, key_id, public_key, created, retired FROM event_key
          WHERE organizer = ${place.organizer} AND event = ${place.event} ORDER BY key_id DESC, id`,
    ),
  )

/** The public keys of an event, the newest first: what any of them has signed is a ticket of it. */
export const ticketKeys = (db: Queryable, place: Place): Promise<TicketKey[]> =>
  db.remembered(`read ticket keys ${place.organizer} ${place.event}`, async () => {
    const cells = await keysAt(db, place)
    return cells.flatMap(({ public_key, ...one }) => {
      const key = readPublicKey(public_key)
      return key ? [{ ...one, key }] : []
    })
  })

/**
 * The public keys of an event by scheme, each as base64 of a PEM, the newest first; apps read those of `pretix_sig1`
 * where there is none as well.
 */
export async function validKeys(db: Queryable, place: Place): Promise<Record<string, string[]>> {
  const cells = await keysAt(db, place)
  const schemes = signatureSchemes.filter(
    (scheme) => scheme === 'pretix_sig1' || cells.some((one) => one.scheme === scheme),
  )
  return Object.fromEntries(
    schemes.map((scheme) => [
      scheme,
      cells.filter((one) => one.scheme === scheme).map((one) => one.public_key),
    ]),
  )
}

/**
 * What signs the tickets of an event now. Its key is made when there is none yet; on a node below another one, which
 * holds no private keys, this is undefined.
 */
export async function signerOf(
  tx: Tx,
  actor: Actor,
  place: Place,
  scheme: SignatureScheme,
): Promise<Signer | undefined> {
  const inUse = await privateKeyOf(tx, place, scheme)
  if (inUse) return { key_id: inUse.key_id, key: readPrivateKey(inUse.private_key) }
  if (tx.site > 0) return undefined
  // Two orders that both come first would make two keys with one number: the second begins again and finds the first.
  const { key_id, private_key } = await addKey(tx, actor, place, scheme)
  return { key_id, key: readPrivateKey(private_key) }
}

const privateKeyOf = (tx: Tx, place: Place, scheme: SignatureScheme) =>
  tx.get<{ key_id: number; private_key: string }>(
    sql`SELECT key_id, private_key FROM event_key
        WHERE organizer = ${place.organizer} AND event = ${place.event} AND scheme = ${scheme}
          AND retired IS NULL AND private_key IS NOT NULL
        ORDER BY key_id DESC LIMIT 1`,
  )

async function addKey(tx: Tx, actor: Actor, place: Place, scheme: SignatureScheme) {
  const last = await tx.get<{ key_id: number | null }>(
    sql`SELECT max(key_id) AS key_id FROM event_key
        WHERE organizer = ${place.organizer} AND event = ${place.event} AND scheme = ${scheme}`,
  )
  const { publicKey, privateKey } = keyPairFrom(tx.randomBytes(seedBytes))
  const shown = {
    id: tx.nextId(),
    scheme,
    key_id: (last?.key_id ?? 0) + 1,
    public_key: publicKey,
    created: tx.now,
    retired: null,
  }
  await insertRow(tx, eventKey, place, { ...shown, private_key: privateKey })
  tx.audit(place, actor, {
    action: 'ticketsvc.event.ticketkey.added',
    resource: eventKey.name,
    row: shown.id,
    data: { scheme, key_id: shown.key_id },
  })
  return { ...shown, private_key: privateKey }
}

/**
 * Gives an event a new key for a scheme; the row as it is shown. The old ones sign nothing any more and forget their
 * private half, and what they have signed stays valid.
 */
export async function rotateKey(tx: Tx, actor: Actor, place: Place, scheme: SignatureScheme) {
  const old = await tx.all<{ id: number }>(
    sql`SELECT id FROM event_key WHERE organizer = ${place.organizer} AND event = ${place.event}
        AND scheme = ${scheme} AND retired IS NULL ORDER BY id${tx.forUpdate}`,
  )
  for (const { id } of old) {
    await updateRow(tx, eventKey, place, { id, retired: tx.now, private_key: null })
    tx.audit(place, actor, { action: 'ticketsvc.event.ticketkey.retired', resource: eventKey.name, row: id })
  }
  return addKey(tx, actor, place, scheme)
}
