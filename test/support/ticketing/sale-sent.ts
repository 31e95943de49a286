import { order } from '../../../schema/resources/orders/order.ts'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { siteSpan } from '../../../schema/sites.ts'
import { amountOf, hundredths, type RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'

let counted = 0

/** What a fact of an order says: tickets at one price, as the station of a site sells them. */
export function saleSent(item: number, station: number, change: Sale = {}): RowData {
  counted += 1
  const { price = '23.00', count = 1, site = station, ...more } = change
  const id = (n: number): number => site * siteSpan + counted * 1000 + n
  const moments = {
    datetime: '2030-06-01T10:00:00.000000Z',
    expires: '2030-06-01T12:00:00.000000Z',
    last_modified: '2030-06-01T10:00:00.000000Z',
  }
  const total = amountOf(hundredths(price) * count)
  const row = {
    ...{ ...blankRow(order), ...moments, id: id(0), code: `SALE${counted}`, status: 'p', secret: 's' },
    ...{ total, ...more.order },
  }
  const positions = Array.from({ length: count }, (_, index) => ({
    ...blankRow(orderPosition),
    ...{ id: id(index + 1), order_id: row.id, positionid: index + 1, item, price },
    ...{ tax_rate: '0.00', tax_value: '0.00', secret: `ticket ${counted} ${index}` },
    ...{ pseudonymization_id: `P${counted}X${index}`, ...more.position },
  }))
  const payment = {
    ...blankRow(orderPayment),
    ...{
      id: id(900),
      order_id: row.id,
      local_id: 1,
      state: 'confirmed',
      amount: total,
      created: '2030-06-01T10:00:00.000000Z',
    },
    ...{ provider: 'manual', ...more.payment },
  }
  return { order: row, positions, fees: [], payments: [payment], leases: more.leases ?? [] }
}

/** What is different of a sale. */
export interface Sale {
  readonly price?: string
  readonly count?: number
  /** Whose ids it takes. */
  readonly site?: number
  readonly order?: RowData
  readonly position?: RowData
  readonly payment?: RowData
  readonly leases?: readonly RowData[]
}
