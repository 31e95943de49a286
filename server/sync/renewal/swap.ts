import { copyFile, link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import sql, { bulk, join } from 'sql-template-tag'
import { named } from '../../resource/store.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { isTakenIn } from '../../services/devices/reported-facts.ts'
import type { Cells, Database } from '../../storage/database.ts'
import { reportAllAgain } from '../outbox/outbox.ts'
import { settleOnDisk } from '../replica/durable-files.ts'
import { type OutboxFact, restoreFacts } from '../replica/own-facts.ts'
import { carryAccess } from './carry-access.ts'
import { checkinKeeper } from './checkin-keeper.ts'
import { revocationKeeper } from './revocation-keeper.ts'

/** The file in which a new copy is made beside the one in use. */
export const nextFile = (file: string): string => file.replace(/\.sqlite$/, '.next.sqlite')

/** Where the data of before joining is kept; `now` is a stored instant. */
export const asideFile = (file: string, now: string): string =>
  file.replace(
    /\.sqlite$/,
    `.before-joining-${now.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}.sqlite`,
  )

const companions = ['', '-wal', '-shm', '-journal', '-search', '-search-journal']

/** Removes a database with the files that belong to it. */
async function removeDatabase(file: string): Promise<void> {
  for (const suffix of companions) await rm(file + suffix, { force: true })
}

/**
 * Removes what a crash has left of a copy that was being made. Whatever happened, the file in use is whole: it is only
 * ever replaced by a rename.
 */
export const cleanLeftovers = (file: string): Promise<void> => removeDatabase(nextFile(file))

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/**
 * Puts the new copy in place of the file in use; both are closed. The rename decides: before it the old data is in use
 * after a crash, after it the new. `aside` keeps the old data under another name.
 */
export async function switchFiles(file: string, aside: string | null): Promise<void> {
  for (const one of [file, nextFile(file)])
    if ((await sizeOf(`${one}-wal`)) > 0)
      throw new Error(`Another program is using ${one}. The new copy is put in place once it has ended.`)
  await settleOnDisk(nextFile(file))
  if (aside !== null) await link(file, aside).catch(() => copyFile(file, aside))
  for (const suffix of ['-wal', '-shm']) await rm(file + suffix, { force: true })
  // Giving back the space of a large file takes a while, and begins when nobody has it open any more: requests are held
  // until this function is done. Windows replaces no file that somebody has open.
  const replaced = process.platform === 'win32' ? null : await open(file, 'r')
  try {
    await rename(nextFile(file), file)
    await settleOnDisk(dirname(file), 'folder')
  } finally {
    void replaced?.close().catch(() => undefined)
  }
}

/** What only this machine knows. Rows are only ever added, apart from what is decided, and so copied bit by bit. */
const own = ['outbox', 'seen_fact', 'quarantine', 'audit', 'kept_pass'] as const

const perStep = 200

/** What is carried over from the copy in use to a new one, in two parts: most of it while scanning goes on. */
interface CarryOver {
  /** Copies what is there by now and repeats what was decided here. */
  ahead(): Promise<void>
  /** The rest, while nothing changes any more. How many facts could not be repeated on the new copy. */
  finish(): Promise<number>
}

/** What becomes of this node's own facts. */
export interface CarryPlan {
  /** Stored instant before which what is known upstream is in the new copy. */
  readonly since: string
  /** The upstream server may have forgotten what was reported to it. */
  readonly reportAgain: boolean
  /** The upstream server may hold an old disk: what the new copy lacks may be known at the top. */
  readonly mayBeOlder: boolean
}

/** Begins to carry over. */
export function carryOver(from: Transactions, to: Transactions, plan: CarryPlan): CarryOver {
  const which = plan.reportAgain ? sql`1 = 1` : sql`(state <> 'done' OR done_at >= ${plan.since})`
  const reached = new Map<string, number>()
  let factsUpTo = 0
  let left = 0

  async function copy(table: string): Promise<void> {
    for (;;) {
      const rows = await from.database.all<Cells>(
        sql`SELECT rowid AS rowid_, * FROM ${named(table)} WHERE rowid > ${reached.get(table) ?? 0} ORDER BY rowid LIMIT ${perStep}`,
      )
      const [first] = rows
      const last = rows.at(-1)
      if (!first || !last) return
      const columns = Object.keys(first).filter((column) => column !== 'rowid_')
      await to.database.run(
        sql`INSERT OR REPLACE INTO ${named(table)} (${join(columns.map(named))})
            VALUES ${bulk(rows.map((row) => columns.map((column) => row[column] ?? null)))}`,
      )
      reached.set(table, Number(last.rowid_))
    }
  }

  async function repeatFacts(): Promise<void> {
    for (;;) {
      const facts = await to.database.all<OutboxFact & { seq: number }>(
        sql`SELECT seq, organizer, event, kind, device, payload FROM outbox 
            WHERE seq > ${factsUpTo} AND ${which} AND ${isTakenIn} ORDER BY seq LIMIT ${perStep}`,
      )
      if (facts.length === 0) return
      left += await to.write((tx) => restoreFacts(tx, facts))
      factsUpTo = Number(facts.at(-1)?.seq)
    }
  }

  const keepCheckins = checkinKeeper(from.database, to.database)
  const keepRevoked = plan.mayBeOlder ? revocationKeeper(from.database, to) : null

  async function both(): Promise<void> {
    for (const table of own) await copy(table)
    await repeatFacts()
    await keepCheckins()
    await keepRevoked?.()
  }

  return {
    ahead: both,
    async finish() {
      await both()
      await carryDecisions(from.database, to.database)
      await copyStation(from.database, to.database)
      await carryTills(from.database, to.database)
      // Whoever repeats a sale that was made before is to hear of it.
      await copy('kept_answer')
      await carryAccess(from, to, which)
      if (plan.reportAgain) await to.database.transaction(reportAllAgain)
      return left
    },
  }
}

/** What was decided about facts in quarantine after they were copied. */
async function carryDecisions(from: Database, to: Database): Promise<void> {
  const count = sql`SELECT count(*) AS count FROM quarantine WHERE state = 'waiting'`
  const [left, copied] = [await from.get<{ count: number }>(count), await to.get<{ count: number }>(count)]
  if (left?.count === copied?.count) return
  const next = (after: number): Promise<{ place: number; organizer: number; nonce: string }[]> =>
    to.all(
      sql`SELECT rowid AS place, organizer, nonce FROM quarantine
          WHERE state = 'waiting' AND rowid > ${after} ORDER BY rowid LIMIT ${perStep}`,
    )
  for (let step = await next(0); step.length > 0; step = await next(step.at(-1)?.place ?? 0)) {
    const organizers = new Set(step.map((row) => row.organizer))
    const decided = await from.all<Decided>(
      sql`SELECT organizer, nonce, state, bytes, fact FROM quarantine
          WHERE organizer IN (${join([...organizers])}) AND nonce IN (${join(step.map(({ nonce }) => nonce))})
            AND state <> 'waiting'`,
    )
    for (const { organizer, nonce, state, bytes, fact } of decided)
      await to.run(
        sql`UPDATE quarantine SET state = ${state}, bytes = ${bytes}, fact = ${fact}
            WHERE organizer = ${organizer} AND nonce = ${nonce}`,
      )
  }
}

interface Decided {
  readonly organizer: number
  readonly nonce: string
  readonly state: string
  readonly bytes: number
  readonly fact: string
}

/** The settings of this machine's station go over as long as what it was set up for is in the new copy. */
async function copyStation(from: Database, to: Database): Promise<void> {
  const row = await from.get<{ settings: string }>(sql`SELECT settings FROM station WHERE id = 1`)
  if (row) await to.run(sql`INSERT OR REPLACE INTO station (id, settings) VALUES (1, ${row.settings})`)
}

/** How far numbers have come, what terminals and printers were asked for, what is parked, what a kiosk waits for, who has signed in, and who has to wait after wrong PINs: small, and known here alone. */
const ofTills = [
  'till_count',
  'till_payment',
  'parked_basket',
  'print_job',
  'kiosk_fault',
  'staff_session',
  'staff_try',
] as const

async function carryTills(from: Database, to: Database): Promise<void> {
  for (const table of ofTills)
    for (const row of await from.all<Cells>(sql`SELECT * FROM ${named(table)}`)) {
      const columns = Object.keys(row)
      await to.run(
        sql`INSERT OR REPLACE INTO ${named(table)} (${join(columns.map(named))})
            VALUES (${join(columns.map((column) => row[column] ?? null))})`,
      )
    }
}

/** Goes on counting ids and sites where the copy in use has come to, if the new one counts for the same site. */
export async function carryIds(from: Transactions, to: Transactions): Promise<void> {
  if (from.site !== to.site) return
  await from.release()
  await to.release()
  const row = await from.database.get<{ next_id: number; next_site: number }>(
    sql`SELECT next_id, next_site FROM node WHERE id = 1`,
  )
  if (!row) return
  await to.database.run(
    sql`UPDATE node SET next_id = max(next_id, ${row.next_id}), next_site = max(next_site, ${row.next_site}) WHERE id = 1`,
  )
  for (const { site, site_end, organizer, device, given, used } of await from.database.all<Cells>(
    sql`SELECT site, site_end, organizer, device, given, used FROM site_grant`,
  ))
    await to.database.run(
      sql`INSERT OR REPLACE INTO site_grant (site, site_end, organizer, device, given, used)
          VALUES (${site}, ${site_end}, ${organizer}, ${device}, ${given}, ${used})`,
    )
}
