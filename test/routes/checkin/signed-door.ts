import sql from 'sql-template-tag'
import { blockedSecret } from '../../../schema/resources/checkin/blocked-secret.ts'
import { eventKey, type SignatureScheme } from '../../../schema/resources/checkin/event-key.ts'
import type { TicketContent } from '../../../server/domain/signed-tickets/content.ts'
import { signTicket } from '../../../server/domain/signed-tickets/signed-ticket.ts'
import type { Env } from '../../../server/env.ts'
import { insertRow } from '../../../server/resource/store.ts'
import type { Place } from '../../../server/resource/transactions.ts'
import { migrate } from '../../../server/storage/migrate.ts'
import { prepareSearch } from '../../../server/storage/search.ts'
import type { Engine } from '../../support/engines/engines.ts'
import { keyOf, plain, seedOf } from '../../support/ticketing/signing.ts'
import { type Door, openDoor, type StoredScan } from './checkin-door.ts'

/** The door of a station that knows no orders, but the public keys of its event. */
export interface SignedDoor extends Door {
  /** A code of a ticket for the door's product, or another, signed with the event's key of a number. */
  sign(content?: Partial<TicketContent>, scheme?: SignatureScheme, key?: number): string
  /** Gives an event the public key of a number. */
  trust(place: Place, key: number): Promise<void>
  /** Blocks a code. */
  block(secret: string): Promise<void>
  /** What is to be reported to the upstream server of successful scans. */
  queued(): Promise<Queued[]>
}

/** A successful scan that is to be reported to the upstream server. */
interface Queued {
  readonly row: StoredScan
  readonly secret: string | null
  readonly by_signature?: boolean
  readonly answers?: readonly object[]
}

let seeds = 0

/** A code that no other test has, signed with the key of a number. */
export function signCode(
  content: Partial<TicketContent>,
  scheme: SignatureScheme = 'pretix_sig1',
  key = 1,
): string {
  seeds += 1
  const issued = scheme === 'gatehouse_1' ? '2030-05-01T08:00:00.000000Z' : null
  return signTicket(scheme, { ...plain, issued, ...content }, seedOf(seeds), keyOf(key)[scheme].signer)
}

/** Gives an event the public key of a number, in both schemes. */
export const trustKey = (door: Door, place: Place, key: number): Promise<void> =>
  door.write(async (tx) => {
    for (const { scheme, publicText, created } of Object.values(keyOf(key)))
      await insertRow(tx, eventKey, place, {
        id: tx.nextId(),
        scheme,
        key_id: key,
        public_key: publicText,
        private_key: null,
        created,
        retired: null,
      })
  })

/** Starts such a station. `above` says what it holds, whether orders too, and how old they are, and what its clock is. */
export async function openSignedDoor(
  engine: Engine,
  above: {
    readonly with_orders?: boolean
    readonly last_data?: string | null
    readonly settings?: object
    readonly env?: Env
  } = {},
): Promise<SignedDoor> {
  const database = await engine.open()
  await migrate(database)
  await prepareSearch(database)
  await database.run(sql`INSERT INTO node (id, site, next_id, epoch) VALUES (1, 5, 1, 'e')`)
  const door = await openDoor(database, above.env)
  const { organizer } = door.place
  await database.run(
    sql`INSERT INTO upstream (id, url, organizer, slug, device, device_name, security_profile, token, role, site,
          site_end, with_orders, state, settings, last_data)
        VALUES (1, 'http://127.0.0.1:9', ${organizer}, 'acme', 1, 'Gate', 'gate', 't', 'station', 5, 6,
          ${above.with_orders ? 1 : 0}, 'following', ${JSON.stringify(above.settings ?? {})}, ${above.last_data ?? null})`,
  )
  const trust = (place: Place, key: number) => trustKey(door, place, key)
  await trust(door.place, 1)
  return {
    ...door,
    trust,
    sign: (content = {}, scheme, key) => signCode({ item: door.item, ...content }, scheme, key),
    block: (secret) =>
      door.write((tx) =>
        insertRow(tx, blockedSecret, door.place, {
          id: tx.nextId(),
          secret,
          blocked: true,
          updated: tx.now,
          position: null,
        }),
      ),
    async queued() {
      const facts = await database.all<{ payload: string }>(
        sql`SELECT payload FROM outbox WHERE kind = 'checkin' ORDER BY seq`,
      )
      const reported: Queued[] = facts.map((fact) => JSON.parse(fact.payload))
      return reported.filter((one) => Boolean(one.row.successful))
    },
  }
}
