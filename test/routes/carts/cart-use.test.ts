import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`what is in a cart on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    const make = async (body: RowData): Promise<RowData & { id: number }> => {
      const made = await server.ask<RowData & { id: number }>(201, 'POST', '/items/', {
        name: 'Scarf',
        default_price: '5.00',
        ...body,
      })
      const forms = (made.variations as { id: number }[]).map(({ id }) => id)
      await server.ask(201, 'POST', '/quotas/', { name: 'Q', size: 9, items: [made.id], variations: forms })
      return made
    }
    const put = (body: RowData): Promise<{ id: number }> =>
      server.ask(201, 'POST', '/cartpositions/', { price: '5.00', ...body })

    it('is not deleted, until the cart is gone', async () => {
      const { id } = await make({})
      const cart = await put({ item: id })
      const refused = await server.ask<RowData>(403, 'DELETE', `/items/${id}/`)
      assert.deepEqual(Object.keys(refused), ['detail'])
      await server.ask(200, 'GET', `/items/${id}/`)
      await server.ask(204, 'DELETE', `/cartpositions/${cart.id}/`)
      await server.ask(204, 'DELETE', `/items/${id}/`)
    })

    it('is deleted with a cart that nobody has any more', async () => {
      const { id } = await make({})
      const cart = await put({ item: id, expires: '2020-01-01T00:00:00Z' })
      await server.ask(204, 'DELETE', `/items/${id}/`)
      await server.ask(404, 'GET', `/cartpositions/${cart.id}/`)
    })

    it('keeps its variation, but not the other one', async () => {
      const { id, variations } = await make({
        variations: [{ value: 'Red' }, { value: 'Blue' }, { value: 'Green' }],
      })
      const [red, blue] = (variations as { id: number }[]).map((form) => form.id)
      await put({ item: id, variation: red })
      await server.ask(403, 'DELETE', `/items/${id}/variations/${red}/`)
      await server.ask(204, 'DELETE', `/items/${id}/variations/${blue}/`)
    })
  })
