// Makes an event with two products, limits how often they are sold, and opens it: node set-up-event.ts ADDRESS TOKEN
import { ask, eventPath, type Numbered, organizerPath, slug } from './api.ts'

await ask('POST', `${await organizerPath()}/events/`, {
  name: { en: 'Summer Fest', de: 'Sommerfest' },
  slug,
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  date_from: '2035-07-01T16:00:00+02:00',
  date_to: '2035-07-01T23:00:00+02:00',
})
const event = await eventPath()

const tax = await ask<Numbered>('POST', `${event}/taxrules/`, { name: { en: 'VAT' }, rate: '19.00' })
const entry = await ask<Numbered>('POST', `${event}/items/`, {
  name: { en: 'Entry', de: 'Eintritt' },
  default_price: '23.00',
  tax_rule: tax.id,
  admission: true,
})
// A variation has a price of its own, or that of its product.
const workshop = await ask<Numbered & { variations: readonly Numbered[] }>('POST', `${event}/items/`, {
  name: { en: 'Workshop' },
  default_price: '40.00',
  tax_rule: tax.id,
  variations: [{ value: { en: 'Juggling' } }, { value: { en: 'Fire' }, default_price: '55.00' }],
})

// What is in no quota is not sold, so every product needs one.
await ask('POST', `${event}/quotas/`, { name: 'Field', size: 100, items: [entry.id] })
await ask('POST', `${event}/quotas/`, {
  name: 'Tent',
  size: 12,
  items: [workshop.id],
  variations: workshop.variations.map(({ id }) => id),
})

// Whoever pays for the workshop is asked something when they come.
await ask('POST', `${event}/questions/`, {
  question: { en: 'Have you done this before?' },
  type: 'B',
  items: [workshop.id],
  ask_during_checkin: true,
})
await ask('POST', `${event}/checkinlists/`, { name: 'Main gate', all_products: true })

const { live } = await ask<{ live: boolean }>('PATCH', `${event}/`, { live: true })
console.log(live ? 'Summer Fest is open.' : 'Summer Fest is closed.')
