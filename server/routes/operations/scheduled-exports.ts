import {
  eventScheduledExports,
  organizerScheduledExports,
} from '../../../schema/actions/operations/scheduled-exports.ts'
import { denied, invalid, notFound, Refusal } from '../../errors.ts'
import type { Level } from '../../exporters/format/exporter.ts'
import { exportReach, readExportTask, usableExporter } from '../../exporters/run/export-task.ts'
import { shownExporter } from '../../exporters/run/parameters.ts'
import type { Scope } from '../../resource/api.ts'
import { type ActionRequest, type ApiRouter, serveAction, serveRead } from '../../resource/endpoints.ts'
import { idIn } from '../../resource/routes.ts'
import type { Tx } from '../../resource/transactions.ts'
import {
  checkedSchedule,
  nextOfSchedule,
  noteSchedule,
  presentSchedules,
  removeSchedule,
  type ScheduledExport,
  type ScheduledExportInput,
  saveSchedule,
  visibleSchedule,
  visibleSchedules,
} from '../../services/operations/scheduled-exports.ts'
import type { Queryable } from '../../storage/database.ts'

/** A request for the scheduled exports of an event or an organizer. */
type Asked<B = unknown> = Scope & ActionRequest<string, B>

/** Serves the exports of an event and of an organizer that are made again and again. */
export function serveScheduledExports(router: ApiRouter): void {
  const ofEvent = eventScheduledExports
  serveRead(router, ofEvent.list, list)
  serveAction(router, ofEvent.create, create, shown)
  serveRead(router, ofEvent.retrieve, retrieve)
  serveAction(router, ofEvent.update, change, shown)
  serveAction(router, ofEvent.replace, change, shown)
  serveAction(router, ofEvent.remove, remove)
  const ofOrganizer = organizerScheduledExports
  serveRead(router, ofOrganizer.list, list)
  serveAction(router, ofOrganizer.create, create, shown)
  serveRead(router, ofOrganizer.retrieve, retrieve)
  serveAction(router, ofOrganizer.update, change, shown)
  serveAction(router, ofOrganizer.replace, change, shown)
  serveAction(router, ofOrganizer.remove, remove)
}

async function list(request: Asked, db: Queryable) {
  const { count, rows } = await visibleSchedules(db, request, request.query, request.page)
  return request.pageOf(count, await presentSchedules(db, rows))
}

async function retrieve(request: Asked, db: Queryable) {
  const { id }: Readonly<Record<string, string>> = request.params
  return shown(request, await existing(db, request, idIn(id)), db)
}

const shown = async (_: Asked, row: ScheduledExport, db: Queryable) => (await presentSchedules(db, [row]))[0]

/** A scheduled export that somebody may see; 404 where there is none. */
async function existing(db: Queryable | Tx, scope: Scope, id: number): Promise<ScheduledExport> {
  const row = await visibleSchedule(db, scope, id)
  if (!row) throw notFound()
  return row
}

async function create(request: Asked<Partial<ScheduledExportInput>>, tx: Tx): Promise<ScheduledExport> {
  const { actor, place, origin = '' } = request
  const input = await checked(tx, request, {
    ...request.body,
    timezone: request.body.timezone ?? 'UTC',
  } as ScheduledExportInput)
  if (actor.kind !== 'user')
    throw denied('Only persons have exports made again and again: ask with their access.')
  const row = {
    ...{ ...input, organizer: place.organizer, id: tx.nextId(), event: place.event, owner: actor.id },
    ...{ schedule_next_run: nextIn(request, input, tx.now), error_counter: 0, origin },
  }
  await saveSchedule(tx, row)
  noteSchedule(tx, request, row, { done: 'added' })
  return row
}

/** Whoever changes a scheduled export may make it themselves: otherwise they could have it sent to them. */
async function change(request: Asked<Partial<ScheduledExportInput>>, tx: Tx): Promise<ScheduledExport> {
  const { id }: Readonly<Record<string, string>> = request.params
  const before = await existing(tx, request, idIn(id))
  const isOwn = request.actor.kind === 'user' && request.actor.id === before.owner
  if (!isOwn && !usableExporter(request, levelOf(request), before.export_identifier))
    throw denied('You may change only exports that you may make yourself.')
  const input = await checked(tx, request, { ...before, ...request.body })
  const row = { ...before, ...input, schedule_next_run: nextIn(request, input, tx.now), error_counter: 0 }
  await saveSchedule(tx, row)
  noteSchedule(tx, request, row, { done: 'changed' })
  return row
}

async function remove(request: Asked, tx: Tx): Promise<void> {
  const { id }: Readonly<Record<string, string>> = request.params
  const row = await existing(tx, request, idIn(id))
  await removeSchedule(tx, row)
  noteSchedule(tx, request, row, { done: 'deleted' })
}

const levelOf = ({ event }: Scope): Level => (event ? 'event' : 'organizer')

const nextIn = ({ event }: Scope, input: ScheduledExportInput, now: string): string | null =>
  nextOfSchedule({ ...input, timezone: event?.timezone ?? input.timezone }, now)

/** What is to be stored, with the parameters that its exporter knows; throws 400 with messages by field. */
async function checked(tx: Tx, scope: Scope, sent: ScheduledExportInput): Promise<ScheduledExportInput> {
  const level = levelOf(scope)
  const usable = usableExporter(scope, level, sent.export_identifier)
  if (!usable) throw invalid({ export_identifier: ['This is not an export that you may make.'] })
  const input = checkedSchedule(sent)
  const known = shownExporter(usable.exporter, exportReach(level, scope, []))
  const names = known.input_parameters.map(({ name }) => name)
  const data = Object.fromEntries(
    Object.entries(input.export_form_data).filter(([name]) => names.includes(name)),
  )
  const body = { all_events: !('events' in data), ...data }
  try {
    await readExportTask(tx, scope, usable, { level, body, now: tx.now, origin: scope.origin ?? '' })
  } catch (cause) {
    if (cause instanceof Refusal && cause.status === 400) throw invalid({ export_form_data: cause.body })
    throw cause
  }
  return { ...input, export_form_data: data }
}
