import { promises as files } from 'node:fs'
import type Router from '@koa/router'
import type { Context } from 'koa'
import sql from 'sql-template-tag'
import { type Permission, permissions } from '../../../schema/permissions.ts'
import type { Env } from '../../env.ts'
import { invalid, notFound, Refusal } from '../../errors.ts'
import type { Exporter, Level } from '../../exporters/format/exporter.ts'
import { exporterOf, exportersOf } from '../../exporters/run/exporters.ts'
import { type Reach, readWishes, shownExporter } from '../../exporters/run/parameters.ts'
import type { ExportTask } from '../../exporters/run/run-export.ts'
import { sendFile } from '../../http/send-file.ts'
import type { ExportRunner } from '../../jobs/run-exports.ts'
import { type Actor, entering, may } from '../../resource/actor.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { bodyOf, originOf } from '../../resource/endpoints.ts'
import { pageOf } from '../../resource/pages.ts'
import { refuseMethod } from '../../resource/routes.ts'
import { addExport, type ExportRow, exportById } from '../../services/operations/export-runs.ts'

/** What exports are served with. */
export interface ExporterParts {
  readonly env: Env
  readonly instant: () => string
  /** Missing where only the routes are looked at. */
  readonly exports?: ExportRunner
}

/** Who an export belongs to: nobody else gets it. */
const credentialOf = ({ kind, id }: Actor): string => `${kind} ${id}`

/**
 * A caller as each of the permissions that an exporter needs makes them, for only where all of them let one in may it be
 * used; null where one is missing altogether.
 */
function callersOf({ actor, organizer, event }: Scope, exporter: Exporter): readonly Actor[] | null {
  const needs: readonly (Permission | null)[] = exporter.withoutEvents
    ? [exporter.needs]
    : ['can_view_orders', exporter.needs]
  const callers = needs.map((need) => entering(actor, organizer.id, event?.id ?? null, need))
  return callers.some((one) => one === null) ? null : callers.filter((one) => one !== null)
}

/** Serves the ways to get much data at once, of an event and of an organizer. */
export function serveExporters(router: Router, api: Api, { env, instant, exports }: ExporterParts): void {
  const { database } = api.transactions

  /** The events that a caller may use an exporter on, by their slugs. */
  async function eventsOf(
    { organizer }: Scope,
    callers: readonly Actor[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await database.all<{ id: number; slug: string }>(
      sql`SELECT id, slug FROM event WHERE organizer = ${organizer.id}`,
    )
    const open = rows.filter(({ id }) => callers.every((one) => one.allEvents || one.events.has(id)))
    return new Map(open.map(({ id, slug }) => [slug, id]))
  }

  /** The events that a body names, or all of them; 400 for one that the caller may not see. */
  function wishedEvents(
    known: ReadonlyMap<string, number>,
    body: Readonly<Record<string, unknown>>,
  ): number[] {
    if (body.all_events === true || body.all_events === 'true') {
      if (known.size === 0) throw invalid({ events: ['There is no event whose orders you may see.'] })
      return [...known.values()]
    }
    const { events } = body
    if (!Array.isArray(events)) throw invalid({ events: ['This field is required.'] })
    if (events.length === 0) throw invalid({ events: ['This list may not be empty.'] })
    return [
      ...new Set(
        events.map((slug: unknown) => {
          const id = known.get(String(slug))
          if (id === undefined)
            throw invalid({ events: [`Object with slug=${String(slug).slice(0, 100)} does not exist.`] })
          return id
        }),
      ),
    ]
  }

  const reachOf = (level: Level, { place, event }: Scope, events: readonly number[]): Reach => ({
    level,
    organizer: place.organizer,
    events,
    event,
  })

  function exporterIn(ctx: Context, level: Level): { exporter: Exporter; callers: readonly Actor[] } {
    const exporter = exporterOf(level, String(ctx.params.exporter))
    const callers = exporter && callersOf(ctx.state.scope, exporter)
    if (!exporter || !callers) throw notFound()
    return { exporter, callers }
  }

  async function start(ctx: Context, level: Level): Promise<void> {
    const scope: Scope = ctx.state.scope
    const { actor, organizer, place, event } = scope
    const { exporter, callers } = exporterIn(ctx, level)
    // Nobody would carry it out: wishes are passed up, unless this server is just being let in there.
    if (api.transactions.site > 0)
      throw new Refusal(
        503,
        { detail: 'Exports are made by the server above, which cannot be asked at the moment.' },
        { 'Retry-After': '10' },
      )
    const sent = bodyOf(ctx)
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
      throw invalid({ non_field_errors: ['Invalid data. Expected an object.'] })
    const body = sent as Readonly<Record<string, unknown>>
    const events = event
      ? [event.id]
      : exporter.withoutEvents
        ? []
        : wishedEvents(await eventsOf(scope, callers), body)
    const wishes = await readWishes(database, exporter, reachOf(level, scope, events), body)
    const task: ExportTask = {
      exporter: exporter.identifier,
      level,
      organizer,
      events,
      wishes,
      permissions: permissions.filter((one) => callers.every((caller) => may(caller, one))),
      origin: originOf(ctx),
      now: instant(),
    }
    const run = {
      organizer: organizer.id,
      id: env.uuid(),
      file: env.uuid(),
      event: place.event,
      exporter: exporter.identifier,
      task: JSON.stringify(task),
      credential: credentialOf(actor),
    }
    await api.transactions.write(async (tx) => {
      await addExport(tx, run)
      tx.audit(place, actor, {
        action: `ticketsvc.${level}.exporter.run`,
        resource: 'export_run',
        row: 0,
        data: { exporter: exporter.identifier, events, wishes },
      })
    })
    exports?.look()
    ctx.status = 202
    ctx.body = {
      download: `${originOf(ctx)}${ctx.path.replace(/run\/?$/, '')}download/${run.id}/${run.file}/`,
    }
  }

  async function download(ctx: Context, level: Level): Promise<void> {
    const { actor, organizer, place }: Scope = ctx.state.scope
    const { exporter } = exporterIn(ctx, level)
    const { task, file } = ctx.params
    const run = await exportById(
      database,
      { organizer: organizer.id, id: String(task), file: String(file) },
      instant(),
    )
    const isTheirs =
      run?.event === place.event &&
      run.exporter === exporter.identifier &&
      run.credential === credentialOf(actor)
    if (!run || !isTheirs) throw notFound('There is no such export, or not any more.')
    switch (run.state) {
      case 'waiting':
      case 'running':
        throw new Refusal(409, { status: run.state, percentage: run.percentage }, { 'Retry-After': '1' })
      case 'failed':
        throw new Refusal(410, { status: 'failed', message: run.message ?? 'Internal error.' })
      case 'finished':
        await send(ctx, run)
    }
  }

  async function send(ctx: Context, run: ExportRow): Promise<void> {
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

  const org = '/api/v1/organizers/:organizer'
  for (const [level, base] of [
    ['event', `${org}/events/:event/exporters/`],
    ['organizer', `${org}/exporters/`],
  ] as const) {
    const admit = api.admit(level, level === 'event' ? 'can_view_orders' : null)

    router.get(base, admit, (ctx) => {
      const scope: Scope = ctx.state.scope
      if (pageOf(ctx.query).number > 1) throw notFound('Invalid page.')
      const shown = exportersOf(level).filter((one) => callersOf(scope, one) !== null)
      ctx.body = {
        count: shown.length,
        next: null,
        previous: null,
        results: shown.map((one) => shownExporter(one, reachOf(level, scope, []))),
      }
    })
    router.get(`${base}:exporter/`, admit, (ctx) => {
      ctx.body = shownExporter(exporterIn(ctx, level).exporter, reachOf(level, ctx.state.scope, []))
    })
    router.post(`${base}:exporter/run/`, admit, (ctx) => start(ctx, level))
    router.get(`${base}:exporter/download/:task/:file/`, admit, (ctx) => download(ctx, level))

    for (const path of ['', ':exporter/', ':exporter/run/', ':exporter/download/:task/:file/'])
      router.all(`${base}${path}`, api.admit(level, null), (ctx) => refuseMethod(ctx))
  }
}
