import sql, { raw } from 'sql-template-tag'
import { conflict } from '../../../schema/resources/checkin/conflict.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { event as eventDeclaration } from '../../../schema/resources/events/event.ts'
import type { Changes } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Place, Transactions, Tx } from '../../resource/transactions.ts'
import { indexOrders, indexTickets } from '../../services/orders/order-search-text.ts'
import { StorageError } from '../../storage/database.ts'
import { replicated } from '../feed/replicated.ts'
import { saveCursor } from '../upstream/upstream.ts'
import { confirmFound } from './found-conflicts.ts'
import { answersToKeep, changesToAdopt, unreportedDevices } from './own-facts.ts'
import { nameToKeep } from './own-names.ts'
import { personal, removeCopy, removeSome } from './replica-gone.ts'
import {
  type Cut,
  eventOf,
  existingRows,
  idOf,
  insertCut,
  type ReplicaShape,
  shapeOf,
  updateCut,
} from './replica-rows.ts'
import { loosen } from './replica-unique.ts'

/** What applying changes needs. */
export interface ApplyParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly organizer: number
  /** The row of the device that this node is upstream. */
  readonly device: number
  /** Looks for contradictions about a ticket on a list after check-ins of others have arrived. */
  readonly reconcile: (tx: Tx, place: Place, list: number, position: number) => Promise<unknown>
  /** Events whose guests have left this machine for good. */
  readonly forgotten: ReadonlySet<number>
}

/** One piece of work that is short; `more` has it done again. */
type Step = (tx: Tx) => Promise<'more' | undefined>

const rowsPerStep = 50

/** A transaction ends once it has taken this long, so that a scan gets in; milliseconds. */
const slice = 15

const mostSteps = 40

/**
 * Applies a page of changes and notes its cursor in the last transaction of it. A page that is short is one
 * transaction; a long one is several, each right in itself because rows come after what they point at, and applying it
 * again after a crash changes nothing. Rows that are the same already stay untouched. `requested` is the moment at
 * which the page was asked for: what was decided here since then is newer than the page. False when the page
 * contradicts what is here, so that only a new snapshot helps.
 */
export async function applyChanges(parts: ApplyParts, page: Changes, requested: string): Promise<boolean> {
  const { transactions, log } = parts
  const steps = stepsOf(parts, page, requested)
  const last: Step = async (tx) => {
    await saveCursor(tx, page.cursor, tx.now)
    return undefined
  }
  try {
    await carryOut(parts, [...steps, last])
    return true
  } catch (cause) {
    if (!(cause instanceof StorageError)) throw cause
    if (cause.problem !== 'unique' && cause.problem !== 'foreign') throw cause
    log.warn('page contradicts', { problem: cause.problem, why: cause.message })
    if (cause.problem === 'foreign') return false
  }
  // Rows of one page may exchange what only one of them may have, such as the codes of two tickets.
  try {
    await transactions.write(async (tx) => {
      await loosen(tx, parts.organizer, page)
      for (const step of [...steps, last]) while ((await step(tx)) === 'more');
    })
    return true
  } catch (cause) {
    if (!(cause instanceof StorageError) || (cause.problem !== 'unique' && cause.problem !== 'foreign'))
      throw cause
    return false
  }
}

async function carryOut({ transactions, env }: ApplyParts, steps: readonly Step[]): Promise<void> {
  for (let next = 0; next < steps.length; ) {
    const first = next
    next = await transactions.write(async (tx) => {
      const begun = env.elapsed()
      let index = first
      for (let done = 0; index < steps.length && done < mostSteps; done += 1) {
        if (done > 0 && env.elapsed() - begun >= slice) break
        if ((await steps[index]?.(tx)) !== 'more') index += 1
      }
      return index
    })
  }
}

function stepsOf(parts: ApplyParts, page: Changes, requested: string): Step[] {
  const { organizer, log } = parts
  const steps: Step[] = []
  for (const { name } of replicated) {
    const rows = page.rows[name]
    const shape = rows && shapeOf(name, rows.columns, organizer)
    if (!rows || !shape || rows.rows.length === 0) continue
    const applicable = parentsFirst(shape, rows.rows).filter(
      (row) => !(personal.has(name) && parts.forgotten.has(eventOf(shape, row))),
    )
    for (let first = 0; first < applicable.length; first += rowsPerStep) {
      const some = applicable.slice(first, first + rowsPerStep)
      steps.push((tx) => putRows(tx, parts, { shape, rows: some, requested }))
    }
  }
  for (const resource of [...replicated].reverse()) {
    const ids = page.gone[resource.name] ?? []
    for (let first = 0; first < ids.length; first += rowsPerStep) {
      const some = ids.slice(first, first + rowsPerStep)
      steps.push(async (tx) => {
        for (const id of some)
          if (!(await removeCopy(tx, resource, organizer, id)))
            log.warn('deleted upstream, but still needed here', { resource: resource.name, id })
        return undefined
      })
    }
  }
  for (const event of page.lost) steps.push(...forgetEvent(parts, event))
  return steps
}

/** Rows that point at others of their own kind come after those. */
function parentsFirst(shape: ReplicaShape, rows: readonly Cut[]): readonly Cut[] {
  const column = { order_position: 'addon_to', event: 'cloned_from' }[shape.resource.name]
  const place = column === undefined ? undefined : shape.places[shape.columns.indexOf(column)]
  if (place === undefined) return rows
  const byId = new Map(rows.map((row) => [idOf(shape, row), row]))
  const sorted = new Set<Cut>()
  const visit = (row: Cut, depth: number): void => {
    const parent = row[place] === null ? undefined : byId.get(Number(row[place]))
    if (parent && parent !== row && !sorted.has(parent) && depth < 100) visit(parent, depth + 1)
    sorted.add(row)
  }
  for (const row of rows) visit(row, 0)
  return [...sorted]
}

async function putRows(
  tx: Tx,
  parts: ApplyParts,
  { shape, rows, requested }: { shape: ReplicaShape; rows: readonly Cut[]; requested: string },
): Promise<undefined> {
  const { organizer } = parts
  const { name } = shape.resource
  const ids = rows.map((row) => idOf(shape, row))
  const known = await existingRows(tx, shape, organizer, ids)
  if (name === conflict.name) await confirmFound(tx, organizer, ids)
  const unreported = name === device.name ? await unreportedDevices(tx, requested) : new Set<number>()
  const fresh = rows.filter((row) => !known.has(idOf(shape, row)))
  await insertCut(tx, shape, fresh)
  const touched: Cut[] = [...fresh]
  const moved = new Set<Cut>()
  for (const row of rows) {
    const before = known.get(idOf(shape, row))
    if (!before) continue
    const differing = shape.columns.flatMap((column, index) => {
      const cell = row[shape.places[index] ?? -1] ?? null
      return before[column] === cell ? [] : [[column, cell] as const]
    })
    let changes = Object.fromEntries(differing)
    changes = changesToAdopt(name, before, changes, unreported)
    if ('answers' in changes) changes = await answersToKeep(tx, idOf(shape, row), changes, requested)
    if ('attendee_name_parts' in changes) changes = await nameToKeep(tx, idOf(shape, row), changes, requested)
    if (Object.keys(changes).length === 0) continue
    await updateCut(tx, shape, { of: organizer, id: idOf(shape, row) }, changes)
    touched.push(row)
    if ('datetime' in changes || 'position' in changes) moved.add(row)
  }
  for (const row of touched)
    tx.changed({ organizer, event: eventOf(shape, row) }, name, idOf(shape, row), 'put')
  await follow(tx, parts, { shape, touched, fresh: new Set(fresh), moved })
  return undefined
}

/** Rows of one resource that have changed: those that are new here, and those of another time or ticket. */
interface RowsTouched {
  readonly shape: ReplicaShape
  readonly touched: readonly Cut[]
  readonly fresh: ReadonlySet<Cut>
  readonly moved: ReadonlySet<Cut>
}

/** What else has to be right after rows have changed. */
async function follow(
  tx: Tx,
  parts: ApplyParts,
  { shape, touched, fresh, moved }: RowsTouched,
): Promise<void> {
  const { organizer } = parts
  const cell = (row: Cut, column: string) => row[shape.places[shape.columns.indexOf(column)] ?? -1] ?? null
  switch (shape.resource.name) {
    case 'order':
      // The positions of a new order are yet to come.
      return indexOrders(
        tx,
        { organizer, event: 0 },
        touched.filter((row) => !fresh.has(row)).map((row) => idOf(shape, row)),
      )
    case 'order_position':
      return indexTickets(
        tx,
        { organizer, event: 0 },
        touched.map((row) => idOf(shape, row)),
      )
    case 'checkin': {
      const tickets = new Map<string, readonly [Place, number, number]>()
      for (const row of touched) {
        const [position, list] = [cell(row, 'position'), Number(cell(row, 'list'))]
        // What was decided here was looked at then, unless it turns out to have happened at another time.
        if (position === null || (cell(row, 'site') === tx.site && !moved.has(row))) continue
        tickets.set(`${position}/${list}`, [
          { organizer, event: eventOf(shape, row) },
          list,
          Number(position),
        ])
      }
      for (const [place, list, position] of tickets.values()) await parts.reconcile(tx, place, list, position)
      return
    }
    case 'device':
      if (touched.some((row) => idOf(shape, row) === parts.device))
        await tx.run(
          sql`UPDATE upstream SET (device_name, security_profile) =
                (SELECT name, security_profile FROM device WHERE organizer = ${organizer} AND id = ${parts.device})
              WHERE id = 1`,
        )
  }
}

/** Deletes an event that this node may not hold any more. */
const forgetEvent = ({ organizer }: ApplyParts, event: number): Step[] => [
  async (tx) => ((await removeSome(tx, { organizer, event }, 'all', 200)) > 0 ? 'more' : undefined),
  async (tx) => {
    await tx.run(sql`DELETE FROM change WHERE organizer = ${organizer} AND event = ${event}`)
    for (const table of ['kept_pass', 'kept_refusal'])
      await tx.run(sql`DELETE FROM ${raw(table)} WHERE organizer = ${organizer} AND event = ${event}`)
    await removeCopy(tx, eventDeclaration, organizer, event)
    return undefined
  },
]
