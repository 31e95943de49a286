import sql from 'sql-template-tag'
import type { Shredder } from '../../../schema/actions/operations/shredders.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Place, Transactions, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { isHere } from '../../storage/moved-organizers.ts'
import { type ExportRow, exportCredential } from './export-runs.ts'
import { shreddingSteps, whyNotShred } from './shredders.ts'

/** A deletion of personal data as it is stored, under the id of the export that it was saved with. */
export interface Shredding {
  readonly organizer: number
  readonly id: string
  readonly event: number
  readonly file: string
  readonly credential: string
  readonly shredders: string
  readonly exported: string
  readonly state: 'waiting' | 'running' | 'done' | 'failed'
  readonly message: string | null
  readonly actor: string
}

/** Notes that what was saved is to be deleted; once is enough. */
export async function addShredding(
  tx: Tx,
  { actor, place }: { readonly actor: Actor; readonly place: Place },
  run: ExportRow,
): Promise<void> {
  const { wishes, now } = JSON.parse(run.task) as {
    readonly wishes: { readonly shredders: readonly Shredder[] }
    readonly now: string
  }
  const shredders = JSON.stringify(wishes.shredders)
  const who = JSON.stringify({ kind: actor.kind, id: actor.id, name: actor.name })
  const added = await tx.run(
    sql`INSERT INTO shredding (organizer, id, event, "file", "credential", "shredders", "exported", "state", "message", "created", "actor")
        VALUES (${place.organizer}, ${run.id}, ${place.event}, ${run.file}, ${exportCredential(actor)}, ${shredders},
          ${now}, 'waiting', NULL, ${tx.now}, ${who}) ON CONFLICT (organizer, id) DO NOTHING`,
  )
  if (added === 0) return
  tx.audit(place, actor, {
    ...{ action: 'ticketsvc.event.shredder.started', resource: 'event', row: place.event },
    data: { shredders: wishes.shredders },
  })
}

/** A deletion by the two names in its address. */
export const shreddingById = (
  db: Queryable,
  { organizer, event }: Place,
  { id, file }: Pick<Shredding, 'id' | 'file'>,
): Promise<Shredding | undefined> =>
  db.get<Shredding>(
    sql`SELECT * FROM shredding
        WHERE organizer = ${organizer} AND event = ${event} AND id = ${id} AND "file" = ${file}`,
  )

/** The deletions that are still to be carried out. */
export const openShreddings = (db: Queryable): Promise<Shredding[]> =>
  db.all<Shredding>(
    sql`SELECT * FROM shredding WHERE "state" IN ('waiting', 'running') AND ${isHere(sql`organizer`)} ORDER BY "created", id`,
  )

/** Whether something was done with an event since its data was saved, beyond this deletion and reading. */
const hasChanged = async (db: Queryable, { organizer, event, exported }: Shredding): Promise<boolean> =>
  (await db.get(
    sql`SELECT id FROM audit WHERE organizer = ${organizer} AND event = ${event} AND at >= ${exported}
          AND action NOT LIKE 'ticketsvc.event.shredder.%' AND action NOT LIKE '%exporter.run' LIMIT 1`,
  )) !== undefined

/** Deletes personal data in steps, between which others have their turn; whoever goes on with it finds what is left. */
export async function carryOutShredding(transactions: Transactions, row: Shredding): Promise<void> {
  const { database } = transactions
  const place = { organizer: row.organizer, event: row.event }
  const enter = (state: Shredding['state'], message: string | null = null) =>
    transactions.write((tx) =>
      tx.run(
        sql`UPDATE shredding SET "state" = ${state}, "message" = ${message}
            WHERE organizer = ${row.organizer} AND id = ${row.id}`,
      ),
    )
  if (row.state === 'waiting') {
    const now = await transactions.write(async (tx) => tx.now)
    const refusal =
      (await whyNotShred(database, place, now)) ??
      ((await hasChanged(database, row))
        ? 'Something happened in your event after the export, please try again.'
        : null)
    if (refusal !== null) {
      await enter('failed', refusal)
      return
    }
    await enter('running')
  }
  const shredders = JSON.parse(row.shredders) as readonly Shredder[]
  for (const step of shreddingSteps(shredders))
    while ((await transactions.write((tx) => step(tx, place))) > 0);
  await transactions.write((tx) => finish(tx, row, shredders))
}

async function finish(tx: Tx, row: Shredding, shredders: readonly Shredder[]): Promise<void> {
  const { organizer, id, event } = row
  await tx.run(sql`UPDATE shredding SET "state" = 'done' WHERE organizer = ${organizer} AND id = ${id}`)
  // Nodes below hear of it with the next change: rows alone do not say why they lost something.
  tx.changed({ organizer, event }, 'event', event, 'put')
  // What was exported of the event goes as well, first of all what this was saved with.
  await tx.run(
    sql`UPDATE export_run SET expires = ${tx.now} WHERE organizer = ${organizer} AND event = ${event}`,
  )
  const actor: Actor = {
    ...{ ...JSON.parse(row.actor), organizer, permissions: new Set(), allEvents: false, events: new Set() },
    device: null,
  }
  tx.audit({ organizer, event }, actor, {
    ...{ action: 'ticketsvc.event.shredder.completed', resource: 'event', row: event },
    data: { shredders },
  })
}
