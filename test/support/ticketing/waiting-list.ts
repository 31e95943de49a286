import type { RowData } from '../../../server/resource/codec.ts'
import type { ShopServer } from './orders.ts'

/** An entry of the waiting list in an answer. */
export interface ShownEntry extends RowData {
  readonly id: number
  readonly voucher: number | null
}

/** A product that is sold out, with its quota. */
export interface SoldOut {
  readonly item: number
  readonly quota: number
}

/** Adds a product of which there is a number, none unless it is said. */
export async function addSoldOut(server: ShopServer, values: RowData = {}, size = 0): Promise<SoldOut> {
  const { id: item } = await server.ask<{ id: number }>(201, 'POST', '/items/', {
    name: 'Wanted',
    default_price: '5.00',
    ...values,
  })
  const quota = { name: `Wanted ${item}`, size, items: [item] }
  return { item, quota: (await server.ask<{ id: number }>(201, 'POST', '/quotas/', quota)).id }
}

/** Makes room, or takes it away. */
export const resize = (server: ShopServer, quota: number, size: number | null): Promise<RowData> =>
  server.ask(200, 'PATCH', `/quotas/${quota}/`, { size })

/** Puts somebody on the list. */
export const wait = (
  server: ShopServer,
  item: number,
  who: string,
  more: RowData = {},
): Promise<ShownEntry> =>
  server.ask(201, 'POST', '/waitinglistentries/', { email: `${who}@example.org`, item, ...more })

/** What a quota has, and what is held of it. */
export const availabilityOf = (server: ShopServer, quota: number): Promise<RowData> =>
  server.ask(200, 'GET', `/quotas/${quota}/availability/`)
