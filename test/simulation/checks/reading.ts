import Sqlite from 'better-sqlite3'
import type { Run } from '../run.ts'

/** What is on a machine's disk at the end of a run. */
export interface Held {
  readonly name: string
  all<T>(statement: string, ...values: readonly unknown[]): T[]
  close(): void
}

/** Opens a copy of what is on each machine, central first; machines without a disk are missing. */
export function openAll(run: Run): Held[] {
  return [...run.world.machines.values()].flatMap((machine): Held[] => {
    const image = machine.copy()
    if (!image) return []
    const held = openHeld(machine.name, image)
    if (held.all<object>("SELECT 1 FROM sqlite_master WHERE name = 'outbox'").length > 0) return [held]
    held.close()
    run.record.wrongs.push(`${machine.name} never came so far as to have tables`)
    return []
  })
}

/** Opens a copy of what is on a machine. */
export function openHeld(name: string, image: Buffer): Held {
  const database = new Sqlite(image, { readonly: true })
  return {
    name,
    all: <T>(statement: string, ...values: readonly unknown[]) =>
      database.prepare(statement).all(...values) as T[],
    close: () => database.close(),
  }
}

/** A row as text, so that two can be compared. */
export const textOf = (row: object): string => JSON.stringify(row)
