import type { StoredRow } from '../../../schema/resource.ts'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { type CheckinList, checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import type { Scope } from '../../resource/api.ts'
import { blankRow } from '../../resource/defaults.ts'
import { findRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import type { PositionRow } from './position-rows.ts'

/** A list that checks people in as soon as they have bought. */
type AutomaticList = Pick<
  CheckinList,
  'id' | 'auto_checkin_sales_channels' | 'all_products' | 'limit_products' | 'subevent'
>

/** A position that was just sold. */
type SoldPosition = Pick<PositionRow, 'id' | 'secret' | 'item' | 'subevent'>

/** The row of a check-in. */
type CheckinRow = StoredRow<typeof checkin>

/** The lists of an event that check in what is sold through some channel. */
export async function automaticLists(db: Queryable, place: Place): Promise<AutomaticList[]> {
  const rows = await findRows(db, checkinList, place)
  return rows.filter((list) => list.auto_checkin_sales_channels.length > 0)
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
): CheckinRow[] =>
  lists
    .filter((list) => list.auto_checkin_sales_channels.includes(channel))
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
  entries: readonly CheckinRow[],
  positions: readonly SoldPosition[],
): void {
  const secrets = new Map(positions.map(({ id, secret }) => [id, secret]))
  for (const row of entries) {
    const payload = { row, secret: secrets.get(row.position ?? 0) ?? null }
    tx.fact(place, actor.device?.id ?? null, { kind: 'checkin', payload })
  }
}
