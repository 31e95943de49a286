import Sqlite from 'better-sqlite3'
import type { Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../../server/storage/database.ts'

/** A statement as it was given to the database. */
export interface Said {
  readonly text: string
  readonly values: readonly unknown[]
  /** How many rows it gave as a list. */
  rows: number
}

/** What one scan of a code said to the database in its transaction. */
export interface Sample {
  readonly code: string
  readonly said: readonly Said[]
}

/** The same database, which can be listened to. */
export function overheard(database: Database) {
  let heard: Said[] | undefined
  const note = (statement: Sql): Sql => {
    heard?.push({ text: statement.sql, values: statement.values, rows: 0 })
    return statement
  }
  const list = async <T>(db: Queryable, statement: Sql): Promise<T[]> => {
    const said: Said = { text: statement.sql, values: statement.values, rows: 0 }
    heard?.push(said)
    const rows = await db.all<T>(statement)
    said.rows = rows.length
    return rows
  }
  const noting = (tx: Queryable): Queryable => ({
    engine: tx.engine,
    all: (statement) => list(tx, statement),
    get: (statement) => tx.get(note(statement)),
    run: (statement) => tx.run(note(statement)),
    remembered: (key, load) => tx.remembered(key, load),
  })
  const same: Database = {
    engine: database.engine,
    all: (statement) => list(database, statement),
    get: (statement) => database.get(note(statement)),
    run: (statement) => database.run(note(statement)),
    remembered: (key, load) => database.remembered(key, load),
    transaction: (work, turn) => {
      const lastStep = turn?.lastStep && {
        carryOut: (tx: Queryable, values: Parameters<typeof turn.lastStep.carryOut>[1]) =>
          turn.lastStep?.carryOut(heard ? noting(tx) : tx, values) ?? Promise.resolve(),
      }
      return database.transaction((tx) => work(heard ? noting(tx) : tx), {
        ...turn,
        ...(lastStep && { lastStep }),
      })
    },
    script: (text) => database.script(text),
    close: () => database.close(),
  }
  return {
    database: same,
    async listen(work: () => Promise<void>): Promise<readonly Said[]> {
      const all: Said[] = []
      heard = all
      await work()
      heard = undefined
      return all
    },
  }
}

/** Where a value of a statement comes from when another code is scanned. */
type Slot =
  | { readonly kind: 'same'; readonly value: unknown }
  | { readonly kind: 'code'; readonly value: string; readonly code: string }
  | { readonly kind: 'id'; readonly value: number }

/** Values that two scans have in common stay; texts name the code; numbers are the ticket's ids, or fresh ones. */
function slotsOf([first, second]: readonly Sample[], index: number): readonly Slot[] {
  const values = first?.said[index]?.values ?? []
  const others = second?.said[index]?.values ?? []
  return values.map((value, at): Slot => {
    if (value === others[at]) return { kind: 'same', value }
    if (typeof value === 'number') return { kind: 'id', value }
    if (typeof value === 'string' && first && value.includes(first.code))
      return { kind: 'code', value, code: first.code }
    return { kind: 'same', value }
  })
}

/** Runs the statements of two samples for other codes by the database library alone, one transaction for each. */
export function openRaw(file: string, samples: readonly Sample[]) {
  const database = new Sqlite(file)
  database.pragma('cache_size = -65536')
  database.pragma('foreign_keys = ON')
  database.pragma('synchronous = FULL')
  const statements = (samples[0]?.said ?? []).map(({ text }, index) => ({
    statement: database.prepare(text),
    slots: slotsOf(samples, index),
  }))
  const position = database.prepare('SELECT id, order_id FROM order_position WHERE secret = ?')
  const ids = (code: string) => position.get(code) as { id: number; order_id: number } | undefined
  const sample = ids(samples[0]?.code ?? '')
  let fresh = 2 ** 40
  const carryOut = database.transaction((code: string, known: ReadonlyMap<number, number>) => {
    const given = new Map(known)
    for (const { statement, slots } of statements) {
      const values = slots.map((slot) => {
        if (slot.kind === 'same') return slot.value
        if (slot.kind === 'code') return slot.value.replace(slot.code, code)
        const id = given.get(slot.value) ?? fresh++
        given.set(slot.value, id)
        return id
      })
      if (statement.reader) statement.all(...values)
      else statement.run(...values)
    }
  })
  return {
    /** Looks up what is not timed; what it returns carries the scan out. */
    prepare(code: string): () => void {
      const own = ids(code)
      if (!own || !sample) throw new Error('There is no such ticket.')
      const known = new Map([
        [sample.id, own.id],
        [sample.order_id, own.order_id],
      ])
      return () => carryOut.immediate(code, known)
    },
    close: () => database.close(),
  }
}
