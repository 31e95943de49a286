import { seat } from '../../../schema/resources/catalogue/seat.ts'
import { seatingPlan } from '../../../schema/resources/catalogue/seating-plan.ts'
import { event } from '../../../schema/resources/events/event.ts'
import { updateRow } from '../../../server/resource/store.ts'
import type { TestServer } from '../servers/servers.ts'
import { addRow } from './orders.ts'

/** Has an event sell a product by its seats; the ids of the seats. */
export function sellBySeat(server: TestServer, product: number, guids: readonly string[]): Promise<number[]> {
  const place = { organizer: server.organizer, event: server.event }
  return server.running.transactions.write(async (tx) => {
    const top = { organizer: server.organizer, event: 0 }
    const plan = await addRow(tx, seatingPlan, top, { name: 'Hall', layout: {} })
    await updateRow(tx, event, top, {
      id: server.event,
      seating_plan: plan,
      seat_category_mapping: { Stalls: product },
    })
    const ids: number[] = []
    for (const [rank, guid] of guids.entries())
      ids.push(
        await addRow(tx, seat, place, {
          seat_guid: guid,
          seat_number: guid,
          product,
          rank,
          category: 'Stalls',
        }),
      )
    return ids
  })
}
