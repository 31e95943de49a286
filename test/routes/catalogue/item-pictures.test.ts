import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { removeOldUploads } from '../../../server/services/input/uploads.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import { assertDescribed } from '../../support/servers/described.ts'
import { addToken, allRights, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { exported } from '../../support/ticketing/exports.ts'
import { onePixel } from '../../support/ticketing/pictures.ts'

const { png, gif, jpeg } = onePixel
const pdf = Buffer.from('%PDF-1.7 and so on')

for (const engine of engines)
  describe(`pictures of items, on ${engine.name}`, () => {
    let server: TestServer
    const ask = asking(() => server)
    const items = () => `${server.ev}/items/`
    const make = (body: RowData = {}, status = 201) =>
      ask('POST', items(), status, { name: 'Ticket', default_price: '23.00', ...body })
    const change = (item: RowData, body: RowData, status = 200) =>
      ask('PATCH', `${items()}${item.id}/`, status, body)

    before(async () => {
      server = await startTestServer(await engine.open())
      await server.running.transactions.write(async (tx) => {
        await addToken(tx, server.organizer, 'other', allRights)
        await addToken(tx, server.organizer, 'reader', { all_events: true })
        await addToken(tx, server.organizer, 'outside', { ...allRights, all_events: false })
      })
    })
    after(() => server.close())

    async function uploaded(bytes: Buffer = png, type = 'image/png', token = 'all'): Promise<string> {
      const name = `x.${type.split('/')[1]}`
      const answer = await fetch(`${server.url}/api/v1/upload`, {
        method: 'POST',
        headers: {
          Authorization: `Token ${token}`,
          'Content-Type': type,
          'Content-Disposition': `attachment; filename="${name}"`,
        },
        body: new Uint8Array(bytes),
      })
      assert.equal(answer.status, 201)
      return String(((await answer.json()) as RowData).id)
    }

    const pathOf = (address: unknown): string => new URL(String(address)).pathname

    async function look(address: unknown, token = 'all') {
      const answer = await fetch(String(address), { headers: { Authorization: `Token ${token}` } })
      const { status, headers } = answer
      const bytes = Buffer.from(await answer.arrayBuffer())
      const type = headers.get('content-type')
      const body = type?.startsWith('application/json') ? JSON.parse(bytes.toString()) : bytes
      assertDescribed({ method: 'GET', path: pathOf(address), status, type, body })
      return { status, headers, bytes, body }
    }

    async function filesKept(): Promise<number> {
      const { database } = server.running.transactions
      const found = await database.get<{ count: number }>(
        sql`SELECT count(*) AS count FROM uploaded_file WHERE item IS NOT NULL`,
      )
      return Number(found?.count)
    }

    const lost = { picture: ['There is no uploaded file of this name.'] }

    it('are shown by their address, and given to be shown', async () => {
      const item = await make({ picture: await uploaded() })
      const [address, tag = ''] = String(item.picture).split('#etag=')
      assert.equal(address, `${server.url}${items()}${item.id}/picture/`)
      assert.match(tag, /^[0-9a-f-]{36}$/)
      assert.deepEqual(await ask('GET', `${items()}${item.id}/`, 200), item)
      const { status, headers, bytes } = await look(item.picture)
      assert.deepEqual([status, bytes], [200, png])
      assert.equal(headers.get('content-type'), 'image/png')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('content-disposition'), `inline; filename="GALA-${item.id}.png"`)
      assert.equal(
        headers.get('content-security-policy'),
        "default-src 'none'; frame-ancestors 'none'; sandbox",
      )
      await ask('POST', `${items()}${item.id}/picture/`, 405, {})
    })

    it('have another address once they are another file, so that apps fetch it', async () => {
      const item = await make({ picture: await uploaded() })
      const picture = await uploaded(gif, 'image/gif')
      const changed = await ask('PATCH', `${items()}${item.id}/`, 200, { picture })
      assert.notEqual(changed.picture, item.picture)
      assert.equal(pathOf(changed.picture), pathOf(item.picture))
      assert.deepEqual((await look(changed.picture)).bytes, gif)
    })

    it('are given to whoever may see the items, and to nobody else', async () => {
      const { picture } = await make({ picture: await uploaded() })
      assert.equal((await look(picture, 'reader')).status, 200)
      assert.equal((await look(picture, 'outside')).status, 403)
      assert.equal((await look(picture, 'nobody')).status, 401)
    })

    for (const [type, bytes] of [
      ['image/gif', gif],
      ['image/jpeg', jpeg],
    ] as const)
      it(`are ${type} as well`, async () => {
        const { picture } = await make({ picture: await uploaded(bytes, type) })
        const answer = await look(picture)
        assert.deepEqual([answer.headers.get('content-type'), answer.bytes], [type, bytes])
      })

    it('are refused where they are no pictures, and where there is no such file', async () => {
      const count = await filesKept()
      const paper = await uploaded(pdf, 'application/pdf')
      assert.deepEqual(await make({ picture: paper }, 400), {
        picture: ['A picture is a PNG, JPEG or GIF file.'],
      })
      const theirs = await uploaded(png, 'image/png', 'other')
      const unknown = 'file:00000000-0000-4000-8000-000000000000'
      for (const picture of [theirs, unknown, 'file:1', 'https://example.org/x.png'])
        assert.deepEqual(await make({ picture }, 400), lost, picture)
      const { picture } = await make({ picture: await uploaded() })
      assert.deepEqual(await make({ picture }, 400), lost)
      assert.equal(await filesKept(), count + 1)
    })

    it('are files that may be used again for a day, each for itself', async () => {
      const file = await uploaded()
      await make(
        { picture: file, available_from: '2030-02-01T00:00:00Z', available_until: '2030-01-01T00:00:00Z' },
        400,
      )
      const count = await filesKept()
      const item = await make({ picture: file })
      const other = await make({ picture: file })
      assert.equal((await change(item, { picture: file })).picture, item.picture)
      assert.equal(await filesKept(), count + 2)
      await change(item, { picture: null })
      assert.deepEqual((await look(other.picture)).bytes, png)
      assert.equal((await change(item, { picture: file })).picture, item.picture)
      assert.deepEqual((await look(item.picture)).bytes, png)
      const theirs = { name: 'Ticket', default_price: '1', picture: file }
      const refused = await server.call('POST', items(), theirs, { Authorization: 'Token other' })
      assert.deepEqual([refused.status, refused.body], [400, lost])
    })

    it('are given to two items that want the same file at once', async () => {
      const picture = await uploaded()
      const answers = await Promise.all(
        ['First', 'Second'].map((name) =>
          server.call('POST', items(), { name, default_price: '1', picture }),
        ),
      )
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201],
      )
      for (const { body } of answers) assert.deepEqual((await look((body as RowData).picture)).bytes, png)
    })

    it('stay when they are sent back, or not spoken of', async () => {
      const item = await make({ picture: await uploaded() })
      const { picture } = item
      const elsewhere = String(picture).replace(server.url, 'https://tickets.example.org')
      for (const body of [{ picture }, { picture: elsewhere }, { picture: 'file:keep' }, { active: false }])
        assert.equal((await change(item, body)).picture, picture, JSON.stringify(body))
      const whole = { name: 'Ticket', default_price: '23.00', picture }
      assert.equal((await ask('PUT', `${items()}${item.id}/`, 200, whole)).picture, picture)
      assert.deepEqual((await look(picture)).bytes, png)
      const other = await make()
      assert.deepEqual(await change(other, { picture }, 400), lost)
      assert.equal((await change(other, { picture: 'file:keep' })).picture, null)
    })

    it('are replaced and removed with their files', async () => {
      const item = await make({ picture: await uploaded() })
      const count = await filesKept()
      await change(item, { picture: await uploaded(gif, 'image/gif') })
      assert.deepEqual((await look(item.picture)).bytes, gif)
      assert.equal(await filesKept(), count)
      assert.equal((await change(item, { picture: null })).picture, null)
      assert.equal(await filesKept(), count - 1)
      assert.deepEqual((await look(item.picture)).body, { detail: 'Not found.' })
      const again = await change(item, { picture: await uploaded() })
      const whole = { name: 'Ticket', default_price: '23.00' }
      assert.equal((await ask('PUT', `${items()}${item.id}/`, 200, whole)).picture, null)
      assert.equal((await look(again.picture)).status, 404)
      assert.equal(await filesKept(), count - 1)
    })

    it('go with their items, and with their event', async () => {
      const item = await make({ picture: await uploaded() })
      const count = await filesKept()
      await ask('DELETE', `${items()}${item.id}/`, 204)
      assert.equal(await filesKept(), count - 1)
      assert.equal((await look(item.picture)).status, 404)
      const event = { name: 'Gone', slug: 'gone', date_from: '2031-01-01T10:00:00Z' }
      await ask('POST', `${server.org}/events/`, 201, event)
      const path = `${server.org}/events/gone/`
      const picture = await uploaded()
      await ask('POST', `${path}items/`, 201, { name: 'Ticket', default_price: '1', picture })
      assert.equal(await filesKept(), count)
      await ask('DELETE', path, 204)
      assert.equal(await filesKept(), count - 1)
    })

    it('are copied with their event, each for itself', async () => {
      const source = `${server.org}/events/source`
      const event = { name: 'Source', slug: 'source', date_from: '2031-01-01T10:00:00Z' }
      await ask('POST', `${server.org}/events/`, 201, event)
      const body = { name: 'Ticket', default_price: '1', picture: await uploaded() }
      const item = await ask('POST', `${source}/items/`, 201, body)
      await ask('POST', `${source}/items/`, 201, { name: 'Plain', default_price: '1' })
      await ask('POST', `${source}/clone/`, 201, { ...event, slug: 'twin' })
      const [twin, plain] = resultsOf(await ask('GET', `${server.org}/events/twin/items/`, 200))
      assert.equal(pathOf(twin?.picture), `${server.org}/events/twin/items/${twin?.id}/picture/`)
      assert.equal(plain?.picture, null)
      await ask('DELETE', `${source}/items/${item.id}/`, 204)
      assert.deepEqual((await look(twin?.picture)).bytes, png)
    })

    it('have their addresses where items stand for their ids', async () => {
      const item = await make({ picture: await uploaded() })
      await ask('POST', `${server.ev}/quotas/`, 201, { name: 'Q', size: null, items: [item.id] })
      const { code } = await ask('POST', `${server.ev}/orders/`, 201, { positions: [{ item: item.id }] })
      const order = await ask('GET', `${server.ev}/orders/${code}/?expand=positions.item`, 200)
      const [position] = order.positions as { item: RowData }[]
      assert.equal(position?.item.picture, item.picture)
    })

    it('have their addresses in the file of everything', async () => {
      const item = await make({ picture: await uploaded() })
      const { text } = await exported(server, `${server.ev}/exporters/json/`, {})
      const listed = (JSON.parse(text) as { items: RowData[] }).items.find(({ id }) => id === item.id)
      assert.equal(listed?.picture, item.picture)
    })

    it('are said to be upstream where only the item is here', async () => {
      const { id, picture } = await make({ picture: await uploaded() })
      const { database } = server.running.transactions
      await database.run(sql`DELETE FROM uploaded_file WHERE item = ${Number(id)}`)
      const answer = await look(picture)
      assert.deepEqual(
        [answer.status, answer.body],
        [404, { detail: 'The picture of this item is on the central server or hub only.' }],
      )
    })

    it('stay for longer than what nobody uses, which nothing can be made of after a day', async () => {
      const { transactions } = server.running
      const { picture } = await make({ picture: await uploaded() })
      const late = await uploaded()
      await transactions.database.run(
        sql`UPDATE uploaded_file SET created = ${'2020-01-01T00:00:00.000000Z'}`,
      )
      assert.deepEqual(await make({ picture: late }, 400), lost)
      assert.ok((await removeOldUploads(transactions, '2020-01-02T00:00:00.000001Z')) > 0)
      assert.deepEqual((await look(picture)).bytes, png)
    })
  })
