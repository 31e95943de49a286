import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import sql from 'sql-template-tag'
import {
  stationScanBody,
  stationScannersBody,
  stationSettingsBody,
  stationUndoBody,
} from '../../schema/bodies/station.ts'
import type { Env } from '../env.ts'
import { invalid, Refusal, unauthenticated } from '../errors.ts'
import { isStation, stationCookie } from '../http/authenticate.ts'
import type { Live } from '../http/live.ts'
import type { Log } from '../log.ts'
import type { RowData } from '../resource/codec.ts'
import { bodyOf } from '../resource/endpoints.ts'
import { check } from '../resource/input.ts'
import { refuseMethod } from '../resource/routes.ts'
import type { Change, Transactions } from '../resource/transactions.ts'
import { instantIn } from '../routes/checkin/scan-body.ts'
import { annul } from '../services/checkin/annul.ts'
import { checkinCount, insideCount, positionCount } from '../services/checkin/checkin-counts.ts'
import { type ListAt, listsById } from '../services/checkin/checkin-lists.ts'
import { actorOf, saveStation, stationSettings } from '../services/devices/station-settings.ts'
import { eventById } from '../services/events/events.ts'
import type { Sync } from '../sync/node/sync.ts'
import { version } from '../version.ts'
import { watchContradictions } from './alerts.ts'
import { serveStationConflicts } from './conflict-routes.ts'
import { serveStationDemo } from './demo-routes.ts'
import { createIntake, type StationScan } from './intake.ts'
import { serveStationQueue } from './queue-routes.ts'
import { stationChoices } from './setup-choices.ts'
import { serveStationSync } from './sync-routes.ts'
import { upstreamLink } from './upstream-link.ts'

/** What a station's own routes need. */
export interface StationParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly live: Live
  readonly stationKey: string
  /** Where files of this machine are kept, or null where the data is not in a folder. */
  readonly folder: string | null
  /** What this station has to do with the server above it. */
  readonly sync?: Sync
  /** What the shell has told of, by name, which outlives a copy of the data. */
  readonly kept?: Map<string, unknown>
}

/** How often counts are sent at most. */
const countsEvery = 1000

/** Serves a station's own screens, scanners and shell. */
export function serveStation(router: Router, parts: StationParts): void {
  const { transactions, env, live, stationKey, kept = new Map<string, unknown>() } = parts
  const { database } = transactions
  const base = '/api/v1/station/'
  const alerts = watchContradictions(transactions, live)
  const intake = createIntake(transactions, env, { upstream: upstreamLink(parts.sync, env), alerts })
  let knownPositions: { list: number; count: number } | null = null
  let countsDue = false

  const own: Middleware = (ctx, next) => {
    if (!isStation(ctx, stationKey))
      throw unauthenticated(
        'Only the screens of this station itself may do this. Open the address that it printed.',
      )
    return next()
  }

  async function counts(): Promise<RowData | null> {
    const settings = await stationSettings(database)
    const [list] = settings ? await listsById(database, settings.organizer, [settings.list]) : []
    if (!settings || !list) return null
    const { facts } = list
    if (knownPositions?.list !== facts.id)
      knownPositions = { list: facts.id, count: await positionCount(database, settings.organizer, facts) }
    return {
      checkin_count: await checkinCount(database, settings.organizer, facts),
      position_count: knownPositions.count,
      inside_count: await insideCount(database, settings.organizer, facts),
    }
  }

  async function state(): Promise<RowData> {
    const settings = await stationSettings(database)
    const [list] = settings ? await listsById(database, settings.organizer, [settings.list]) : []
    return {
      ready: list !== undefined,
      version,
      settings: settings && list ? await settingsShown(list) : null,
      counts: await counts(),
      scanners: kept.get('scanners') ?? [],
    }
  }

  async function settingsShown(list: ListAt): Promise<RowData | null> {
    const settings = await stationSettings(database)
    if (!settings) return null
    const names = await database.get<{ organizer: string; event_name: string; gate_name: string | null }>(
      sql`SELECT organizer.slug AS organizer, event.name AS event_name, gate.name AS gate_name FROM event
          JOIN organizer ON organizer.id = event.organizer
          LEFT JOIN gate ON gate.organizer = event.organizer AND gate.id = ${settings.gate}
          WHERE event.organizer = ${settings.organizer} AND event.id = ${settings.event}`,
    )
    const text: Record<string, string> = JSON.parse(names?.event_name ?? '{}')
    return {
      ...settings,
      organizer: names?.organizer,
      event: list.event.slug,
      event_name:
        text[settings.locale] ?? text[list.event.locale] ?? Object.values(text)[0] ?? list.event.slug,
      list_name: list.name,
      gate_name: names?.gate_name ?? null,
      timezone: list.event.timezone,
    }
  }

  function sendCountsSoon(): void {
    if (countsDue) return
    countsDue = true
    env.after(countsEvery, () => {
      countsDue = false
      if (live.listeners > 0)
        void counts().then(
          (numbers) => numbers && live.publish('counts', numbers),
          // The next change asks again.
          () => undefined,
        )
    })
  }

  transactions.onCommit((changes: readonly Change[]) => {
    const touched = new Set(changes.map((change) => change.resource))
    if (touched.has('order') || touched.has('order_position') || touched.has('checkin_list'))
      knownPositions = null
    if (touched.has('checkin') || knownPositions === null) sendCountsSoon()
  })

  router.get(`${base}open`, (ctx) => {
    if (ctx.query.key !== stationKey)
      throw new Refusal(403, {
        detail: 'This link is from an earlier start. Open the address that the station prints now.',
      })
    ctx.cookies.set(stationCookie, stationKey, { httpOnly: true, sameSite: 'strict', overwrite: true })
    ctx.redirect('/')
  })

  router.get(base, own, async (ctx) => {
    ctx.body = await state()
  })

  router.get(`${base}choices/`, own, async (ctx) => {
    ctx.body = { organizers: await stationChoices(database) }
  })

  router.put(`${base}settings/`, own, async (ctx) => {
    const body = bodyOf(ctx) as RowData
    check(stationSettingsBody, body)
    await transactions.write(async (tx) => {
      const organizer = await tx.get<{ id: number }>(
        sql`SELECT id FROM organizer WHERE slug = ${String(body.organizer)}`,
      )
      if (!organizer) throw invalid({ organizer: ['This organizer does not exist on this machine.'] })
      const [list] = await listsById(tx, organizer.id, [Number(body.list)])
      const event = list && (await eventById(tx, organizer.id, list.facts.event))
      if (!list || event?.slug !== body.event)
        throw invalid({ list: ['This check-in list is not one of the event.'] })
      const gate = typeof body.gate === 'number' ? body.gate : null
      const known =
        gate === null ||
        (await tx.get(sql`SELECT id FROM gate WHERE organizer = ${organizer.id} AND id = ${gate}`))
      if (!known) throw invalid({ gate: ['This gate does not exist any more. Choose another one.'] })
      const before = await stationSettings(tx)
      await saveStation(tx, {
        organizer: organizer.id,
        event: list.facts.event,
        list: list.facts.id,
        direction: body.direction === 'exit' ? 'exit' : 'entry',
        gate,
        name: String(body.name ?? '').trim() || (before?.name ?? 'Entrance'),
        locale: String(body.locale ?? before?.locale ?? 'en'),
        sound: (body.sound as boolean | undefined) ?? before?.sound ?? true,
        camera: (body.camera as boolean | undefined) ?? before?.camera ?? false,
      })
    })
    knownPositions = null
    ctx.body = await state()
    live.publish('settings', ctx.body)
  })

  router.post(`${base}scan/`, own, async (ctx) => {
    const scan = readStationScan(ctx)
    // Before the first start is done nothing is a ticket; the page may be waiting for a pairing code.
    if (scan.source === 'hid' && !(await stationSettings(database)))
      live.publish('unjudged', { code: scan.code })
    const result = await intake.redeem(scan)
    ctx.body = result
    if (scan.source === 'hid') live.publish('result', result)
  })

  router.post(`${base}undo/`, own, async (ctx) => {
    check(stationUndoBody, bodyOf(ctx))
    const { nonce } = bodyOf(ctx) as { nonce: string }
    const settings = await stationSettings(database)
    const [list] = settings ? await listsById(database, settings.organizer, [settings.list]) : []
    if (!settings || !list) throw new Refusal(409, { detail: 'This station is not set up.' })
    const actor = actorOf(settings)
    const explanation = 'undone at the station'
    // The screen asks again where it has not heard the answer; what was undone before is undone as well.
    await transactions.write((tx) =>
      annul(tx, { actor, organizer: settings.organizer, lists: [list], nonce, at: null, explanation }),
    )
    intake.forget(nonce)
    ctx.body = { status: 'ok' }
  })

  router.put(`${base}scanners/`, own, (ctx) => {
    check(stationScannersBody, bodyOf(ctx))
    kept.set('scanners', bodyOf(ctx))
    live.publish('scanners', bodyOf(ctx))
    ctx.status = 204
  })

  router.get(`${base}live`, own, (ctx) => live.open(ctx))

  serveStationDemo(router, `${base}demo/`, own, parts)
  if (parts.sync) serveStationSync(router, base, own, { sync: parts.sync, live })
  serveStationQueue(router, `${base}queue/`, own, parts)
  serveStationConflicts(router, `${base}conflicts/`, own, transactions)
  // Another copy of the data was put in place: what the screens show may not be there any more.
  if (live.listeners > 0)
    void state().then(
      (now) => live.publish('settings', now),
      () => undefined,
    )

  for (const path of ['', 'choices/', 'settings/', 'scan/', 'undo/', 'scanners/', 'live'])
    router.all(base + path, own, (ctx) => refuseMethod(ctx))
}

function readStationScan(ctx: Context): StationScan {
  const body = bodyOf(ctx) as RowData
  check(stationScanBody, body)
  return {
    code: String(body.code),
    source: body.source as StationScan['source'],
    type: (body.type as 'entry' | 'exit' | undefined) ?? null,
    answers: (body.answers as Record<string, unknown> | null | undefined) ?? null,
    ignore_unpaid: body.ignore_unpaid === true,
    force: body.force === true,
    nonce: (body.nonce as string | null | undefined) || null,
    at: instantIn(body, 'datetime'),
  }
}
