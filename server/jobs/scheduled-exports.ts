import { stat } from 'node:fs/promises'
import { mebibyte } from '../../schema/body-limits.ts'
import type { Env } from '../env.ts'
import { Refusal } from '../errors.ts'
import type { Level } from '../exporters/format/exporter.ts'
import { readExportTask, usableExporter } from '../exporters/run/export-task.ts'
import { entering } from '../resource/actor.ts'
import type { Transactions, Tx } from '../resource/transactions.ts'
import { personAt } from '../services/accounts/oauth-access.ts'
import { findUser } from '../services/accounts/users.ts'
import { eventById, organizerById } from '../services/events/events.ts'
import {
  addExport,
  type ExportRow,
  endedScheduledRuns,
  exportCredential,
  isRunUnderWay,
  noteMailedRun,
} from '../services/operations/export-runs.ts'
import { failSchedule, mailSchedule, type OwnedSchedule } from '../services/operations/schedule-mails.ts'
import {
  dueSchedules,
  lockSchedule,
  nextOfSchedule,
  removeSchedule,
  type ScheduledExport,
  saveSchedule,
} from '../services/operations/scheduled-exports.ts'
import type { ExportRunner } from './run-exports.ts'

/** The largest file that is mailed. */
const largest = 20 * mebibyte

/** What scheduled exports are carried out with. */
export interface ScheduleParts {
  readonly transactions: Transactions
  readonly env: Pick<Env, 'uuid'>
  readonly exports: ExportRunner
}

/** Starts the exports that are due, and mails what came of those that have ended; how many. */
export async function runScheduledExports(parts: ScheduleParts, now: string): Promise<number> {
  const { transactions, exports } = parts
  if (transactions.site > 0) return 0
  const due = await dueSchedules(transactions.database, now)
  for (const one of due) await transactions.write((tx) => start(tx, parts, one))
  if (due.length > 0) exports.look()
  const ended = await endedScheduledRuns(transactions.database)
  for (const run of ended) await settle(parts, run)
  return due.length + ended.length
}

/** A scheduled export with all that is needed to carry it out; one of an event that is gone goes as well. */
async function owned(tx: Tx, organizer: number, id: number): Promise<OwnedSchedule | undefined> {
  const row = await lockSchedule(tx, organizer, id)
  if (!row) return undefined
  const event = row.event > 0 ? ((await eventById(tx, organizer, row.event)) ?? null) : null
  const owner = await findUser(tx, row.owner)
  if (!owner || (row.event > 0 && !event)) {
    await removeSchedule(tx, row)
    return undefined
  }
  const place = { organizer, event: row.event }
  return { row, place, event, owner, actor: await personAt(tx, owner, organizer) }
}

/** Has an export made that is due, unless the one before it is still under way. */
async function start(tx: Tx, { env }: ScheduleParts, { organizer, id }: ScheduledExport): Promise<void> {
  const found = await owned(tx, organizer, id)
  if (!found || (found.row.schedule_next_run ?? '') > tx.now) return
  const timezone = found.event?.timezone ?? found.row.timezone
  const row = { ...found.row, schedule_next_run: nextOfSchedule({ ...found.row, timezone }, tx.now) }
  await saveSchedule(tx, row)
  if (await isRunUnderWay(tx, organizer, id)) return
  const at = { ...found, row }
  const task = await taskOf(tx, at)
  if (typeof task === 'string') return failSchedule(tx, at, { why: task })
  await addExport(tx, {
    ...{ organizer, id: env.uuid(), file: env.uuid(), event: row.event, exporter: task.exporter },
    ...{
      task: JSON.stringify(task),
      credential: exportCredential({ kind: 'user', id: row.owner }),
      schedule: id,
    },
  })
}

/** What is to be exported, as its owner may have it now; or why it may not be. */
async function taskOf(tx: Tx, { row, place, event, owner, actor }: OwnedSchedule) {
  const organizer = await organizerById(tx, place.organizer)
  const here = owner.isDisabled ? null : entering(actor, place.organizer, event?.id ?? null, null)
  if (!organizer || !here) return 'Permission denied.'
  const level: Level = event ? 'event' : 'organizer'
  const scope = { actor: here, organizer, event, place, origin: row.origin, address: '' }
  const usable = usableExporter(scope, level, row.export_identifier)
  if (!usable) return 'There is no such export, or you may not use it any more.'
  const body = { all_events: !('events' in row.export_form_data), ...row.export_form_data }
  try {
    return await readExportTask(tx, scope, usable, { level, body, now: tx.now, origin: row.origin })
  } catch (cause) {
    if (cause instanceof Refusal && cause.status === 400) return JSON.stringify(cause.body)
    throw cause
  }
}

/** Mails what came of an export. */
async function settle({ transactions, exports }: ScheduleParts, run: ExportRow): Promise<void> {
  const file = await stat(exports.pathOf(run.file)).catch(() => null)
  await transactions.write(async (tx) => {
    if (run.schedule === null || !(await noteMailedRun(tx, run))) return
    const at = await owned(tx, run.organizer, run.schedule)
    if (!at) return
    const isEmpty = run.is_empty === 1
    if (run.state === 'failed') await failSchedule(tx, at, { why: run.message ?? 'Internal error.', isEmpty })
    else if (file && file.size > largest)
      await failSchedule(tx, at, {
        why: 'The file has more than 20 MB, which is too much for a mail. Export less.',
      })
    else await mailSchedule(tx, at, run.id)
  })
}
