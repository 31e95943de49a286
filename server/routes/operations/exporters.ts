import { promises as files } from 'node:fs'
import type { Context } from 'koa'
import { eventExporters, organizerExporters } from '../../../schema/actions/exporters.ts'
import type { Env } from '../../env.ts'
import { invalid, notFound, Refusal } from '../../errors.ts'
import type { Level } from '../../exporters/format/exporter.ts'
import {
  exporterCallers,
  exportReach,
  readExportTask,
  type UsableExporter,
  usableExporter,
  type Wanted,
} from '../../exporters/run/export-task.ts'
import { exportersOf } from '../../exporters/run/exporters.ts'
import { shownExporter } from '../../exporters/run/parameters.ts'
import type { ExportTask } from '../../exporters/run/run-export.ts'
import { sendFile } from '../../http/send-file.ts'
import type { ExportRunner } from '../../jobs/run-exports.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { originOf } from '../../resource/asked.ts'
import { type ActionRequest, type ApiRouter, serveRaw, serveRead } from '../../resource/endpoints.ts'
import {
  addExport,
  type ExportRow,
  exportById,
  exportCredential,
} from '../../services/operations/export-runs.ts'

/** What exports are served with. */
interface ExporterParts {
  readonly env: Env
  readonly instant: () => string
  /** Missing where only the routes are looked at. */
  readonly exports?: ExportRunner
}

/** A request for exports. */
type Asked = Scope & ActionRequest<string>

/** The exporter that the path names, and what makes it usable; 404 where it is not. */
function exporterIn(request: Asked, level: Level): UsableExporter {
  const { exporter }: Readonly<Record<string, string>> = request.params
  const usable = usableExporter(request, level, String(exporter))
  if (!usable) throw notFound()
  return usable
}

/** Nobody would carry it out: requests are passed upstream, unless this server is just joining there. */
const notHere = (): Refusal =>
  new Refusal(
    503,
    { detail: 'Exports are made by the central server or hub, which cannot be asked at the moment.' },
    { 'Retry-After': '10' },
  )

function wishesIn(sent: unknown): Wanted {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw invalid({ non_field_errors: ['Invalid data. Expected an object.'] })
  return sent as Wanted
}

/** Serves the ways to get much data at once, of an event and of an organizer. */
export function serveExporters(router: ApiRouter, parts: ExporterParts): void {
  const ofEvents = answersOf('event', router.api, parts)
  serveRead(router, eventExporters.list, ofEvents.list)
  serveRead(router, eventExporters.retrieve, ofEvents.retrieve)
  serveRaw(router, eventExporters.run, ofEvents.run)
  serveRaw(router, eventExporters.download, ofEvents.download)
  const ofOrganizers = answersOf('organizer', router.api, parts)
  serveRead(router, organizerExporters.list, ofOrganizers.list)
  serveRead(router, organizerExporters.retrieve, ofOrganizers.retrieve)
  serveRaw(router, organizerExporters.run, ofOrganizers.run)
  serveRaw(router, organizerExporters.download, ofOrganizers.download)
}

const answersOf = (level: Level, api: Api, parts: ExporterParts) => ({
  list(request: Asked) {
    if (request.page.number > 1) throw notFound('Invalid page.')
    const usable = exportersOf(level).filter((one) => exporterCallers(request, one) !== null)
    const results = usable.map((one) => shownExporter(one, exportReach(level, request, [])))
    return { count: results.length, next: null, previous: null, results }
  },
  retrieve: (request: Asked) =>
    shownExporter(exporterIn(request, level).exporter, exportReach(level, request, [])),
  async run(request: Asked, ctx: Context) {
    const { run, task } = await readRun(api, level, request, parts)
    const { id, file } = run
    const download = `${originOf(ctx)}${ctx.path.replace(/run\/?$/, '')}download/${id}/${file}/`
    const answer = await request.carryOut(async (tx) => {
      await addExport(tx, run)
      const { exporter, events, wishes } = task
      tx.audit(request.place, request.actor, {
        action: `ticketsvc.${level}.exporter.run`,
        resource: 'export_run',
        row: 0,
        data: { exporter, events, wishes },
      })
      return { download }
    })
    parts.exports?.look()
    return answer
  },
  async download(request: Asked, ctx: Context) {
    await sendExport(ctx, await finishedRun(api, level, request, parts), parts.exports)
  },
})

/** The run that a request asks for. */
async function readRun(
  { transactions }: Api,
  level: Level,
  request: Asked,
  { env, instant }: ExporterParts,
): Promise<{ readonly run: Parameters<typeof addExport>[1]; readonly task: ExportTask }> {
  const { actor, organizer, place, origin = '' } = request
  const usable = exporterIn(request, level)
  if (transactions.site > 0) throw notHere()
  const body = wishesIn(request.body)
  const wanted = { level, body, now: instant(), origin }
  const task = await readExportTask(transactions.database, request, usable, wanted)
  const run = {
    organizer: organizer.id,
    id: env.uuid(),
    file: env.uuid(),
    event: place.event,
    exporter: task.exporter,
    task: JSON.stringify(task),
    credential: exportCredential(actor),
  }
  return { run, task }
}

/** The run that the path names, once it is finished; 404 for those of others, 409 and 410 where nothing came of it. */
async function finishedRun(
  { transactions }: Api,
  level: Level,
  request: Asked,
  { instant }: ExporterParts,
): Promise<ExportRow> {
  const { actor, organizer, place } = request
  const { exporter } = exporterIn(request, level)
  const { task, file }: Readonly<Record<string, string>> = request.params
  const { database } = transactions
  const run = await exportById(
    database,
    { organizer: organizer.id, id: String(task), file: String(file) },
    instant(),
  )
  const isTheirs =
    run?.event === place.event &&
    run.exporter === exporter.identifier &&
    run.credential === exportCredential(actor)
  if (!run || !isTheirs) throw notFound('There is no such export, or not any more.')
  switch (run.state) {
    case 'waiting':
    case 'running':
      throw new Refusal(409, { status: run.state, percentage: run.percentage }, { 'Retry-After': '1' })
    case 'failed':
      throw new Refusal(410, { status: 'failed', message: run.message ?? 'Internal error.' })
    case 'finished':
      return run
  }
}

/** Answers with the file of an export. */
export async function sendExport(ctx: Context, run: ExportRow, exports?: ExportRunner): Promise<void> {
  const path = exports?.pathOf(run.file)
  const file = path === undefined ? null : await files.open(path).catch(() => null)
  // Another server may have written it, or the folder was emptied.
  if (!file) throw notFound('There is no such export, or not any more.')
  try {
    ctx.attachment(run.file_name ?? 'export')
    ctx.type = run.media_type ?? 'application/octet-stream'
    ctx.length = (await file.stat()).size
    ctx.set('Cache-Control', 'no-store')
    if (ctx.method === 'HEAD') ctx.status = 200
    else await sendFile(ctx, file)
  } finally {
    await file.close()
  }
}
