import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Config } from '../../../server/config.ts'
import type { Env } from '../../../server/env.ts'
import type { Log } from '../../../server/log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import type { Database } from '../../../server/storage/database.ts'
import { addItem, addList, addOrder } from '../ticketing/tickets.ts'
import type { HandEnv } from './hand-env.ts'
import { startTestServer, type TestServer } from './servers.ts'

/** An attempt as the interface shows it. */
interface ShownAttempt extends RowData {
  readonly datetime: string
  readonly notification_id: number
  readonly return_code: number
  readonly is_retry: boolean
  readonly success: boolean
  readonly error: string | null
  readonly next_attempt: string | null
  readonly response_body: string
}

/** A webhook as its creation shows it. */
interface MadeWebhook extends RowData {
  readonly id: number
  readonly secret: string
}

/** A server whose webhooks may be on the loopback interface, with tickets that can be scanned. */
export interface HookServer extends TestServer {
  readonly list: number
  /** Makes a webhook; by default it is told of check-ins at every event. */
  hook(target_url: string, values?: RowData): Promise<MadeWebhook>
  /** Sells a ticket and scans it, which is one message. */
  admit(
    secret: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly order: number; readonly code: string; readonly position: number }>
  /**
   * Waits until so many attempts of a webhook are settled; all of them, the oldest first. Where clocks move by hand only,
   * `clock` lets them go on meanwhile.
   */
  attempts(id: number, count: number, clock?: HandEnv): Promise<ShownAttempt[]>
  /** How many messages wait for a webhook. */
  waiting(id: number): Promise<number>
}

/** Starts such a server. */
export async function startHookServer(
  options: { database?: Database; env?: Env; log?: Log; config?: Pick<Config, 'webhookNetworks'> } = {},
): Promise<HookServer> {
  const { database, env, log, config = {} } = options
  const server = await startTestServer(database, null, {
    webhookNetworks: ['127.0.0.0/8'],
    ...config,
    ...(env ? { env } : {}),
    ...(log ? { log } : {}),
  })
  const place = { organizer: server.organizer, event: server.event }
  const { transactions } = server.running
  const item = await transactions.write((tx) => addItem(tx, place, 'Ticket'))
  const list = await transactions.write((tx) => addList(tx, place, 'Main'))
  const page = async (id: number): Promise<{ count: number; results: ShownAttempt[] }> => {
    const path = `${server.org}/webhooks/${id}/attempts/?ordering=id&page_size=50`
    return (await server.call('GET', path)).body as { count: number; results: ShownAttempt[] }
  }
  return {
    ...server,
    list,
    async hook(target_url, values = {}) {
      const body = { target_url, all_events: true, action_types: ['ticketsvc.event.checkin'], ...values }
      const made = await server.call('POST', `${server.org}/webhooks/`, body)
      assert.equal(made.status, 201, JSON.stringify(made.body))
      return made.body as MadeWebhook
    },
    async admit(secret, headers) {
      const sold = await transactions.write((tx) => addOrder(tx, place, [{ item, secret }]))
      const scan = await server.call(
        'POST',
        `${server.org}/checkinrpc/redeem/`,
        { secret, lists: [list] },
        headers,
      )
      assert.equal(scan.status, 201, JSON.stringify(scan.body))
      return { order: sold.id, code: sold.code, position: Number(sold.positions[0]) }
    },
    async attempts(id, count, clock) {
      while (true) {
        const found = await page(id)
        if (found.count >= count) return found.results
        clock?.pass(20)
        await turn()
      }
    },
    async waiting(id) {
      const row = await transactions.database.get<{ count: number }>(
        sql`SELECT count(*) AS count FROM webhook_delivery WHERE webhook = ${id}`,
      )
      return Number(row?.count)
    },
  }
}
