import assert from 'node:assert/strict'
import type { ParkedBaskets } from '../../schema/bodies/parked-baskets.ts'
import { type Desk, openDesk } from './desk.ts'

const baskets = '/api/v1/station/baskets'
const basket = { name: 'Family Meyer', tickets: 3, lines: [{ product: 1, count: 3 }] }

describe('a basket that is parked', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
    await desk.setUp({ task: 'box-office' })
  })
  afterEach(() => desk.close())

  const park = (id: string, more: object = {}) =>
    desk.call('PUT', `${baskets}/${id}/`, { ...basket, ...more })
  const take = (id: string, till: string) => desk.call('POST', `${baskets}/${id}/take/`, { till })
  async function parked(): Promise<readonly string[]> {
    const { status, body } = await desk.call('GET', `${baskets}/`)
    assert.equal(status, 200, JSON.stringify(body))
    return (body as unknown as ParkedBaskets).results.map(({ name, tickets }) => `${name}: ${tickets}`)
  }

  it('is there once, by its name, however often it is parked', async () => {
    assert.equal((await park('basket-1')).status, 204)
    assert.equal((await park('basket-1')).status, 204)
    await park('basket-2', { name: ' Anna ', tickets: 1 })
    assert.deepEqual(await parked(), ['Family Meyer: 3', 'Anna: 1'])
  })

  it('goes to one till, which may ask again, and to no other', async () => {
    await park('basket-1')
    for (const _ of ['first', 'answer lost']) {
      const { status, body } = await take('basket-1', 'till-number-1')
      assert.equal(status, 200)
      assert.deepEqual(body, { lines: basket.lines })
    }
    assert.deepEqual(await parked(), [])
    const late = await take('basket-1', 'till-number-2')
    assert.equal(late.status, 409)
    assert.match(String(late.body.detail), /Another till/)
  })

  it('goes to one till where two ask at once', async () => {
    await park('basket-1')
    const answers = await Promise.all([take('basket-1', 'till-number-1'), take('basket-1', 'till-number-2')])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  })

  it('is gone after thirty minutes, when its seats are free again', async () => {
    await park('basket-1')
    desk.env.pass(29 * 60_000)
    assert.equal((await parked()).length, 1)
    desk.env.pass(2 * 60_000)
    assert.deepEqual(await parked(), [])
    const { status, body } = await take('basket-1', 'till-number-1')
    assert.equal(status, 404)
    assert.match(String(body.detail), /30 minutes/)
  })

  it('needs a name and something in it', async () => {
    for (const more of [{ name: '' }, { name: '  ' }, { lines: [] }, { tickets: 0 }])
      assert.equal((await park('basket-1', more)).status, 400)
    assert.deepEqual(await parked(), [])
  })
})
