import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import sql from 'sql-template-tag'
import { quarantineDecisionBody } from '../../../schema/bodies/facts.ts'
import { knownBody, pushBody } from '../../../schema/bodies/sync.ts'
import {
  factsPerPush,
  type Known,
  type KnownAsked,
  oldestProtocol,
  type Push,
  type PushAnswer,
  protocol,
  syncHeader,
} from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import { denied, impossible, Refusal, unauthenticated } from '../../errors.ts'
import { readLargeBody } from '../../http/large-body.ts'
import type { Log } from '../../log.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { addressOf, bodyOf } from '../../resource/endpoints.ts'
import { check } from '../../resource/input.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { refuseMethod } from '../../resource/routes.ts'
import { newestReported } from '../../services/devices/reported-facts.ts'
import { largestTransfer } from '../../sync/outbox/transfer-file.ts'
import { decideQuarantine, type QuarantineDecision } from '../../sync/receive/decide-quarantine.ts'
import { importTransfer } from '../../sync/receive/import-transfer.ts'
import { unknownOf } from '../../sync/receive/known-facts.ts'
import { type QuarantineState, quarantined, quarantineShown } from '../../sync/receive/quarantine.ts'
import { receiveFacts } from '../../sync/receive/receive.ts'
import type { Sender } from '../../sync/receive/receive-rights.ts'
import { deviceByToken, devicesById } from '../../sync/receive/senders.ts'

/** The largest push that is read: four mebibytes, unpacked. */
const largestPush = 4 * 1024 * 1024

/** Serves what tells this server of what happened elsewhere, and what people decide about it. */
export function serveSyncUp(router: Router, api: Api, { env, log }: { env: Env; log: Log }): void {
  const { transactions } = api
  const { database } = transactions
  const parts = { transactions, env, log }
  const base = '/api/v1/organizers/:organizer/sync/'
  const settings = api.admit('organizer', 'can_change_organizer_settings')
  const known = api.admit('organizer', null)
  const marked: Middleware = (ctx, next) => {
    ctx.set(syncHeader, String(protocol))
    return next()
  }

  /** Who pushes. A revoked device may still tell what it has not told yet; anybody else is refused as everywhere. */
  async function senderOf(ctx: Context): Promise<Sender> {
    const [scheme, token, ...rest] = ctx.get('Authorization').split(' ')
    if (scheme !== 'Device' || !token || rest.length > 0) {
      await known(ctx, async () => undefined)
      throw denied('Only a device tells what has happened.')
    }
    const device = await deviceByToken(database, token)
    if (!device) throw unauthenticated('Invalid token.')
    const organizer = await database.get<{ id: number }>(
      sql`SELECT id FROM organizer WHERE slug = ${String(ctx.params.organizer)}`,
    )
    if (organizer?.id !== device.organizer) throw denied()
    return { organizer: device.organizer, device, isVouchedFor: false }
  }

  router.post(`${base}push/`, marked, async (ctx) => {
    const sender = await senderOf(ctx)
    const push = readPush(await readLargeBody(ctx, largestPush))
    const results = await receiveFacts(parts, sender, { clock: push, live: true, facts: push.facts })
    ctx.body = { protocol, results } satisfies PushAnswer
  })

  // A revoked device asks before it forgets.
  router.post(`${base}known/`, marked, async (ctx) => {
    const { organizer } = await senderOf(ctx)
    const body = bodyOf(ctx)
    check(knownBody, body)
    const { site, nonces } = body as KnownAsked
    ctx.body = {
      protocol,
      unknown: await unknownOf(database, organizer, nonces),
      newest: await newestReported(database, organizer, site),
    } satisfies Known
  })

  router.post(`${base}import/`, marked, settings, async (ctx) => {
    const { organizer, actor }: Scope = ctx.state.scope
    ctx.body = await importTransfer(parts, organizer, actor, await readLargeBody(ctx, largestTransfer))
  })

  router.get(`${base}quarantine/`, marked, settings, async (ctx) => {
    const { organizer }: Scope = ctx.state.scope
    ctx.body = await quarantinePage(ctx, organizer.id)
  })

  router.post(`${base}quarantine/apply/`, marked, settings, async (ctx) => {
    const { organizer, actor }: Scope = ctx.state.scope
    ctx.body = await decideQuarantine(parts, organizer.id, actor, decisionIn(ctx))
  })

  async function quarantinePage(ctx: Context, organizer: number) {
    const page = pageOf(ctx.query)
    const { count, facts } = await quarantined(database, organizer, stateIn(ctx), page)
    const devices = await devicesById(database, organizer, [...new Set(facts.map(({ device }) => device))])
    const results = facts.map((fact) => ({
      ...quarantineShown(fact),
      device_name: devices.get(fact.device)?.actor.name ?? null,
    }))
    return pageBody(addressOf(ctx), page, count, results)
  }

  router.all(`${base}push/`, marked, async (ctx) => {
    await senderOf(ctx)
    refuseMethod(ctx)
  })
  for (const path of ['known/', 'import/', 'quarantine/', 'quarantine/apply/'])
    router.all(base + path, marked, known, (ctx) => refuseMethod(ctx))
}

const states: readonly QuarantineState[] = ['waiting', 'applied', 'discarded']

/** Which state of the quarantine a request asks for. */
const stateIn = (ctx: Context): QuarantineState =>
  states.find((state) => state === ctx.query.state) ?? 'waiting'

/** What a request decides about the quarantine. */
function decisionIn(ctx: Context): QuarantineDecision {
  const body = bodyOf(ctx)
  check(quarantineDecisionBody, body)
  const { action, nonces } = body as { action: 'apply' | 'discard'; nonces?: readonly string[] | null }
  return { action, nonces: nonces ?? null }
}

function readPush(bytes: Uint8Array): Push {
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw impossible('The body is not JSON.')
  }
  const { facts, protocol: version } = (body ?? {}) as { facts?: unknown; protocol?: unknown }
  if (typeof version === 'number' && (version > protocol || version < oldestProtocol))
    throw new Refusal(426, {
      detail: `This server speaks versions ${oldestProtocol} to ${protocol} of the messages.`,
    })
  if (Array.isArray(facts) && facts.length > factsPerPush)
    throw new Refusal(413, { detail: `A push holds ${factsPerPush} facts at most.` })
  check(pushBody, body)
  return body as Push
}
