// Keeps two tickets for somebody while they make up their mind, then sells them: node sell-through-a-cart.ts ADDRESS TOKEN
import { ask, eventPath, type Numbered, type Page, productNamed } from './api.ts'

const event = await eventPath()
const entry = await productNamed(event, 'Entry')

const { results: quotas } = await ask<Page<Numbered & { items: readonly number[] }>>(
  'GET',
  `${event}/quotas/`,
)
const quota = quotas.find(({ items }) => items.includes(entry.id))
const left = async () =>
  (await ask<{ available_number: number }>('GET', `${event}/quotas/${quota?.id}/availability/`))
    .available_number
console.log(`${await left()} places are left.`)

// One call for both: positions without a cart_id get the same new one. Each of them succeeds or fails by itself.
const ticket = (attendee_name: string) => ({ item: entry.id, price: '23.00', attendee_name })
const { results: lines } = await ask<{
  results: readonly { success: boolean; errors: unknown; data: { cart_id: string } | null }[]
}>('POST', `${event}/cartpositions/bulk_create/`, [ticket('Ann Bell'), ticket('Ben Cole')])
const failed = lines.find(({ success }) => !success)
if (failed) throw new Error(`Not everything could be kept: ${JSON.stringify(failed.errors)}`)
console.log(`${await left()} are left while two are in a cart.`)

// The order takes over what the cart holds, also when nothing else is left.
const order = await ask<{
  code: string
  status: string
  total: string
  positions: readonly { attendee_name: string; secret: string }[]
}>('POST', `${event}/orders/`, {
  status: 'p',
  payment_provider: 'boxoffice',
  email: 'ann@example.org',
  consume_carts: [lines[0]?.data?.cart_id],
  positions: [ticket('Ann Bell'), ticket('Ben Cole')],
})
console.log(`Sold for ${order.total}, ${order.status === 'p' ? 'paid' : 'not paid'}.`)
for (const { attendee_name, secret } of order.positions)
  console.log(`${attendee_name} has a ticket with a code of ${secret.length} letters.`)
console.log(`${await left()} are left.`)
