import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openData, openDatabase } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import type { Place } from '../../server/resource/transactions.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../support/servers/servers.ts'
import { fillCrowd } from '../support/ticketing/ticket-crowd.ts'
import { addItem, addList } from '../support/ticketing/tickets.ts'
import { runOurs } from './programs.ts'

/** A data folder with one event and very many tickets. */
export interface Venue {
  readonly folder: string
  readonly file: string
  readonly place: Place
  readonly list: number
  /** What the codes of its tickets begin with. */
  readonly prefix: string
  readonly count: number
  clean(): Promise<void>
}

/** Makes such a folder. */
export async function buildVenue(count: number): Promise<Venue> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  const database = await openDatabase(folder)
  const transactions = await openData(database, realEnv)
  const made = await transactions.write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    await addToken(tx, organizer, 'all', allRights)
    const place = { organizer, event: await addEvent(tx, organizer, 'gala') }
    return { place, item: await addItem(tx, place, 'Ticket'), list: await addList(tx, place, 'Main') }
  })
  await transactions.release()
  await database.close()
  const file = join(folder, 'gatehouse.sqlite')
  fillCrowd(file, made.place, { item: made.item, count, prefix: 'c' })
  return {
    folder,
    file,
    place: made.place,
    list: made.list,
    prefix: 'c',
    count,
    clean: () => rm(folder, { recursive: true }),
  }
}

const databaseName = 'gatehouse_bench'

/** Copies a venue to a database of its own on a PostgreSQL server; its address, and what drops it. */
export async function onPostgres(
  venue: Venue,
  server: string,
): Promise<{ address: string; drop: () => Promise<void> }> {
  const administrator = new pg.Client({ connectionString: server })
  await administrator.connect()
  await administrator.query(`DROP DATABASE IF EXISTS ${databaseName}`)
  await administrator.query(`CREATE DATABASE ${databaseName}`)
  const address = new URL(server)
  address.pathname = `/${databaseName}`
  // What was moved is not served any more, so a copy is.
  const copy = await mkdtemp(join(tmpdir(), 'gatehouse-bench-moved-'))
  await cp(venue.folder, copy, { recursive: true })
  runOurs('move', '--data', copy, '--to', address.href)
  await rm(copy, { recursive: true })
  return {
    address: address.href,
    drop: async () => {
      await administrator.query(`DROP DATABASE ${databaseName} WITH (FORCE)`)
      await administrator.end()
    },
  }
}
