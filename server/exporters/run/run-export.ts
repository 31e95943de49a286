import { promises as files } from 'node:fs'
import sql, { join } from 'sql-template-tag'
import type { Permission } from '../../../schema/permissions.ts'
import type { EventFacts } from '../../resource/api.ts'
import { eventById } from '../../services/events/events.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Reading } from '../../storage/reading.ts'
import { csvFile } from '../format/csv-file.ts'
import {
  type Exporter,
  type Level,
  NothingToExport,
  type Run,
  type SheetPlan,
  type Wishes,
} from '../format/exporter.ts'
import { type Format, formatsOf } from '../format/formats.ts'
import type { Sheet } from '../format/table.ts'
import { utf8 } from '../format/utf8.ts'
import { xlsxFile } from '../format/xlsx-file.ts'
import { exporterOf } from './exporters.ts'

/** What is to be exported, as it is kept until its turn comes. */
export interface ExportTask {
  readonly exporter: string
  readonly level: Level
  readonly organizer: { readonly id: number; readonly slug: string }
  /** Ids; of all events, where that was wished for, those that there were. */
  readonly events: readonly number[]
  readonly wishes: Wishes
  readonly permissions: readonly Permission[]
  readonly origin: string
  readonly now: string
}

/** What came of an export. */
export type Ending =
  | { readonly kind: 'finished'; readonly name: string; readonly type: string }
  /** Why there is nothing to export, in words for whoever asked. */
  | { readonly kind: 'nothing'; readonly message: string }

const csvType = 'text/csv; charset=utf-8'
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * Writes an export into a new file, bit by bit; `report` hears how far it is, in hundredths. What is read is of one
 * moment where the database can say so.
 */
export async function runExport(
  db: Reading,
  task: ExportTask,
  file: string,
  report: (percentage: number) => void,
): Promise<Ending> {
  const exporter = exporterOf(task.level, task.exporter)
  if (!exporter) throw new Error(`There is no exporter ${task.exporter} any more.`)
  try {
    const run = await runOf(db, task, report)
    const { chunks, name, type } = await contentOf(exporter, run, task)
    await writeNew(file, chunks)
    return { kind: 'finished', name, type }
  } catch (cause) {
    if (cause instanceof NothingToExport) return { kind: 'nothing', message: cause.message }
    throw cause
  }
}

/** So many bytes are written before they are on the disk: all at once, they would keep every scan waiting for it. */
const settledEvery = 4 * 2 ** 20

/** Writes a file that is not there yet, for its owner alone, and has it on the disk in the end. */
async function writeNew(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await files.open(file, 'wx', 0o600)
  let unsettled = 0
  try {
    for await (const chunk of chunks) {
      await handle.writeFile(chunk)
      unsettled += chunk.length
      if (unsettled < settledEvery) continue
      unsettled = 0
      await handle.datasync()
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function runOf(db: Reading, task: ExportTask, report: (percentage: number) => void): Promise<Run> {
  const events = await eventsOf(db, task)
  if (events.length === 0 && task.events.length > 0)
    throw new NothingToExport('What was to be exported was deleted meanwhile.')
  const locales = new Set(events.map(({ locale }) => locale))
  const [locale] = locales
  let expected = 0
  let done = 0
  let lastReported = -1
  return {
    db,
    level: task.level,
    organizer: task.organizer,
    events,
    wishes: task.wishes,
    now: task.now,
    origin: task.origin,
    permissions: new Set(task.permissions),
    locale: locales.size === 1 && locale !== undefined ? locale : 'en',
    expect: (count) => {
      expected += count
    },
    advance: (count) => {
      done += count
      const percentage = Math.min(99, Math.floor((100 * done) / Math.max(1, expected)))
      if (percentage > lastReported) report(percentage)
      lastReported = Math.max(lastReported, percentage)
    },
  }
}

async function eventsOf(db: Queryable, { organizer, events }: ExportTask): Promise<EventFacts[]> {
  if (events.length === 0) return []
  // In the order in which they happen.
  const rows = await db.all<{ id: number }>(
    sql`SELECT id FROM event WHERE organizer = ${organizer.id} AND id IN (${join([...events])}) ORDER BY date_from, id`,
  )
  const found: EventFacts[] = []
  for (const { id } of rows) {
    const event = await eventById(db, organizer.id, id)
    if (event) found.push(event)
  }
  return found
}

interface Content {
  readonly chunks: AsyncIterable<Uint8Array>
  readonly name: string
  readonly type: string
}

async function contentOf(exporter: Exporter, run: Run, task: ExportTask): Promise<Content> {
  const [event] = run.events
  const place = run.level === 'event' && event ? event.slug : run.organizer.slug
  const { output } = exporter
  if (output.kind === 'file')
    return {
      chunks: (await output.load())(run),
      name: `${place}_${exporter.identifier}.${output.extension}`,
      type: output.type,
    }
  const format = formatsOf(exporter).get(String(task.wishes._format))
  if (!format) throw new Error('The format is not known any more.')
  const part = format.kind === 'csv' && output.sheets.length > 1 ? `_${format.sheet}` : ''
  return {
    chunks: tablesOf(output.sheets, format, run),
    name: `${place}_${exporter.identifier}${part}.${format.kind}`,
    type: format.kind === 'csv' ? csvType : xlsxType,
  }
}

async function* tablesOf(plans: readonly SheetPlan[], format: Format, run: Run): AsyncGenerator<Uint8Array> {
  const wanted = plans.filter(({ name }) => format.kind === 'xlsx' || name === format.sheet)
  const sheets: Sheet[] = []
  for (const plan of wanted) {
    const sheet = await plan.open(run)
    run.expect(sheet.total ?? 0)
    sheets.push({
      ...sheet,
      async *pages() {
        for await (const page of sheet.pages()) {
          yield page
          run.advance(page.length)
        }
      },
    })
  }
  if (format.kind === 'xlsx') yield* xlsxFile(sheets)
  else for (const sheet of sheets) yield* utf8(csvFile(sheet, format.dialect, run.locale))
}
