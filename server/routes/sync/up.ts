import type { Context } from 'koa'
import sql from 'sql-template-tag'
import type { Where } from '../../../schema/actions/action.ts'
import {
  syncImport,
  syncKnown,
  syncPush,
  syncQuarantine,
  syncQuarantineApply,
} from '../../../schema/actions/sync-up.ts'
import { pushBody } from '../../../schema/bodies/sync.ts'
import { pushLimit } from '../../../schema/body-limits.ts'
import {
  factsPerPush,
  type Known,
  oldestProtocol,
  type Push,
  type PushAnswer,
  protocol,
  syncHeader,
} from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import { denied, impossible, Refusal, unauthenticated } from '../../errors.ts'
import { checkWeight } from '../../http/body.ts'
import type { Log } from '../../log.ts'
import { type ApiRouter, admitting, guard, serveRaw, serveRead, wantedOf } from '../../resource/endpoints.ts'
import { check } from '../../resource/input.ts'
import type { Query } from '../../resource/query.ts'
import { newestReported } from '../../services/devices/reported-facts.ts'
import { requireHere } from '../../services/events/events.ts'
import { importTransfer } from '../../sync/node/import-transfer.ts'
import { decideQuarantine } from '../../sync/receive/decide-quarantine.ts'
import { unknownOf } from '../../sync/receive/known-facts.ts'
import { type QuarantineState, quarantined } from '../../sync/receive/quarantine.ts'
import { receiveFacts } from '../../sync/receive/receive.ts'
import type { Sender } from '../../sync/receive/receive-rights.ts'
import { deviceByToken, devicesById } from '../../sync/receive/senders.ts'
import { marking } from './access.ts'

/** A push with a fact that has too many levels is read, so that the fact is refused by itself. */
const pushLevels = 1000

/** Serves the reports of what happened elsewhere, and what users decide about it. */
export function serveSyncUp(router: ApiRouter, { env, log }: { env: Env; log: Log }): void {
  const { transactions, bodies } = router.api
  const { database } = transactions
  const parts = { transactions, env, log }
  const marked = marking(router)
  const senders = admitting<Record<Where, { readonly sender: Sender }>>(router, async (ctx, where) => {
    ctx.set(syncHeader, String(protocol))
    return { sender: await senderOf(router, ctx, where) }
  })

  serveRaw(senders, syncPush, async ({ sender }, ctx) => {
    const push = readPush(await bodies.unpacked(ctx, wantedOf(senders, syncPush)))
    const results = await receiveFacts(parts, sender, { clock: push, live: true, facts: push.facts })
    return { protocol, results } satisfies PushAnswer
  })

  // A revoked device asks before it forgets.
  guard(marked, syncKnown)
  serveRaw(senders, syncKnown, async ({ sender: { organizer }, body }) => {
    const { site, nonces } = body
    return {
      protocol,
      unknown: await unknownOf(database, organizer, nonces),
      newest: await newestReported(database, organizer, site),
    } satisfies Known
  })

  serveRaw(marked, syncImport, async ({ organizer, actor }, ctx) =>
    importTransfer(parts, organizer, actor, await bodies.unpacked(ctx, wantedOf(marked, syncImport))),
  )

  serveRead(marked, syncQuarantine, async (request, db) => {
    const { organizer, query, page } = request
    const { count, facts } = await quarantined(db, organizer.id, stateIn(query), page)
    const devices = await devicesById(db, organizer.id, [...new Set(facts.map(({ device }) => device))])
    const results = facts.map((fact) => ({
      ...fact,
      device_name: devices.get(fact.device)?.actor.name ?? null,
    }))
    return request.pageOf(count, results)
  })

  serveRaw(marked, syncQuarantineApply, ({ organizer, actor, body: { action, nonces = null } }) =>
    decideQuarantine(parts, organizer.id, actor, { action, nonces }),
  )
}

/** Who pushes. A revoked device may still report what it has not reported yet; anybody else is refused as everywhere. */
async function senderOf(router: ApiRouter, ctx: Context, where: Where): Promise<Sender> {
  const { database } = router.api.transactions
  const [scheme, token, ...rest] = ctx.get('Authorization').split(' ')
  if (scheme !== 'Device' || !token || rest.length > 0) {
    await router.admit(ctx, where, null)
    throw denied('Only a device tells what has happened.')
  }
  const device = await deviceByToken(database, token)
  if (!device) throw unauthenticated('Invalid token.')
  const organizer = await database.get<{ id: number }>(
    sql`SELECT id FROM organizer WHERE slug = ${String(ctx.params.organizer)}`,
  )
  if (organizer?.id !== device.organizer) throw denied()
  await requireHere(database, organizer.id)
  return { organizer: device.organizer, device, isVouchedFor: false }
}

const states: readonly QuarantineState[] = ['waiting', 'applied', 'discarded']

/** Which state of the quarantine a request asks for. */
const stateIn = (query: Query): QuarantineState => states.find((state) => state === query.state) ?? 'waiting'

function readPush(bytes: Uint8Array): Push {
  checkWeight(bytes, pushLimit, pushLevels)
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
