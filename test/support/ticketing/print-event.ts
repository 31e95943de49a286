import sql from 'sql-template-tag'
import { layoutBackground } from '../../../schema/resources/layouts/layout-background.ts'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import type { EventFacts } from '../../../server/resource/api.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import type { Place, Transactions } from '../../../server/resource/transactions.ts'
import { eventById } from '../../../server/services/events/events.ts'
import type { PositionCells } from '../../../server/services/orders/position-rows.ts'
import { selectPositions } from '../../../server/services/orders/positions.ts'
import type { Database } from '../../../server/storage/database.ts'
import { openMemory } from '../engines/sqlite-image.ts'
import { addEvent, addOrganizer } from '../servers/servers.ts'
import { addRow } from './orders.ts'
import { addItem, addOrder } from './tickets.ts'

/** An event in a database without a server, for what is drawn of its tickets. */
export interface PrintEvent {
  readonly database: Database
  readonly transactions: Transactions
  readonly place: Place
  /** A product that everybody sells. */
  readonly item: number
  facts(): Promise<EventFacts>
  addItem(name: string, values?: RowData): Promise<number>
  add(resource: Parameters<typeof addRow>[1], values: RowData): Promise<number>
  /** Adds the PDF that a layout is printed on, as it arrives at a station. */
  addBackground(layout: number, pdf: Uint8Array): Promise<number>
  /** Sells tickets in one order; their cells. */
  sell(positions: readonly RowData[], order?: RowData): Promise<PositionCells[]>
}

/** Opens it. */
export async function openPrintEvent(): Promise<PrintEvent> {
  const database = await openMemory()
  const transactions = await openData(database, realEnv)
  const { place, item } = await transactions.write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    const own = { organizer, event: await addEvent(tx, organizer, 'gala') }
    return { place: own, item: await addItem(tx, own, 'Day ticket') }
  })
  const add: PrintEvent['add'] = (resource, values) =>
    transactions.write((tx) => addRow(tx, resource, place, values))
  return {
    ...{ database, transactions, place, item, add },
    async facts() {
      const event = await eventById(database, place.organizer, place.event)
      if (!event) throw new Error('The event is gone.')
      return event
    },
    addItem: (name, values = {}) => transactions.write((tx) => addItem(tx, place, name, values)),
    addBackground: (layout, pdf) =>
      add(layoutBackground, { layout, content: Buffer.from(pdf).toString('base64') }),
    async sell(positions, order = {}) {
      const sold = await transactions.write((tx) =>
        addOrder(
          tx,
          place,
          positions.map((one) => ({ item, secret: `secret-${tx.nextId()}`, ...one })),
          order,
        ),
      )
      return selectPositions(database, sql`p.order_id = ${sold.id}`, sql`p.positionid`)
    },
  }
}
