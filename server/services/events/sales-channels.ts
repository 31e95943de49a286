import sql, { empty, type Sql } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { tableOf } from '../../../schema/resource.ts'
import { salesChannel } from '../../../schema/resources/events/sales-channel.ts'
import { resources } from '../../../schema/resources/index.ts'
import { salesChannelIdentifiers } from '../../../schema/sales-channels.ts'
import { channelsThrough, readChannels, type SoldThrough } from '../../domain/pricing/sold-through.ts'
import { denied, type FieldErrors } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { findRows, named, storedFields } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { listHolds } from '../input/json-filters.ts'

const builtIn: ReadonlySet<string> = new Set(salesChannelIdentifiers)

const labels: Readonly<Record<(typeof salesChannelIdentifiers)[number], string>> = {
  web: 'Online shop',
  boxoffice: 'Box office',
}

/** Whether a channel is one that every organizer has. */
export const isBuiltIn = (identifier: string): boolean => builtIn.has(identifier)

/** What channels must keep to: one that something is, was or can be sold through stays. */
export const salesChannelBehaviour: Behaviour<typeof salesChannel> = {
  async beforeDelete(tx, scope, row) {
    if (isBuiltIn(row.identifier) || (await isUsed(tx, scope.organizer.id, row.identifier)))
      throw denied('This sales channel is in use, so it cannot be deleted.')
  },
}

const listFields = ['sales_channels', 'auto_checkin_sales_channels', 'limit_sales_channels'] as const

/** The condition that something is sold through a channel; `of` is the table with a point, or nothing. */
export const soldThrough = (channel: string, of: Sql = empty): Sql =>
  sql`(${of}all_sales_channels = 1 OR ${listHolds(sql`${of}sales_channels`, channel)})`

async function isUsed(tx: Tx, organizer: number, identifier: string): Promise<boolean> {
  for (const resource of resources) {
    const fields = storedFields(resource)
    // What is sold through all channels needs none of them.
    const some = 'all_sales_channels' in fields ? sql`all_sales_channels = 0` : sql`1 = 1`
    const uses = [
      ...listFields
        .filter((name) => name in fields)
        .map((name) => sql`${some} AND ${listHolds(named(name), identifier)}`),
      ...('sales_channel' in fields ? [sql`sales_channel = ${identifier}`] : []),
    ]
    for (const use of uses)
      if (
        await tx.get(
          sql`SELECT id FROM ${named(tableOf(resource))} WHERE organizer = ${organizer} AND ${use} LIMIT 1`,
        )
      )
        return true
  }
  return false
}

/** All channels of an organizer: its own, and the built-in ones, which it may have given names of its own. */
export async function channelsOf(db: Queryable, organizer: number) {
  const rows = await findRows(db, salesChannel, { organizer, event: 0 })
  const known = new Set(rows.map((row) => row.identifier))
  return [
    ...salesChannelIdentifiers
      .map((identifier, position) => ({
        identifier,
        label: { en: labels[identifier] },
        type: identifier,
        position,
      }))
      .filter(({ identifier }) => !known.has(identifier)),
    ...rows.map((row) => ({ ...row })),
  ]
}

/** The identifiers of all channels of an organizer. */
export const channelNames = async (db: Queryable, organizer: number): Promise<ReadonlySet<string>> =>
  new Set((await channelsOf(db, organizer)).map((row) => row.identifier))

/** A message about the channels that do not exist, under the field that holds them; nothing when all do. */
export async function channelErrors(
  db: Queryable,
  place: Place,
  field: string,
  channels: readonly string[],
): Promise<FieldErrors> {
  const others = channels.filter((channel) => !builtIn.has(channel))
  if (others.length === 0) return {}
  const rows = await findRows(db, salesChannel, { organizer: place.organizer, event: 0 })
  const own = new Set<unknown>(rows.map((row) => row.identifier))
  const unknown = others.filter((channel) => !own.has(channel))
  return unknown.length === 0
    ? {}
    : { [field]: unknown.map((channel) => `There is no sales channel "${channel}".`) }
}

/** A row about to be stored with the channels that its body names in either spelling, or what is wrong with them. */
export async function withSentChannels<R extends SoldThrough>(
  db: Queryable,
  place: Place,
  { next, before, body }: { readonly next: R; readonly before: R | undefined; readonly body: JsonObject },
): Promise<{ readonly row: R; readonly errors: FieldErrors }> {
  const read = readChannels(body, next, before, await channelNames(db, place.organizer))
  if ('errors' in read) return { row: next, errors: read.errors }
  const field = Object.hasOwn(body, 'limit_sales_channels') ? 'limit_sales_channels' : 'sales_channels'
  const errors = await channelErrors(db, place, field, read.channels.sales_channels)
  return { row: { ...next, ...read.channels }, errors }
}

/** Rows with the channels that they are sold through, in both spellings. */
export async function withChannels<R extends SoldThrough>(
  db: Queryable,
  organizer: number,
  rows: readonly R[],
): Promise<(R & { readonly limit_sales_channels: readonly string[] })[]> {
  const everywhere = rows.some((row) => row.all_sales_channels)
  const existing = everywhere ? await channelNames(db, organizer) : new Set<string>()
  return rows.map((row) => ({
    ...row,
    sales_channels: channelsThrough(row, existing),
    limit_sales_channels: row.all_sales_channels ? [] : row.sales_channels,
  }))
}
