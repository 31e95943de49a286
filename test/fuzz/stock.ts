import assert from 'node:assert/strict'
import { smallLayout } from '../fixtures/layout.ts'
import { fixtures } from '../fixtures/resources.ts'
import { create, type World } from '../fixtures/world.ts'
import type { Recollection } from './memory.ts'
import { type Request, targets } from './requests.ts'

/** Sends a request and remembers what is answered; its status. */
type Send = (request: Request) => Promise<number>

/** Fills a world with something of everything, numbered from some number on, and remembers what there is. */
export async function stock(world: World, memory: Recollection, send: Send, first = 9000): Promise<void> {
  const { server } = world
  for (const [index, fixture] of fixtures.entries())
    for (const body of [fixture.minimal(world, first + index), fixture.full(world, first + 500 + index)])
      await send({
        method: 'POST',
        path: await fixture.collection(world),
        body: JSON.stringify(body),
        headers: {},
      })
  const post = async (path: string, body: unknown): Promise<void> => {
    const status = await send({ method: 'POST', path, body: JSON.stringify(body), headers: {} })
    assert.ok(status < 300, `${path}: ${status}`)
  }
  const plan = await create(server, `${world.org}/seatingplans/`, {
    name: 'Hall',
    layout: smallLayout(2, 3),
  })
  const seated = { seating_plan: plan.id, seat_category_mapping: { Stalls: world.items[1] } }
  await send({ method: 'PATCH', path: `${world.ev}/`, body: JSON.stringify(seated), headers: {} })
  const touring = { ...seated, seat_category_mapping: { Stalls: world.seriesItems[1] } }
  await send({
    method: 'PATCH',
    path: `${world.series}/subevents/${world.dates[0]}/`,
    body: JSON.stringify(touring),
    headers: {},
  })
  const endless = { method: 'PATCH', body: JSON.stringify({ size: null }), headers: {} }
  await send({ ...endless, path: `${world.ev}/quotas/${world.quotas[0]}/` })
  const item = world.items[0]
  const sold = { email: 'ann@example.org', payment_provider: 'manual', positions: [{ item }] }
  for (const order of [{ code: 'AAAAA', status: 'p' }, { code: 'CCCCC', status: 'n' }, { status: 'n' }, {}])
    await post(`${world.ev}/orders/`, { ...sold, ...order })
  await post(`${world.ev}/quotas/`, {
    name: 'None',
    size: 0,
    items: [world.formed],
    variations: world.forms,
  })
  await post(`${world.ev}/orders/AAAAA/payments/`, { state: 'created', amount: '5.00', provider: 'manual' })
  const list = (await create(server, `${world.ev}/checkinlists/`, { name: 'Doors' })).id
  await post(`${world.ev}/cartpositions/`, { item, price: '23.00' })
  await post(`${world.ev}/cartpositions/bulk_create/`, [{ item, price: '23.00' }])
  await post(`${world.ev}/orderpositions/`, { order: 'AAAAA', item })
  await post(`${world.ev}/orders/AAAAA/change/`, { create_positions: [{ item, price: '5.00' }] })
  await post(`${world.ev}/orders/CCCCC/extend/`, { expires: '2035-01-01' })
  await post(`${world.ev}/seats/bulk_block/`, { seat_guids: ['1-1'] })
  await post(`${world.ev}/waitinglistentries/`, {
    item: world.formed,
    variation: world.forms[0],
    email: 'ann@example.org',
  })
  for (const secret of memory.of('secret').slice(0, 2))
    await post(`${world.org}/checkinrpc/redeem/`, { secret, lists: [list], force: true })
  const linked_orderpositions = memory.of('order_position').slice(0, 1)
  await post(`${world.org}/reusablemedia/`, {
    type: 'barcode',
    identifier: `STOCK${first}`,
    linked_orderpositions,
  })
  await post(`${world.org}/reusablemedia/`, {
    type: 'nfc_uid',
    identifier: `STOCK${first + 1}`,
    customer: world.customers[0],
  })
  memory.know('layout', smallLayout(2, 3))
  memory.know('secret', 'AAAAA')
  for (const { method, path } of targets)
    if (method === 'GET' && !/\{(?!organizer|event)/.test(path))
      for (const event of path.includes('{event}') ? ['gala', 'tour'] : [''])
        await send({
          method,
          path: path.replace('{organizer}', memory.organizer).replace('{event}', event),
          body: undefined,
          headers: {},
        })
}
