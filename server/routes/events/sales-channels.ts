import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { salesChannel } from '../../../schema/resources/events/sales-channel.ts'
import { denied, notFound } from '../../errors.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { type RowData, settled } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { addressOf, bodyOf } from '../../resource/endpoints.ts'
import { readBody } from '../../resource/input.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { single } from '../../resource/query.ts'
import { serve, shown } from '../../resource/routes.ts'
import { findRow, insertRow, updateRow } from '../../resource/store.ts'
import { mutableFields } from '../../resource/writing.ts'
import { channelsOf, isBuiltIn, salesChannelBehaviour } from '../../services/events/sales-channels.ts'

const collection = '/api/v1/organizers/:organizer/saleschannels/'
const one = `${collection}:id/`
const needs = 'can_change_organizer_settings'

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))

/** Channels in the order that a query asks for: by one of their words, and by identifier where that is the same. */
function ordered(rows: readonly RowData[], ordering: string | undefined): RowData[] {
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
export function serveSalesChannels(router: Router, api: Api): void {
  const { database } = api.transactions
  const admit = api.admit('organizer', needs)

  router.get(collection, admit, async (ctx) => {
    const { organizer }: Scope = ctx.state.scope
    const page = pageOf(ctx.query)
    const rows = ordered(await channelsOf(database, organizer.id), single(ctx.query, 'ordering'))
    const results = rows.slice(page.offset, page.offset + page.size).map((row) => shown(salesChannel, row))
    ctx.body = pageBody(addressOf(ctx), page, rows.length, results)
  })

  const whenBuiltIn =
    (answer: (ctx: Context, identifier: string) => Promise<void>): Middleware =>
    (ctx, next) => {
      const identifier = String(ctx.params.id)
      return isBuiltIn(identifier) ? answer(ctx, identifier) : next()
    }

  const change = (partial: boolean): Middleware =>
    whenBuiltIn(async (ctx, identifier) => {
      const scope: Scope = ctx.state.scope
      const fields = mutableFields(salesChannel)
      const values = settled(fields, readBody(fields, bodyOf(ctx), { partial, locale: 'en' }))
      ctx.body = shown(salesChannel, await changeBuiltIn(api, scope, identifier, values))
    })

  router.get(
    one,
    admit,
    whenBuiltIn(async (ctx, identifier) => {
      const { organizer }: Scope = ctx.state.scope
      const rows = await channelsOf(database, organizer.id)
      ctx.body = shown(salesChannel, rows.find((row) => row.identifier === identifier) ?? {})
    }),
  )
  router.patch(one, admit, change(true))
  router.put(one, admit, change(false))
  router.delete(
    one,
    admit,
    whenBuiltIn(async () => {
      throw denied('This sales channel is a part of the program, so it cannot be deleted.')
    }),
  )
  serve(router, api, salesChannel, salesChannelBehaviour)
}

/** Changes how an organizer calls a built-in channel; the channel after it. */
async function changeBuiltIn(
  api: Api,
  { organizer, actor, place }: Scope,
  identifier: string,
  values: RowData,
): Promise<RowData> {
  return api.transactions.write(async (tx) => {
    const before = (await channelsOf(tx, organizer.id)).find((row) => row.identifier === identifier)
    if (!before) throw notFound()
    const next: RowData = { ...blankRow(salesChannel), ...before, ...values }
    if (JSON.stringify(next) === JSON.stringify({ ...blankRow(salesChannel), ...before })) return before
    const known = await findRow(tx, salesChannel, place, 'identifier', identifier, tx.forUpdate)
    const id = known ? Number(known.id) : tx.nextId()
    if (known) await updateRow(tx, salesChannel, place, id, values)
    else await insertRow(tx, salesChannel, place, { ...next, id })
    const action = 'ticketsvc.sales_channel.changed'
    tx.audit(place, actor, { action, resource: salesChannel.name, row: id, data: values })
    return { ...next, id }
  })
}
