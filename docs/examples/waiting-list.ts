// Sells something out, lets somebody wait, and serves them: node waiting-list.ts ADDRESS TOKEN
import { ask, eventPath, type Numbered, type Page } from './api.ts'

const event = await eventPath()

// Usually the server serves the list by itself as soon as there is room. Here we say who is next.
await ask('PATCH', `${event}/settings/`, { waiting_list_auto: false, waiting_list_hours: 24 })

const dinner = await ask<Numbered>('POST', `${event}/items/`, {
  name: { en: 'Dinner' },
  default_price: '30.00',
})
const kitchen = await ask<Numbered>('POST', `${event}/quotas/`, {
  name: 'Kitchen',
  size: 0,
  items: [dinner.id],
})

// Only who wants something that is sold out can wait for it.
const people = `${event}/waitinglistentries/`
for (const name of ['Ann Bell', 'Ben Cole'])
  await ask('POST', people, {
    name,
    email: `${name.split(' ')[0]?.toLowerCase()}@example.org`,
    item: dinner.id,
  })
const waiting = () =>
  ask<Page<Numbered & { name: string; voucher: number | null }>>(
    'GET',
    `${people}?item=${dinner.id}&has_voucher=false`,
  )
console.log(`${(await waiting()).count} people wait.`)

await ask('PATCH', `${event}/quotas/${kitchen.id}/`, { size: 1 })
const [next] = (await waiting()).results
if (!next) throw new Error('Nobody waits any more.')
await ask('POST', `${people}${next.id}/send_voucher/`)
const { voucher } = await ask<{ voucher: number }>('GET', `${people}${next.id}/`)
const { code } = await ask<{ code: string }>('GET', `${event}/vouchers/${voucher}/`)
console.log(`A place is kept for ${next.name} by a voucher, ${(await waiting()).count} still waits.`)

// The place is for whoever has the voucher, and for nobody else.
const order = await ask<{ total: string }>('POST', `${event}/orders/`, {
  email: 'ann@example.org',
  positions: [{ item: dinner.id, voucher: code }],
})
console.log(`It was sold with that voucher for ${order.total}.`)
