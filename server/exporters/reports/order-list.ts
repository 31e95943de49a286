import type { Exporter } from '../format/exporter.ts'
import { feeSheet } from './order-list-fees.ts'
import { orderSheet } from './order-list-orders.ts'
import { positionSheet } from './order-list-positions.ts'

/** Orders, their positions and their fees, each a table. */
export const orderList: Exporter = {
  identifier: 'orderlist',
  name: 'Orders',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: [
    { name: 'paid_only', kind: 'flag' },
    { name: 'include_payment_amounts', kind: 'flag' },
    { name: 'group_multiple_choice', kind: 'flag' },
    { name: 'date_from', kind: 'day' },
    { name: 'date_to', kind: 'day' },
    { name: 'event_date_from', kind: 'day', dates: true },
    { name: 'event_date_to', kind: 'day', dates: true },
  ],
  output: {
    kind: 'tables',
    sheets: [
      { name: 'orders', open: orderSheet },
      { name: 'positions', open: positionSheet },
      { name: 'fees', open: feeSheet },
    ],
  },
}
