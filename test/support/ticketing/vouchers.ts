import { voucher } from '../../../schema/resources/carts/voucher.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { addRow, type ShopServer } from './orders.ts'

/** Adds a voucher as it may be after it was used; its id. */
export const addUsedVoucher = (server: ShopServer, values: RowData): Promise<number> =>
  server.running.transactions.write((tx) =>
    addRow(tx, voucher, { organizer: server.organizer, event: server.event }, values),
  )

/** What an answer to a voucher request looks like. */
export interface ShownVoucher extends RowData {
  readonly id: number
  readonly code: string
  readonly redeemed: number
}
