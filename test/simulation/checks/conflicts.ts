import type { Run } from '../run.ts'
import type { Held } from './reading.ts'

interface Entry {
  readonly position: number
  readonly count: number
}

/** Whether each entry after the first one of a ticket, on a list of single entries, is kept as one contradiction. */
export function checkDoubleEntries(run: Run, central: Held): void {
  const { once } = run.scenario.lists
  const entries = central.all<Entry>(
    `SELECT "position", count(DISTINCT coalesce(nonce, id) || '@' || coalesce(device, 0)) AS count FROM checkin
     WHERE list = ? AND successful = 1 AND "type" = 'entry' AND "position" IS NOT NULL GROUP BY "position"`,
    once,
  )
  const conflicts = new Map(
    central
      .all<Entry>(
        `SELECT "position", count(*) AS count FROM conflict WHERE list = ? AND kind = 'double_entry' GROUP BY "position"`,
        once,
      )
      .map(({ position, count }) => [position, count]),
  )
  for (const { position, count } of entries) {
    const kept = conflicts.get(position) ?? 0
    conflicts.delete(position)
    if (kept !== count - 1)
      run.record.wrongs.push(
        `position ${position} has ${count} entries on the list once but ${kept} contradictions`,
      )
    if (kept > 0) run.record.reached.add('a double entry was found')
  }
  for (const [position, kept] of conflicts)
    if (kept > 0) run.record.wrongs.push(`position ${position} has ${kept} contradictions without entries`)
  for (const { kind } of central.all<{ kind: string }>('SELECT DISTINCT kind FROM conflict'))
    run.record.reached.add(`conflict: ${kind}`)
}
