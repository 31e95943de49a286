import assert from 'node:assert/strict'
import { engines } from '../../support/engines/engines.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`the terms of new orders on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    const created = async (values: object) => {
      const body = { positions: [{ item: server.shop.ticket }], ...values }
      const answer = await server.call('POST', `${server.ev}/orders/`, body)
      return [answer.status, answer.status === 201 ? [] : Object.keys(answer.body as object)]
    }

    it('have one of the languages of their event', async () => {
      assert.deepEqual(await created({ locale: 'xx' }), [400, ['locale']])
      assert.deepEqual(await created({ locale: 'de' }), [400, ['locale']])
      await server.ask(200, 'PATCH', '/settings/', { locales: ['en', 'de'] })
      assert.deepEqual(await created({ locale: 'de' }), [201, []])
      assert.deepEqual(await created({ locale: null }), [201, []])
    })

    it('do not end before they begin', async () => {
      assert.deepEqual(await created({ expires: '2020-01-01T00:00:00Z' }), [400, ['expires']])
      assert.deepEqual(await created({ expires: '2999-01-01T00:00:00Z' }), [201, []])
    })
  })
