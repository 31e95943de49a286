import {
  type Shredder,
  shredderDownload,
  shredderExport,
  shredderIds,
  shredderList,
  shredderNames,
  shredderRetrieve,
  shredderShred,
  shredderStatus,
} from '../../../schema/actions/operations/shredders.ts'
import { permissions } from '../../../schema/permissions.ts'
import type { Env } from '../../env.ts'
import { invalid, notFound, Refusal } from '../../errors.ts'
import { shredderFile } from '../../exporters/reports/shredder-file.ts'
import type { ExportTask } from '../../exporters/run/run-export.ts'
import type { ExportRunner } from '../../jobs/run-exports.ts'
import type { ShreddingRunner } from '../../jobs/shredding.ts'
import { may } from '../../resource/actor.ts'
import type { ScopeInEvent } from '../../resource/api.ts'
import { originOf } from '../../resource/asked.ts'
import { type ActionRequest, type ApiRouter, serveRaw, serveRead } from '../../resource/endpoints.ts'
import {
  addExport,
  type ExportRow,
  exportById,
  exportCredential,
} from '../../services/operations/export-runs.ts'
import { whyNotShred } from '../../services/operations/shredders.ts'
import { addShredding, shreddingById } from '../../services/operations/shreddings.ts'
import type { Queryable } from '../../storage/database.ts'
import { sendExport } from './exporters.ts'

/** What deletions are served with. */
interface ShredderParts {
  readonly env: Env
  readonly instant: () => string
  /** Missing where only the routes are looked at. */
  readonly exports?: ExportRunner
  readonly shredding?: ShreddingRunner
}

type Asked = ScopeInEvent & ActionRequest<string>

const shown = (identifier: Shredder) => ({ identifier, verbose_name: shredderNames[identifier] })

/** Refuses where an event is not over or is live. */
async function refuseNow(db: Queryable, { place }: Asked, now: string): Promise<void> {
  const refusal = await whyNotShred(db, place, now)
  if (refusal !== null) throw invalid([refusal])
}

/** The two names in an address. */
function namesIn({ params }: Asked): { readonly id: string; readonly file: string } {
  const { task, file }: Readonly<Record<string, string>> = params
  return { id: String(task), file: String(file) }
}

/** What was saved, once it is; 404 for what others have saved, 409 and 410 where it is not there. */
async function savedRun(db: Queryable, request: Asked, now: string): Promise<ExportRow> {
  const { actor, place } = request
  const run = await exportById(db, { organizer: place.organizer, ...namesIn(request) }, now)
  const isTheirs =
    run?.event === place.event &&
    run.exporter === shredderFile.identifier &&
    run.credential === exportCredential(actor)
  if (!run || !isTheirs) throw notFound('There is no such file, or not any more.')
  if (run.state === 'failed')
    throw new Refusal(410, { status: 'failed', message: run.message ?? 'Internal error.' })
  if (run.state !== 'finished') throw new Refusal(409, { status: run.state }, { 'Retry-After': '1' })
  return run
}

/** What is to be saved of an event, for two hours. */
function newRun(
  { actor, organizer, event, origin = '' }: Asked,
  shredders: readonly Shredder[],
  { env, instant }: ShredderParts,
) {
  const task: ExportTask = {
    ...{ exporter: shredderFile.identifier, level: 'event', organizer, events: [event.id], origin },
    wishes: {
      shredders: [...new Set(shredders)],
      confirm_code: Buffer.from(env.randomBytes(3)).toString('hex'),
    },
    permissions: permissions.filter((one) => may(actor, one)),
    now: instant(),
  }
  return {
    ...{ organizer: organizer.id, id: env.uuid(), file: env.uuid(), event: event.id, hours: 2 },
    ...{ exporter: task.exporter, task: JSON.stringify(task), credential: exportCredential(actor) },
  }
}

const notHere = (): Refusal =>
  new Refusal(
    503,
    { detail: 'Personal data is deleted by the central server or hub, which cannot be asked at the moment.' },
    { 'Retry-After': '10' },
  )

/** Serves the deletion of personal data of events that are over: it is saved first. */
export function serveShredders(router: ApiRouter, parts: ShredderParts): void {
  const { transactions } = router.api
  const { database, site } = transactions
  const { instant, exports, shredding } = parts
  serveRead(router, shredderList, () => ({
    ...{ count: shredderIds.length, next: null, previous: null },
    results: shredderIds.map(shown),
  }))
  serveRead(router, shredderRetrieve, ({ params }) => {
    const found = shredderIds.find((one) => one === params.id)
    if (!found) throw notFound()
    return shown(found)
  })
  serveRaw(router, shredderExport, async (request, ctx) => {
    if (site > 0) throw notHere()
    const { shredders } = request.body
    await refuseNow(database, request, instant())
    const run = newRun(request, shredders, parts)
    const base = `${originOf(ctx)}${ctx.path.replace(/export\/?$/, '')}`
    const answer = await request.carryOut(async (tx) => {
      await addExport(tx, run)
      tx.audit(request.place, request.actor, {
        ...{ action: 'ticketsvc.event.shredder.exported', resource: 'event', row: request.event.id },
        data: { shredders },
      })
      return {
        download: `${base}download/${run.id}/${run.file}/`,
        shred: `${base}shred/${run.id}/${run.file}/`,
      }
    })
    exports?.look()
    return answer
  })
  serveRaw(router, shredderDownload, async (request, ctx) => {
    const run = await savedRun(database, request, instant())
    await sendExport(ctx, { ...run, file_name: `${request.event.slug}.zip` }, exports)
  })
  serveRaw(router, shredderShred, async (request, ctx) => {
    if (site > 0) throw notHere()
    const run = await savedRun(database, request, instant())
    await refuseNow(database, request, instant())
    const status = `${originOf(ctx)}${ctx.path.replace(/\/shred\/([^/]+\/[^/]+)\/?$/, '/status/$1/')}`
    const answer = await request.carryOut(async (tx) => {
      await addShredding(tx, request, run)
      return { status }
    })
    shredding?.look()
    return answer
  })
  serveRead(router, shredderStatus, async (request, db) => {
    const found = await shreddingById(db, request.place, namesIn(request))
    if (!found || found.credential !== exportCredential(request.actor))
      throw new Refusal(410, { status: 'gone', message: 'May have succeeded or timed out' })
    if (found.state === 'failed')
      throw new Refusal(417, { status: 'failed', message: found.message ?? 'Internal error.' })
    if (found.state !== 'done') throw new Refusal(409, { status: found.state }, { 'Retry-After': '1' })
    return { status: 'ok', message: 'OK' }
  })
}
