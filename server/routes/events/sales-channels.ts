import { operationOf, org } from '../../../schema/actions/action.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import { salesChannel } from '../../../schema/resources/events/sales-channel.ts'
import { denied, notFound } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { settled } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { type ApiRouter, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { readBody } from '../../resource/input.ts'
import { single } from '../../resource/query.ts'
import { serve, shown } from '../../resource/routes.ts'
import { insertRow, lockRow, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { mutableFields } from '../../resource/writing.ts'
import { channelsOf, isBuiltIn, salesChannelBehaviour } from '../../services/events/sales-channels.ts'

const one = `${org}/saleschannels/:id/` as const

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))

/** Channels in the order that a query asks for: by one of their words, and by identifier where that is the same. */
function ordered(rows: readonly JsonObject[], ordering: string | undefined): JsonObject[] {
  const words = (ordering ?? '').split(',').filter((word) => /^-?(identifier|position)$/.test(word))
  return rows.toSorted((a, b) => {
    for (const word of [...(words.length > 0 ? words : ['position']), 'identifier']) {
      const name = word.replace(/^-/, '')
      const difference = compare(a[name], b[name])
      if (difference !== 0) return word.startsWith('-') ? -difference : difference
    }
    return 0
  })
}

/** Serves sales channels: an organizer's own, and the built-in ones, which can be renamed but not deleted. */
export function serveSalesChannels(router: ApiRouter): void {
  const { database } = router.api.transactions

  serveRead(router, operationOf(salesChannel, 'list', `${org}/saleschannels/`), async (request, db) => {
    const rows = ordered(await channelsOf(db, request.organizer.id), single(request.query, 'ordering'))
    return request.partOf(rows.map((row) => shown(salesChannel, row)))
  })

  serveRaw(router, operationOf(salesChannel, 'retrieve', one), async ({ params, organizer }, _, next) => {
    if (!isBuiltIn(params.id)) return next()
    const rows = await channelsOf(database, organizer.id)
    return shown(salesChannel, rows.find((row) => row.identifier === params.id) ?? {})
  })

  for (const operation of ['update', 'replace'] as const)
    serveRaw(router, operationOf(salesChannel, operation, one), async (request, _, next) => {
      const { id } = request.params
      if (!isBuiltIn(id)) return next()
      const fields = mutableFields(salesChannel)
      const sent = readBody(fields, request.body, { partial: operation === 'update', locale: 'en' })
      return request.carryOut(
        (tx) => changeBuiltIn(tx, request, id, settled(fields, sent)),
        (row) => shown(salesChannel, row),
      )
    })

  serveRaw(router, operationOf(salesChannel, 'delete', one), ({ params }, _, next) => {
    if (!isBuiltIn(params.id)) return next()
    throw denied('This sales channel is a part of the program, so it cannot be deleted.')
  })
  serve(router, salesChannel, salesChannelBehaviour)
}

/** Changes how an organizer calls a built-in channel; the channel after it. */
async function changeBuiltIn(
  tx: Tx,
  { organizer, actor, place }: Scope,
  identifier: string,
  values: JsonObject,
): Promise<JsonObject> {
  const before = (await channelsOf(tx, organizer.id)).find((row) => row.identifier === identifier)
  if (!before) throw notFound()
  const next = { ...blankRow(salesChannel), ...before, ...values }
  if (JSON.stringify(next) === JSON.stringify({ ...blankRow(salesChannel), ...before })) return before
  const known = await lockRow(tx, salesChannel, place, { identifier })
  const id = known ? known.id : tx.nextId()
  if (known) await updateRow(tx, salesChannel, place, { id, ...values })
  else await insertRow(tx, salesChannel, place, { ...next, id })
  const action = 'ticketsvc.sales_channel.changed'
  tx.audit(place, actor, { action, resource: salesChannel.name, row: id, data: values })
  return { ...next, id }
}
