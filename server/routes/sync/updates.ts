import { open } from 'node:fs/promises'
import sql from 'sql-template-tag'
import { syncUpdateFile, syncUpdateReport, syncUpdates } from '../../../schema/actions/sync-down.ts'
import { notFound, Refusal } from '../../errors.ts'
import type { Metrics } from '../../http/monitoring/metrics.ts'
import { type ApiRouter, serveAction, serveRaw } from '../../resource/endpoints.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { noteUpdateReport } from '../../services/devices/device-access.ts'
import type { Queryable } from '../../storage/database.ts'
import type { ReleaseShelf } from '../../sync/updates/release-shelf.ts'
import { partSize } from '../../sync/updates/release-source.ts'
import { admittingDevices } from './access.ts'

/** Bytes that a header Range asks for: from one on, and at most so many. */
function rangeIn(header: string, size: number): { readonly from: number; readonly length: number } {
  const [, first = '0', last] = /^bytes=(\d{1,12})-(\d{1,12})?$/.exec(header) ?? []
  const from = Math.min(Number(first), size)
  const end = last === undefined ? size : Math.min(Number(last) + 1, size)
  return { from, length: Math.max(0, Math.min(partSize, end - from)) }
}

/** What updates are served from. */
interface UpdatesParts {
  readonly shelf?: ReleaseShelf | null
  readonly transactions: Pick<Transactions, 'database'>
  readonly metrics?: Pick<Metrics, 'lookUp'>
}

/** How many devices have told of an update that did not work, and of none since that does. */
async function notUpdated(db: Queryable): Promise<number> {
  const row = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM device WHERE update_failure IS NOT NULL AND revoked = 0`,
  )
  return Number(row?.count ?? 0)
}

/** Serves updates to the devices below this server, each file once it is here whole and what was signed. */
export function serveUpdates(router: ApiRouter, { shelf = null, transactions, metrics }: UpdatesParts): void {
  const devices = admittingDevices(router)
  metrics?.lookUp('stations_not_updated', () => notUpdated(transactions.database))

  serveRaw(devices, syncUpdates, async (_, ctx) => {
    const accepted = await shelf?.list()
    if (!accepted) throw notFound('This server offers no updates.')
    ctx.type = 'application/json'
    return accepted.text
  })

  serveRaw(devices, syncUpdateFile, async ({ params: { sha256 } }, ctx) => {
    const named = await shelf?.named(sha256)
    if (!shelf || !named) throw notFound('No update that this server offers has such a file.')
    const place = await shelf.files.find(named)
    if (place === null) {
      // Whoever asks again finds it, or how far it is.
      shelf.files.provide(named).catch(() => undefined)
      throw new Refusal(503, { detail: 'This server fetches the file itself.' }, { 'Retry-After': '5' })
    }
    const { from, length } = rangeIn(ctx.get('Range'), named.size)
    const file = await open(place)
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, from)
      ctx.status = 206
      ctx.type = 'application/octet-stream'
      ctx.set('Content-Range', `bytes ${from}-${Math.max(from, from + bytesRead - 1)}/${named.size}`)
      ctx.body = buffer.subarray(0, bytesRead)
      return undefined
    } finally {
      await file.close()
    }
  })

  serveAction(devices, syncUpdateReport, async ({ actor, body }, tx) => {
    await noteUpdateReport(tx, actor, body)
  })
}
