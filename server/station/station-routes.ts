import type { BodyOf } from '../../schema/actions/action.ts'
import {
  stationChoicesList,
  stationConflictList,
  stationLive,
  stationScan,
  stationScannersReplace,
  stationScansList,
  stationSettingsReplace,
  stationState,
  stationUndo,
} from '../../schema/actions/station.ts'
import type { ScanResult } from '../../schema/bodies/scan-result.ts'
import { type Env, instantOf } from '../env.ts'
import { Refusal } from '../errors.ts'
import { isStation, stationCookie } from '../http/authenticate.ts'
import type { Live } from '../http/live.ts'
import type { Log } from '../log.ts'
import type { Api } from '../resource/api.ts'
import { type ApiRouter, serveRaw, serveRead } from '../resource/endpoints.ts'
import type { Transactions } from '../resource/transactions.ts'
import { instantIn } from '../routes/checkin/scan-body.ts'
import { requireAtEntrance } from '../services/accounts/entrance-rights.ts'
import { annul } from '../services/checkin/annul.ts'
import { findConflicts } from '../services/checkin/conflict-view.ts'
import {
  actorOf,
  chosenEvents,
  mayEverSell,
  stationSettings,
  taskOf,
} from '../services/devices/station-settings.ts'
import type { Sync } from '../sync/node/sync.ts'
import type { Updater } from '../sync/updates/updater.ts'
import { watchContradictions } from './alerts.ts'
import { serveStationDemo } from './demo-routes.ts'
import { serveCustomerDisplays } from './display-routes.ts'
import { serveGuests, serveSamples } from './guests/guest-routes.ts'
import { createIntake, type Intake, type StationScan } from './intake.ts'
import { serveKiosk } from './kiosk/kiosk-routes.ts'
import { serveStationPaying } from './paying/paying-routes.ts'
import { serveStationPrinting } from './printing/printing-routes.ts'
import { serveStationQueue } from './queue-routes.ts'
import { recentScans } from './recent-scans.ts'
import { serveStationSale } from './sale-routes.ts'
import { requireToMove, setUp } from './set-up.ts'
import { stationChoices } from './setup-choices.ts'
import { admittingStation, type StationRouter } from './station-router.ts'
import { createStationState, listsOfStation, type ShellState } from './station-state.ts'
import { serveStationStatistics } from './statistics-routes.ts'
import { serveStationSync } from './sync-routes.ts'
import { serveStationUpdates } from './update-routes.ts'
import { upstreamLink } from './upstream-link.ts'

/** What a station's own routes need. */
interface StationParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly live: Live
  readonly stationKey: string
  /** Where files of this machine are kept, or null where the data is not in a folder. */
  readonly folder: string | null
  /** What this station has to do with its upstream server. */
  readonly sync?: Sync
  /** What the shell has announced, by name, which outlives a copy of the data. */
  readonly shellState?: ShellState
  /** Has this station updated; null or missing where somebody else does that. */
  readonly updater?: Updater | null
  /** See Api. */
  readonly receiptSettled?: Api['receiptSettled']
  /** Aborted when this copy of the data is about to be closed. */
  readonly stopping?: AbortSignal
}

/** Serves a station's own screens, scanners and shell. */
export function serveStation(router: ApiRouter, parts: StationParts): void {
  const { transactions, live, stationKey } = parts
  const { database } = transactions
  const shellState: ShellState = parts.shellState ?? new Map()
  const state = createStationState({ ...parts, shellState })
  const own = admittingStation(router, stationKey)

  router.koa.post('/api/v1/station/open', (ctx) => {
    if (!isStation(ctx, stationKey))
      throw new Refusal(403, {
        detail: 'This link is from an earlier start. Open the address that the station prints now.',
      })
    ctx.cookies.set(stationCookie, stationKey, { httpOnly: true, sameSite: 'strict', overwrite: true })
    ctx.status = 204
  })

  serveRead(own, stationState, () => state.show())
  serveRead(own, stationChoicesList, async () => ({
    organizers: await stationChoices(database),
    sells: await mayEverSell(database),
  }))

  const printing = serveStationPrinting(own, parts)

  serveRaw(own, stationSettingsReplace, async ({ body }, ctx) => {
    await transactions.write(async (tx) => {
      await requireToMove(tx, body, ctx.get('X-Step-Up'))
      await setUp(tx, body)
    })
    state.forget()
    await printing.prepare()
    const now = await state.show()
    live.publish('settings', now)
    return now
  })

  serveKiosk(own, { ...parts, printing, intake: serveScans(own, parts) })

  serveRaw(own, stationScannersReplace, ({ body }, ctx) => {
    shellState.set('scanners', body)
    live.publish('scanners', body)
    ctx.status = 204
  })

  serveRaw(own, stationLive, async (_, ctx) => live.open(ctx))

  serveStationDemo(own, parts)
  if (parts.sync) serveStationSync(own, { sync: parts.sync, live, transactions })
  serveStationUpdates(own, { updater: parts.updater ?? null, live, transactions })
  serveStationQueue(own, parts)
  serveStationStatistics(own)
  serveGuests(own, parts)
  serveSamples(own, parts)
  serveStationSale(own, parts)
  serveStationPaying(own, parts)
  serveCustomerDisplays(router, parts)
  serveStationConflicts(own)
  // Another copy of the data was put in place: what the screens show may not be there any more.
  if (live.listeners > 0)
    void state.show().then(
      (now) => live.publish('settings', now),
      () => undefined,
    )
}

/** Serves the judging of what scanners read, and undoing it, with the intake given. */
function serveScans(own: StationRouter, { transactions, env, live, sync }: StationParts): Intake {
  const { database } = transactions
  const alerts = watchContradictions(transactions, live)
  const intake = createIntake(transactions, env, { upstream: upstreamLink(sync, env), alerts })

  serveRaw(own, stationScan, async ({ body }, ctx) => {
    const scan = readStationScan(body)
    const settings = await stationSettings(database)
    if (settings && (scan.force || scan.ignore_unpaid))
      await transactions.write(
        (tx) => requireAtEntrance(tx, { actor: actorOf(settings) }, 'override', ctx.get('X-Step-Up')),
        { isUrgent: true },
      )
    // Before the first start is done nothing is a ticket; the page may be waiting for a pairing code.
    if (scan.source === 'hid' && !settings) live.publish('unjudged', { code: scan.code })
    // What is scanned at a till is looked up by its screen: nobody is admitted by it.
    if (settings && taskOf(settings) === 'kiosk') throw toKiosk(live, scan)
    if (scan.source === 'hid' && settings && taskOf(settings) === 'box-office') {
      live.publish('unjudged', { code: scan.code })
      throw new Refusal(409, { detail: 'This station sells at the moment. Its screen looks the code up.' })
    }
    const result = await intake.redeem(scan)
    if (scan.source === 'hid') live.publish('result', result)
    return result
  })

  serveRead(own, stationScansList, async () => ({
    results: await shownScans(transactions, instantOf(env.now())),
  }))

  serveRaw(own, stationUndo, async ({ body: { nonce } }, ctx) => {
    const settings = await stationSettings(database)
    const lists = await listsOfStation(database)
    if (!settings || lists.length === 0) throw new Refusal(409, { detail: 'This station is not set up.' })
    const actor = actorOf(settings)
    const explanation = 'undone at the station'
    // The screen asks again where it has not heard the answer; what was undone before is undone as well.
    await transactions.write(
      async (tx) => {
        await requireAtEntrance(tx, { actor }, 'override', ctx.get('X-Step-Up'))
        await annul(tx, { actor, organizer: settings.organizer, lists, nonce, at: null, explanation })
      },
      { isUrgent: true },
    )
    intake.forget(nonce)
    return { status: 'ok' }
  })
  return intake
}

/** What is scanned at a kiosk is for its screen, which shows guests less than an entrance shows. */
function toKiosk(live: Live, { source, code }: StationScan): Refusal {
  if (source === 'hid') live.publish('unjudged', { code })
  return new Refusal(409, { detail: 'This station is a kiosk. Its screen checks guests in.' })
}

/** The last scans; at a kiosk, whose screen stands before guests, none. */
async function shownScans(transactions: Transactions, now: string): Promise<readonly ScanResult[]> {
  const settings = await stationSettings(transactions.database)
  return settings && taskOf(settings) === 'kiosk' ? [] : recentScans(transactions, now)
}

const readStationScan = (body: BodyOf<typeof stationScan>): StationScan => ({
  code: body.code,
  source: body.source,
  type: body.type ?? null,
  answers: body.answers ? { ...body.answers } : null,
  ignore_unpaid: body.ignore_unpaid === true,
  force: body.force === true,
  position: body.position ?? null,
  nonce: body.nonce || null,
  at: instantIn(body),
})

/**
 * Serves the contradictions of the events that a station is set up for to its own screens, whatever the security profile
 * of its device lets it ask for elsewhere. They are settled where all of an organizer's are.
 */
function serveStationConflicts(router: StationRouter): void {
  serveRead(router, stationConflictList, async (request, db) => {
    const { page, query } = request
    const settings = await stationSettings(db)
    if (!settings) return request.pageOf(0, [])
    const here = { ...actorOf(settings), allEvents: false, events: new Set(await chosenEvents(db, settings)) }
    const { count, rows } = await findConflicts(db, here, settings.organizer, { query, page })
    return request.pageOf(count, rows)
  })
}
