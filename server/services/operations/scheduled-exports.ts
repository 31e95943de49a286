import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { organizerScheduledExportInput } from '../../../schema/actions/operations/scheduled-exports.ts'
import type { JsonObject, RowOf } from '../../../schema/fields.ts'
import { shownInstant } from '../../../schema/instants.ts'
import { isMailAddress } from '../../domain/notifications/mail-schedule.ts'
import { nextRun, readRecurrence } from '../../domain/notifications/recurrence.ts'
import { isTimeZone } from '../../domain/text/zones.ts'
import { denied, type FieldErrors, invalid } from '../../errors.ts'
import { may } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import { type Query, single, sortBy } from '../../resource/query.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { isHere } from '../../storage/moved-organizers.ts'

/** What is said of a scheduled export; that of an event is in the event's time zone. */
export type ScheduledExportInput = RowOf<typeof organizerScheduledExportInput>

/** A scheduled export as it is stored. */
export interface ScheduledExport extends ScheduledExportInput {
  readonly organizer: number
  readonly id: number
  /** 0 where it is about the organizer. */
  readonly event: number
  readonly owner: number
  readonly schedule_next_run: string | null
  readonly error_counter: number
  readonly origin: string
}

type ScheduledExportCells = Omit<ScheduledExport, 'export_form_data'> & { readonly export_form_data: string }

const rowOf = (cells: ScheduledExportCells): ScheduledExport => ({
  ...cells,
  export_form_data: JSON.parse(cells.export_form_data),
})

/** After so many errors in a row it is not made any more until it is changed. */
export const mostExportErrors = 5

const mostRecipients = 25

const recipientFields = [
  'mail_additional_recipients',
  'mail_additional_recipients_cc',
  'mail_additional_recipients_bcc',
] as const

/** The addresses of a text with commas between them. */
const addressesIn = (text: string): string[] => text.split(',').filter((one) => one !== '')

/** Everybody who gets what came of a scheduled export, each once. */
export const exportRecipients = (row: ScheduledExportInput, owner: string): string[] => [
  ...new Set([owner, ...recipientFields.flatMap((name) => addressesIn(row[name]))]),
]

/** What was sent in the form in which it is stored; throws 400 with messages by field. */
export function checkedSchedule(input: ScheduledExportInput): ScheduledExportInput {
  const errors: FieldErrors = {}
  const recipients = Object.fromEntries(
    recipientFields.map((name) => [name, input[name].replaceAll(' ', '')]),
  )
  for (const [name, text] of Object.entries(recipients)) {
    if (text === '') continue
    if (!text.split(',').every(isMailAddress)) errors[name] = ['Enter a valid email address.']
    else if (text.split(',').length > mostRecipients)
      errors[name] = [`Enter at most ${mostRecipients} recipients.`]
  }
  if (!readRecurrence(input.schedule_rrule))
    errors.schedule_rrule = [
      'Enter one RRULE of DAILY, WEEKLY, MONTHLY or YEARLY, with INTERVAL, COUNT, UNTIL, BYDAY and BYMONTH only; MONTHLY and YEARLY need BYDAY.',
    ]
  if (!isTimeZone(input.timezone)) errors.timezone = ['This is not the name of a time zone.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const time = input.schedule_rrule_time
  return { ...input, ...recipients, schedule_rrule_time: time.length === 5 ? `${time}:00` : time }
}

/** When a scheduled export is made next, in a time zone. */
export function nextOfSchedule(
  {
    schedule_rrule,
    schedule_rrule_time: time,
    timezone,
  }: Pick<ScheduledExport, 'schedule_rrule' | 'schedule_rrule_time' | 'timezone'>,
  now: string,
): string | null {
  const rule = readRecurrence(schedule_rrule)
  return rule ? nextRun(rule, { time, timezone, now }) : null
}

/** Which scheduled exports of a place somebody may see; 403 where only people may have some of their own. */
function visible({ actor, place, event }: Scope): Sql {
  const of = sql`organizer = ${place.organizer} AND event = ${place.event}`
  if (may(actor, event ? 'can_change_event_settings' : 'can_change_organizer_settings')) return of
  if (actor.kind === 'user') return sql`${of} AND "owner" = ${actor.id}`
  throw denied()
}

const sortable = ['id', 'export_identifier', 'schedule_next_run']

/** The order that a query asks for. */
function orderOf(db: Queryable, query: Query): Sql {
  const asked = (single(query, 'ordering') ?? '').split(',')
  const words = asked.filter((word) => sortable.includes(word.replace(/^-/, '')))
  const parts = words.map((word) => {
    const name = word.replace(/^-/, '')
    return sortBy(db.engine, raw(`"${name}"`), name === 'export_identifier', word.startsWith('-'))
  })
  return join([...parts, sql`id`])
}

/** The scheduled exports of a place that somebody may see: a part of them, and how many there are. */
export async function visibleSchedules(
  db: Queryable,
  scope: Scope,
  query: Query,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ readonly count: number; readonly rows: readonly ScheduledExport[] }> {
  const found = visible(scope)
  const counted = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM scheduled_export WHERE ${found}`,
  )
  const rows = await db.all<ScheduledExportCells>(
    sql`SELECT * FROM scheduled_export WHERE ${found} ORDER BY ${orderOf(db, query)} LIMIT ${size} OFFSET ${offset}`,
  )
  return { count: counted?.count ?? 0, rows: rows.map(rowOf) }
}

/** One of them; undefined where there is none that somebody may see. In a transaction it is kept from others. */
export async function visibleSchedule(
  db: Queryable | Tx,
  scope: Scope,
  id: number,
): Promise<ScheduledExport | undefined> {
  const lock = 'forUpdate' in db ? db.forUpdate : sql``
  const cells = await db.get<ScheduledExportCells>(
    sql`SELECT * FROM scheduled_export WHERE ${visible(scope)} AND id = ${id}${lock}`,
  )
  return cells && rowOf(cells)
}

/** The scheduled exports that are due at a moment. */
export const dueSchedules = async (db: Queryable, now: string): Promise<ScheduledExport[]> =>
  (
    await db.all<ScheduledExportCells>(
      sql`SELECT * FROM scheduled_export
          WHERE "schedule_next_run" <= ${now} AND "error_counter" < ${mostExportErrors} AND ${isHere(sql`organizer`)}
          ORDER BY "schedule_next_run", id LIMIT 100`,
    )
  ).map(rowOf)

/** One by its id, kept from others until the commit. */
export async function lockSchedule(
  tx: Tx,
  organizer: number,
  id: number,
): Promise<ScheduledExport | undefined> {
  const cells = await tx.get<ScheduledExportCells>(
    sql`SELECT * FROM scheduled_export WHERE organizer = ${organizer} AND id = ${id}${tx.forUpdate}`,
  )
  return cells && rowOf(cells)
}

/** Stores a scheduled export, instead of what is stored under its id. */
export async function saveSchedule(tx: Tx, row: ScheduledExport): Promise<void> {
  await removeSchedule(tx, row)
  await tx.run(
    sql`INSERT INTO scheduled_export (organizer, id, event, "owner", "export_identifier", "export_form_data", "locale",
          "mail_additional_recipients", "mail_additional_recipients_cc", "mail_additional_recipients_bcc", "mail_subject",
          "mail_template", "schedule_rrule", "schedule_rrule_time", "timezone", "schedule_next_run", "error_counter", "origin")
        VALUES (${row.organizer}, ${row.id}, ${row.event}, ${row.owner}, ${row.export_identifier},
          ${JSON.stringify(row.export_form_data)}, ${row.locale}, ${row.mail_additional_recipients},
          ${row.mail_additional_recipients_cc}, ${row.mail_additional_recipients_bcc}, ${row.mail_subject},
          ${row.mail_template}, ${row.schedule_rrule}, ${row.schedule_rrule_time}, ${row.timezone},
          ${row.schedule_next_run}, ${row.error_counter}, ${row.origin})`,
  )
}

/** Deletes a scheduled export. */
export async function removeSchedule(
  tx: Tx,
  { organizer, id }: Pick<ScheduledExport, 'organizer' | 'id'>,
): Promise<void> {
  await tx.run(sql`DELETE FROM scheduled_export WHERE organizer = ${organizer} AND id = ${id}`)
}

/** Notes in the audit trail what was done with a scheduled export. */
export const noteSchedule = (
  tx: Tx,
  { actor, place }: { readonly actor: Scope['actor']; readonly place: Place },
  { id, export_identifier }: Pick<ScheduledExport, 'id' | 'export_identifier'>,
  { done, why }: { readonly done: string; readonly why?: string },
): void =>
  tx.audit(place, actor, {
    action: `ticketsvc.${place.event > 0 ? 'event' : 'organizer'}.export.schedule.${done}`,
    ...{ resource: 'scheduled_export', row: id },
    data: { export_identifier, ...(why === undefined ? {} : { reason: why }) },
  })

/** Scheduled exports of one place in their JSON form. */
export async function presentSchedules(
  db: Queryable,
  rows: readonly ScheduledExport[],
): Promise<JsonObject[]> {
  if (rows.length === 0) return []
  const users = await db.all<{ id: number; email: string }>(
    sql`SELECT id, email FROM app_user WHERE id IN (${join(rows.map(({ owner }) => owner))})`,
  )
  const emails = new Map(users.map(({ id, email }) => [id, email]))
  return rows.map(({ organizer: _, event, owner, timezone, origin: __, ...row }) => ({
    ...row,
    owner: emails.get(owner) ?? '',
    schedule_next_run: row.schedule_next_run && shownInstant(row.schedule_next_run),
    ...(event > 0 ? {} : { timezone }),
  }))
}
