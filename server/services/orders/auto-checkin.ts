import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import type { Scope } from '../../resource/api.ts'
import type { RowData } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { findRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** A list that lets people in as soon as they have bought. */
export interface AutomaticList {
  readonly id: number
  readonly channels: readonly string[]
  readonly all_products: boolean
  readonly limit_products: readonly number[]
  readonly subevent: number | null
}

/** A position that was just sold. */
export interface SoldPosition {
  readonly id: number
  readonly secret: string
  readonly item: number
  readonly subevent: number | null
}

/** The lists of an event that check in what is sold through some channel. */
export async function automaticLists(db: Queryable, place: Place): Promise<AutomaticList[]> {
  const rows = await findRows(db, checkinList, place)
  return rows
    .map((row) => ({ ...row, channels: row.auto_checkin_sales_channels }) as unknown as AutomaticList)
    .filter((list) => list.channels.length > 0)
}

const holds = (list: AutomaticList, position: SoldPosition): boolean =>
  (list.all_products || list.limit_products.includes(position.item)) &&
  (list.subevent === null || list.subevent === position.subevent)

/** The entries that the sale of some positions through a channel makes. Nobody looks at rules or payments. */
export const automaticEntries = (
  tx: Tx,
  lists: readonly AutomaticList[],
  channel: string,
  positions: readonly SoldPosition[],
): RowData[] =>
  lists
    .filter((list) => list.channels.includes(channel))
    .flatMap((list) =>
      positions.filter((position) => holds(list, position)).map((position) => [list, position] as const),
    )
    .map(([list, position]) => ({
      ...blankRow(checkin),
      id: tx.nextId(),
      position: position.id,
      list: list.id,
      datetime: tx.now,
      created: tx.now,
      type: 'entry',
      auto_checked_in: true,
      ordinal: 1,
      site: tx.site,
    }))

/** Reports to the upstream what entries a sale has made; the order itself is reported first. */
export function reportEntries(
  tx: Tx,
  { actor, place }: Pick<Scope, 'actor' | 'place'>,
  entries: readonly RowData[],
  positions: readonly SoldPosition[],
): void {
  const secrets = new Map(positions.map(({ id, secret }) => [id, secret]))
  for (const row of entries) {
    const payload = { row, secret: secrets.get(Number(row.position)) ?? null }
    tx.fact(place, actor.device?.id ?? null, { kind: 'checkin', payload })
  }
}
