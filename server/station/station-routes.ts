import sql from 'sql-template-tag'
import type { BodyOf } from '../../schema/actions/action.ts'
import {
  stationChoicesList,
  stationConflictList,
  stationLive,
  stationScan,
  stationScannersReplace,
  stationSettingsReplace,
  stationState,
  stationUndo,
} from '../../schema/actions/station.ts'
import type { Env } from '../env.ts'
import { invalid, Refusal } from '../errors.ts'
import { isStation, stationCookie } from '../http/authenticate.ts'
import type { Live } from '../http/live.ts'
import type { Log } from '../log.ts'
import { type ApiRouter, serveRaw, serveRead } from '../resource/endpoints.ts'
import type { Transactions, Tx } from '../resource/transactions.ts'
import { instantIn } from '../routes/checkin/scan-body.ts'
import { annul } from '../services/checkin/annul.ts'
import { listsById } from '../services/checkin/checkin-lists.ts'
import { findConflicts } from '../services/checkin/conflict-view.ts'
import {
  actorOf,
  type StationSettings,
  saveStation,
  stationSettings,
  type TerminalPlace,
  taskOf,
} from '../services/devices/station-settings.ts'
import { eventById } from '../services/events/events.ts'
import type { Sync } from '../sync/node/sync.ts'
import { watchContradictions } from './alerts.ts'
import { serveStationDemo } from './demo-routes.ts'
import { createIntake, type StationScan } from './intake.ts'
import { serveStationPaying } from './paying/paying-routes.ts'
import { serveStationQueue } from './queue-routes.ts'
import { serveStationSale } from './sale-routes.ts'
import { stationChoices } from './setup-choices.ts'
import { admittingStation, type StationRouter } from './station-router.ts'
import { createStationState, listOfStation, type ShellState } from './station-state.ts'
import { serveStationSync } from './sync-routes.ts'
import { upstreamLink } from './upstream-link.ts'

/** Where card terminals listen, unless they are told otherwise. */
const zvtPort = 20_007

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
  serveRead(own, stationChoicesList, async () => ({ organizers: await stationChoices(database) }))

  serveRaw(own, stationSettingsReplace, async ({ body }) => {
    await transactions.write((tx) => setUp(tx, body))
    state.forget()
    const now = await state.show()
    live.publish('settings', now)
    return now
  })

  serveScans(own, parts)

  serveRaw(own, stationScannersReplace, ({ body }, ctx) => {
    shellState.set('scanners', body)
    live.publish('scanners', body)
    ctx.status = 204
  })

  serveRaw(own, stationLive, async (_, ctx) => live.open(ctx))

  serveStationDemo(own, parts)
  if (parts.sync) serveStationSync(own, { sync: parts.sync, live })
  serveStationQueue(own, parts)
  serveStationSale(own, parts)
  serveStationPaying(own, parts)
  serveStationConflicts(own)
  // Another copy of the data was put in place: what the screens show may not be there any more.
  if (live.listeners > 0)
    void state.show().then(
      (now) => live.publish('settings', now),
      () => undefined,
    )
}

/** Serves the judging of what scanners read, and undoing it. */
function serveScans(own: StationRouter, { transactions, env, live, sync }: StationParts): void {
  const { database } = transactions
  const alerts = watchContradictions(transactions, live)
  const intake = createIntake(transactions, env, { upstream: upstreamLink(sync, env), alerts })

  serveRaw(own, stationScan, async ({ body }) => {
    const scan = readStationScan(body)
    const settings = await stationSettings(database)
    // Before the first start is done nothing is a ticket; the page may be waiting for a pairing code.
    if (scan.source === 'hid' && !settings) live.publish('unjudged', { code: scan.code })
    // What is scanned at a till is looked up by its screen: nobody is admitted by it.
    if (scan.source === 'hid' && settings && taskOf(settings) === 'box-office') {
      live.publish('unjudged', { code: scan.code })
      throw new Refusal(409, { detail: 'This station sells at the moment. Its screen looks the code up.' })
    }
    const result = await intake.redeem(scan)
    if (scan.source === 'hid') live.publish('result', result)
    return result
  })

  serveRaw(own, stationUndo, async ({ body: { nonce } }) => {
    const settings = await stationSettings(database)
    const list = await listOfStation(database)
    if (!settings || !list) throw new Refusal(409, { detail: 'This station is not set up.' })
    const actor = actorOf(settings)
    const explanation = 'undone at the station'
    // The screen asks again where it has not heard the answer; what was undone before is undone as well.
    await transactions.write((tx) =>
      annul(tx, { actor, organizer: settings.organizer, lists: [list], nonce, at: null, explanation }),
    )
    intake.forget(nonce)
    return { status: 'ok' }
  })
}

/** Sets a station up for a list of an event that is on this machine; 400 where it is not there. */
async function setUp(tx: Tx, body: BodyOf<typeof stationSettingsReplace>): Promise<void> {
  const organizer = await tx.get<{ id: number }>(sql`SELECT id FROM organizer WHERE slug = ${body.organizer}`)
  if (!organizer) throw invalid({ organizer: ['This organizer does not exist on this machine.'] })
  const [list] = await listsById(tx, organizer.id, [body.list])
  const event = list && (await eventById(tx, organizer.id, list.facts.event))
  if (!list || event?.slug !== body.event)
    throw invalid({ list: ['This check-in list is not one of the event.'] })
  const gate = body.gate ?? null
  const known =
    gate === null ||
    (await tx.get(sql`SELECT id FROM gate WHERE organizer = ${organizer.id} AND id = ${gate}`))
  if (!known) throw invalid({ gate: ['This gate does not exist any more. Choose another one.'] })
  const before = await stationSettings(tx)
  await saveStation(tx, {
    organizer: organizer.id,
    event: list.facts.event,
    list: list.facts.id,
    direction: body.direction,
    gate,
    name: body.name?.trim() || (before?.name ?? 'Entrance'),
    locale: body.locale ?? before?.locale ?? 'en',
    sound: body.sound ?? before?.sound ?? true,
    camera: body.camera ?? before?.camera ?? false,
    task: body.task ?? before?.task ?? 'entrance',
    terminal: terminalIn(body, before),
  })
}

/** The card terminal that a station is set up with; what is not sent stays. */
function terminalIn(
  { terminal }: BodyOf<typeof stationSettingsReplace>,
  before: StationSettings | undefined,
): TerminalPlace | null {
  if (!terminal) return before?.terminal ?? null
  const { host, port = zvtPort, password } = terminal
  return host === '' ? null : { host, port, password: password ?? before?.terminal?.password ?? '000000' }
}

const readStationScan = (body: BodyOf<typeof stationScan>): StationScan => ({
  code: body.code,
  source: body.source,
  type: body.type ?? null,
  answers: body.answers ? { ...body.answers } : null,
  ignore_unpaid: body.ignore_unpaid === true,
  force: body.force === true,
  nonce: body.nonce || null,
  at: instantIn(body),
})

/**
 * Serves the contradictions of the event that a station is set up for to its own screens, whatever the security profile
 * of its device lets it ask for elsewhere. They are settled where all of an organizer's are.
 */
function serveStationConflicts(router: StationRouter): void {
  serveRead(router, stationConflictList, async (request, db) => {
    const { page, query } = request
    const settings = await stationSettings(db)
    if (!settings) return request.pageOf(0, [])
    const here = { ...actorOf(settings), allEvents: false, events: new Set([settings.event]) }
    const { count, rows } = await findConflicts(db, here, settings.organizer, { query, page })
    return request.pageOf(count, rows)
  })
}
