import sql from 'sql-template-tag'
import { impossible } from '../../errors.ts'
import type { Stamp } from '../../resource/facts.ts'
import type { Queryable } from '../../storage/database.ts'
import type { TransferHead } from './transfer-file.ts'

/** Where the facts of a node belong, and which device it is there. */
interface Belonging {
  readonly slug: string
  readonly device: number | null
}

/** Of the upstream server, or, where it was given up, of the facts themselves. */
const belonging = async (db: Queryable): Promise<Belonging | undefined> =>
  (await db.get<Belonging>(sql`SELECT slug, device FROM upstream WHERE id = 1`)) ??
  (await db.get<Belonging>(
    sql`SELECT organizer.slug, outbox.device FROM outbox JOIN organizer ON organizer.id = outbox.organizer
        ORDER BY outbox.seq LIMIT 1`,
  ))

/** The head of a file with the outbox of this node; throws 400 where nothing was ever to be reported. */
export async function transferHead(
  db: Queryable,
  site: number,
  exported: string,
  { boot, mono, deviceTime, clockOffset }: Stamp,
): Promise<Omit<TransferHead, 'format' | 'protocol'>> {
  const here = await belonging(db)
  if (!here)
    throw impossible('There is nothing to export: this machine is connected to no central server or hub.')
  return {
    organizer: here.slug,
    site,
    device: here.device,
    exported,
    clock: { boot, mono: Math.round(mono), device_time: deviceTime, clock_offset: clockOffset },
  }
}
