import sql, { join } from 'sql-template-tag'
import {
  type AuditRow,
  type AuditSeal,
  beginning,
  entriesIn,
  type SealedEntry,
  sealedEntry,
  sealHash,
} from '../../domain/accounts/audit-chain.ts'
import type { Queryable } from '../../storage/database.ts'
import { auditedOrganizers, certainBefore, type SealHead, selectEntries } from './audit-seals.ts'

/** Something in the audit trail that is not as it was sealed. */
export interface AuditProblem {
  readonly organizer: number
  readonly what: 'changed' | 'removed' | 'added' | 'seal changed' | 'seal removed' | 'another head'
  /** The entry, or null where it is a seal. */
  readonly entry: number | null
  readonly seal: number | null
}

/** What became of looking at the whole audit trail. */
interface AuditFindings {
  readonly seals: number
  readonly entries: number
  /** Too new to have been sealed. */
  readonly unsealed: number
  /** Entries whose data was forgotten with the person it was about. */
  readonly forgotten: number
  /** The problems in the order of the trail, a hundred at most. */
  readonly problems: readonly AuditProblem[]
  readonly heads: readonly SealHead[]
}

const most = 100
const perStep = 500

/** Whether data may be missing: the person was forgotten, or personal data of the event, which is an entry of its own. */
async function isForgotten(db: Queryable, row: AuditRow): Promise<boolean> {
  if (row.data !== null) return false
  if (row.resource !== 'customer') {
    const shredded = await db.get(
      sql`SELECT id FROM audit WHERE organizer = ${row.organizer} AND event = ${row.event} AND event > 0
          AND action = 'ticketsvc.event.shredder.started' AND at >= ${row.at}`,
    )
    return shredded !== undefined
  }
  const found = await db.get(
    sql`SELECT id FROM audit WHERE organizer = ${row.organizer} AND resource = 'customer' AND row_id = ${row.row_id}
        AND action = 'ticketsvc.customer.anonymized' AND at >= ${row.at}`,
  )
  return found !== undefined
}

/** Looks at the trail of one organizer. */
class Look {
  readonly #db: Queryable
  readonly #organizer: number
  readonly problems: AuditProblem[] = []
  readonly sealed = new Set<number>()
  seals = 0
  unsealed = 0
  forgotten = 0
  head: SealHead | null = null
  #upto = ''

  constructor(db: Queryable, organizer: number) {
    this.#db = db
    this.#organizer = organizer
  }

  note(what: AuditProblem['what'], entry: number | null, seal: number | null): void {
    this.problems.push({ organizer: this.#organizer, what, entry, seal })
  }

  async entriesOf(number: number, entries: readonly SealedEntry[]): Promise<void> {
    const ids = entries.map(({ id }) => id)
    const rows = await this.#db.all<AuditRow>(
      selectEntries(this.#organizer, sql`id IN (${join(ids)})`, ids.length),
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const entry of entries) {
      this.sealed.add(entry.id)
      const row = byId.get(entry.id)
      const now = row && sealedEntry(row)
      if (!row || !now) this.note('removed', entry.id, number)
      else if (now.head !== entry.head) this.note('changed', entry.id, number)
      else if (now.data !== entry.data) {
        if (await isForgotten(this.#db, row)) this.forgotten += 1
        else this.note('changed', entry.id, number)
      }
    }
  }

  async chain(expected: SealHead | undefined): Promise<void> {
    let previous = beginning
    for (let number = 1; ; ) {
      const seal = await this.#db.get<AuditSeal>(
        sql`SELECT * FROM audit_seal WHERE organizer = ${this.#organizer} AND number >= ${number} ORDER BY number LIMIT 1`,
      )
      if (!seal) break
      for (; number < seal.number; number += 1) this.note('seal removed', null, number)
      const entries = entriesIn(seal.entries)
      const isWhole =
        entries.every(({ id }) => Number.isSafeInteger(id)) && !Number.isNaN(Date.parse(seal.upto))
      if (!isWhole || sealHash(previous, seal) !== seal.hash) this.note('seal changed', null, number)
      if (expected?.number === number && expected.hash !== seal.hash) this.note('another head', null, number)
      if (isWhole) {
        await this.entriesOf(number, entries)
        this.#upto = seal.upto > this.#upto ? seal.upto : this.#upto
      }
      previous = seal.hash
      this.head = { organizer: this.#organizer, number, hash: seal.hash }
      this.seals += 1
      number += 1
    }
    if (expected && expected.number > (this.head?.number ?? 0))
      this.note('seal removed', null, expected.number)
  }

  /** What no seal covers was added, unless it is too new. */
  async rest(): Promise<void> {
    const certain = this.#upto === '' ? '' : certainBefore(this.#upto)
    let from = sql`1 = 1`
    for (;;) {
      const rows = await this.#db.all<AuditRow>(selectEntries(this.#organizer, from, perStep))
      const newest = rows.at(-1)
      if (!newest) return
      for (const { id, at } of rows) {
        if (this.sealed.has(id)) continue
        if (at < certain) this.note('added', id, null)
        else this.unsealed += 1
      }
      from = sql`(at > ${newest.at} OR (at = ${newest.at} AND id > ${newest.id}))`
    }
  }
}

const order = (a: AuditProblem, b: AuditProblem): number =>
  a.organizer - b.organizer || (a.entry ?? -1) - (b.entry ?? -1)

/**
 * Compares the whole audit trail with its seals. `expected` are heads that were noted elsewhere: without one, nobody can
 * tell that the newest seals were taken away together with their entries.
 */
export async function verifyAudit(db: Queryable, expected: readonly SealHead[] = []): Promise<AuditFindings> {
  const looks: Look[] = []
  const organizers = new Set([
    ...(await auditedOrganizers(db)),
    ...expected.map(({ organizer }) => organizer),
  ])
  for (const organizer of organizers) {
    const look = new Look(db, organizer)
    await look.chain(expected.find((one) => one.organizer === organizer))
    await look.rest()
    looks.push(look)
  }
  const sum = (count: (look: Look) => number): number => looks.reduce((all, look) => all + count(look), 0)
  return {
    seals: sum((look) => look.seals),
    entries: sum((look) => look.sealed.size),
    unsealed: sum((look) => look.unsealed),
    forgotten: sum((look) => look.forgotten),
    problems: looks
      .flatMap((look) => look.problems)
      .sort(order)
      .slice(0, most),
    heads: looks.flatMap((look) => look.head ?? []),
  }
}
