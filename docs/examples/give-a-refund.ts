// Sells a ticket, and gives the money back: node give-a-refund.ts ADDRESS TOKEN
import { ask, eventPath, type Page, productNamed } from './api.ts'

interface Money {
  readonly local_id: number
  readonly state: string
  readonly amount: string
  readonly provider: string
}

const event = await eventPath()
const entry = await productNamed(event, 'Entry')
const { code } = await ask<{ code: string }>('POST', `${event}/orders/`, {
  email: 'cleo@example.org',
  status: 'p',
  payment_provider: 'boxoffice',
  positions: [{ item: entry.id, attendee_name: 'Cleo Dorn' }],
})
const order = `${event}/orders/${code}/`
const statusOf = async () => (await ask<{ status: string }>('GET', order)).status

const { results: payments } = await ask<Page<Money>>('GET', `${order}payments/`)
const payment = payments.find(({ state }) => state === 'confirmed')
if (!payment) throw new Error('Nothing was paid yet.')
console.log(`Paid ${payment.amount} by ${payment.provider}; the order is ${await statusOf()}.`)

// Part of it first. What is missing afterwards has to be paid again, so that the order is open.
const part = await ask<Money>('POST', `${order}payments/${payment.local_id}/refund/`, {
  amount: '5.00',
  comment: 'It rained',
})
console.log(`Gave back ${part.amount}, which is ${part.state}; the order is ${await statusOf()}.`)

// Then the rest. Without an amount it would be the whole payment.
const rest = await ask<Money>('POST', `${order}payments/${payment.local_id}/refund/`, {
  amount: '18.00',
  mark_canceled: true,
})
console.log(`Gave back ${rest.amount}, which is ${rest.state}; the order is ${await statusOf()}.`)
