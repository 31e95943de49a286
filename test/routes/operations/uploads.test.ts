import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { question } from '../../../schema/resources/catalogue/question.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { removeOldUploads } from '../../../server/services/input/uploads.ts'
import { engines } from '../../support/engines/engines.ts'
import { assertDescribed } from '../../support/servers/described.ts'
import { addToken, allRights } from '../../support/servers/servers.ts'
import {
  addList,
  addRow,
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'
import { onePixel, sizedPng } from '../../support/ticketing/pictures.ts'

const { png } = onePixel
const pdf = Buffer.from('%PDF-1.7 and so on')

for (const engine of engines)
  describe(`files that are uploaded, on ${engine.name}`, () => {
    let server: ShopServer
    let photo: number
    before(async () => {
      server = await startShop(await engine.open())
      const { running, organizer, event, shop } = server
      photo = await running.transactions.write(async (tx) => {
        await addToken(tx, organizer, 'other', allRights)
        return addRow(
          tx,
          question,
          { organizer, event },
          {
            ...{ question: { en: 'Photo' }, type: 'F', items: [shop.ticket], identifier: 'photo' },
            ...{ ask_during_checkin: true, required: true },
          },
        )
      })
    })
    after(() => server.close())

    async function upload(bytes: Uint8Array, type: string, disposition: string, token = 'all') {
      const answer = await fetch(`${server.url}/api/v1/upload`, {
        method: 'POST',
        headers: {
          Authorization: `Token ${token}`,
          'Content-Type': type,
          'Content-Disposition': disposition,
        },
        body: new Uint8Array(bytes),
      })
      const body = await answer.json()
      const { status, headers } = answer
      assertDescribed({
        method: 'POST',
        path: '/api/v1/upload',
        status,
        type: headers.get('content-type'),
        body,
      })
      return { status, body }
    }
    const uploaded = async (
      bytes: Uint8Array = png,
      name = 'me.png',
      type = 'image/png',
    ): Promise<string> => {
      const { status, body } = await upload(bytes, type, `attachment; filename="${name}"`)
      assert.equal(status, 201, JSON.stringify(body))
      return (body as { id: string }).id
    }
    const fetchFile = async (address: string, token = 'all') => {
      const answer = await fetch(address, { headers: { Authorization: `Token ${token}` } })
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
    }
    const sell = (answer: string, status = 201) =>
      server.ask<ShownOrder>(status, 'POST', '/orders/', {
        ...{ status: 'p', payment_provider: 'manual' },
        positions: [{ item: server.shop.ticket, answers: [{ question: photo, answer, options: [] }] }],
      })
    const addressIn = (row: RowData) => String((row.answers as { answer: string }[])[0]?.answer)
    const filesKept = async () =>
      Number(
        (
          await server.running.transactions.database.get<{ count: number }>(
            sql`SELECT count(*) AS count FROM uploaded_file WHERE "position" IS NOT NULL`,
          )
        )?.count,
      )
    const lost = { positions: [{ answers: [{ answer: ['Please upload the file first.'] }] }] }

    it('get an id each', async () => {
      const first = await uploaded()
      assert.match(first, /^file:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.notEqual(await uploaded(pdf, 'x.PDF', 'application/pdf'), first)
      assert.equal((await upload(png, 'image/png', 'attachment; filename=plain.png')).status, 201)
    })

    const refused: readonly (readonly [why: string, bytes: Uint8Array, type: string, disposition: string])[] =
      [
        ['nothing', Buffer.alloc(0), 'image/png', 'attachment; filename="x.png"'],
        ['no name', png, 'image/png', 'attachment'],
        ['another type', Buffer.from('<html>'), 'text/html', 'attachment; filename="x.html"'],
        ['a name that does not fit', png, 'image/png', 'attachment; filename="x.jpg"'],
        ['a bomb', sizedPng(60_000, 60_000), 'image/png', 'attachment; filename="x.png"'],
        ['a flat picture', sizedPng(0, 5), 'image/png', 'attachment; filename="x.png"'],
        ['half a picture', png.subarray(0, 40), 'image/png', 'attachment; filename="x.png"'],
        ['a damaged one', Buffer.from(png).fill(1, 45, 50), 'image/png', 'attachment; filename="x.png"'],
        ['half a JPEG', onePixel.jpeg.subarray(0, 12), 'image/jpeg', 'attachment; filename="x.jpg"'],
        ['half a GIF', onePixel.gif.subarray(0, 9), 'image/gif', 'attachment; filename="x.gif"'],
        ['bytes that do not fit', Buffer.from('<script>'), 'image/png', 'attachment; filename="x.png"'],
      ]
    for (const [why, bytes, type, disposition] of refused)
      it(`are refused with a list of texts: ${why}`, async () => {
        const { status, body } = await upload(bytes, type, disposition)
        assert.equal(status, 400)
        assert.ok(Array.isArray(body) && typeof body[0] === 'string', JSON.stringify(body))
      })

    it('are refused when they are too large, or from nobody', async () => {
      const large = Buffer.concat([png, Buffer.alloc(10 * 2 ** 20)])
      const answer = await fetch(`${server.url}/api/v1/upload`, {
        method: 'POST',
        headers: { Authorization: 'Token all', 'Content-Disposition': 'attachment; filename="x.png"' },
        body: large,
      }).catch(() => undefined)
      // The connection may be closed before all of it is sent.
      if (answer) assert.equal(answer.status, 413)
      assert.equal((await upload(png, 'image/png', 'attachment; filename="x.png"', 'nobody')).status, 401)
      assert.equal((await server.call('GET', '/api/v1/upload')).status, 405)
    })

    it('are bounded by credential and day, in number and in bytes, used or not', async () => {
      const { transactions } = server.running
      const { database } = transactions
      const { organizer } = server
      const all = await database.get<{ uploader: string }>(
        sql`SELECT uploader FROM uploaded_file ORDER BY created LIMIT 1`,
      )
      const fill = (files: number, bytes: number) =>
        transactions.write((tx) =>
          tx.run(
            sql`INSERT INTO uploaded_file (organizer, id, uploader, name, "type", content, created, bytes, item)
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${files})
                SELECT CAST(${organizer} AS BIGINT), 'fill ' || i, CAST(${all?.uploader} AS TEXT), 'x.png', 'image/png', '',
                  CAST(${tx.now} AS TEXT), CAST(${bytes} AS BIGINT), 1 FROM n`,
          ),
        )
      for (const [files, bytes] of [
        [2000, 1],
        [4, 256 * 2 ** 20],
      ] as const) {
        await fill(files, bytes)
        const { status, body } = await upload(png, 'image/png', 'attachment; filename="x.png"')
        assert.equal(status, 429)
        assert.match(String((body as { detail: string }).detail), /^No more files can be uploaded/)
        assert.equal((await upload(png, 'image/png', 'attachment; filename="x.png"', 'other')).status, 201)
        await database.run(
          sql`UPDATE uploaded_file SET created = '2020-01-01T00:00:00.000000Z' WHERE item = 1`,
        )
        assert.equal((await upload(png, 'image/png', 'attachment; filename="x.png"')).status, 201)
        await database.run(sql`DELETE FROM uploaded_file WHERE item = 1`)
      }
    })

    it('are answers of tickets, and are downloaded from there', async () => {
      const order = await sell(await uploaded(png, 'Ich (ä).png'))
      const [position] = order.positions
      const address = addressIn(position)
      assert.equal(address, `${server.url}${server.ev}/orderpositions/${position.id}/answer/${photo}/`)
      const { answer, bytes } = await fetchFile(address)
      assert.equal(answer.status, 200)
      assert.deepEqual(bytes, png)
      assert.equal(answer.headers.get('content-type'), 'image/png')
      assert.match(
        answer.headers.get('content-disposition') ?? '',
        new RegExp(`^attachment; filename="GALA-${order.code}-1-Ich _.+\\.png"`),
      )
      assert.equal((await fetchFile(address, 'nobody')).answer.status, 401)
      const other = address.replace(`answer/${photo}`, `answer/${server.shop.meal}`)
      assert.equal((await fetchFile(other)).answer.status, 404)
      await server.ask(404, 'GET', `/orderpositions/999999/answer/${photo}/`)
      await server.ask(405, 'POST', `/orderpositions/${position.id}/answer/${photo}/`, {})
    })

    it('cannot be used by others, or where there is none', async () => {
      const { body } = await upload(png, 'image/png', 'attachment; filename="x.png"', 'other')
      assert.deepEqual(await sell((body as { id: string }).id, 400), lost)
      const elsewhere = await uploaded()
      await server.running.transactions.database.run(
        sql`UPDATE uploaded_file SET organizer = 999 WHERE id = ${elsewhere.slice('file:'.length)}`,
      )
      assert.deepEqual(await sell(elsewhere, 400), lost)
      assert.deepEqual(await sell('file:00000000-0000-4000-8000-000000000000', 400), lost)
      assert.deepEqual(await sell('file:keep', 400), lost)
    })

    it('are answers of several tickets, each for itself', async () => {
      const id = await uploaded()
      const orders = [await sell(id), await sell(id)]
      const [first, second] = orders.map(({ positions: [position] }) => position)
      assert.ok(first && second)
      await server.ask(200, 'PATCH', `/orderpositions/${first.id}/`, { answers: [] })
      assert.deepEqual((await fetchFile(addressIn(second))).bytes, png)
      const answers = [{ question: photo, answer: id, options: [] }]
      const again = await server.ask<RowData>(200, 'PATCH', `/orderpositions/${first.id}/`, { answers })
      assert.deepEqual((await fetchFile(addressIn(again))).bytes, png)
      const list = await addList(server, { name: 'Door of the same photo' })
      const { positions } = await server.paidOrder()
      const scan = { secret: positions[0].secret, lists: [list], answers: { [photo]: id } }
      const scanned = await server.call('POST', `${server.org}/checkinrpc/redeem/`, scan)
      assert.equal(scanned.status, 201, JSON.stringify(scanned.body))
    })

    it('are copied for as many bytes as their credential may upload', async () => {
      const id = await uploaded()
      const { transactions } = server.running
      const more = 1024 * 2 ** 20
      const add = (bytes: number) =>
        transactions.database.run(
          sql`UPDATE uploaded_file SET bytes = bytes + ${bytes} WHERE id = ${id.slice('file:'.length)}`,
        )
      await add(more)
      await sell(id)
      const refused = await sell(id, 429)
      assert.match(String((refused as unknown as RowData).detail), /^No more files can be uploaded/)
      await add(-more)
      await sell(id)
    })

    it('are used up by no order that is only tried out or refused', async () => {
      const id = await uploaded()
      const answers = [{ question: photo, answer: id, options: [] }]
      const bad = { positions: [{ item: server.shop.ticket, answers }, { item: server.shop.old }] }
      await server.ask(400, 'POST', '/orders/', bad)
      await server.ask(201, 'POST', '/orders/', {
        simulate: true,
        positions: [{ item: server.shop.ticket, answers }],
      })
      await sell(id)
    })

    it('stay, are replaced and go with the answers of a position', async () => {
      const order = await sell(await uploaded())
      const path = `/orderpositions/${order.positions[0].id}/`
      const patch = (answers: readonly RowData[], status = 200) =>
        server.ask<RowData>(status, 'PATCH', path, { answers })
      const before = await filesKept()
      const kept = await patch([
        { question: photo, answer: 'file:keep', options: [] },
        { question: server.shop.allergies, answer: 'Nuts', options: [] },
      ])
      assert.equal((kept.answers as unknown[]).length, 2)
      assert.deepEqual(
        (
          await fetchFile(
            addressIn({ answers: (kept.answers as RowData[]).filter((one) => one.question === photo) }),
          )
        ).bytes,
        png,
      )
      const other = Buffer.concat([png, Buffer.from('2')])
      const changed = await patch([{ question: photo, answer: await uploaded(other), options: [] }])
      assert.deepEqual((await fetchFile(addressIn(changed))).bytes, other)
      assert.equal(await filesKept(), before)
      await patch([])
      assert.equal(await filesKept(), before - 1)
      assert.equal((await fetchFile(addressIn(changed))).answer.status, 404)
      await patch([{ question: photo, answer: 'file:keep', options: [] }], 400)
    })

    it('are pictures that can be printed', async () => {
      const order = await sell(await uploaded())
      const { id } = order.positions[0]
      const one = await server.ask<RowData>(200, 'GET', `/orderpositions/${id}/?pdf_data=true`)
      const { images } = one.pdf_data as { images: Record<string, string> }
      const address = `${server.url}${server.ev}/orderpositions/${id}/pdf_image/question_photo/`
      const [shownAt, tag] = String(images.question_photo).split('#etag=')
      assert.deepEqual([Object.keys(images), shownAt], [['question_photo'], address])
      assert.match(String(tag), /^[0-9a-f]{40}$/)
      const again = await server.ask<RowData>(200, 'GET', `/orderpositions/${id}/?pdf_data=true`)
      assert.deepEqual((again.pdf_data as { images: unknown }).images, images)
      const next = await sell(await uploaded())
      const beside = await server.ask<RowData>(
        200,
        'GET',
        `/orderpositions/${next.positions[0].id}/?pdf_data=true`,
      )
      const { question_photo } = (beside.pdf_data as { images: Record<string, string> }).images
      assert.notEqual(String(question_photo).split('#etag=')[1], tag)
      const { answer, bytes } = await fetchFile(address)
      assert.deepEqual([answer.status, answer.headers.get('content-type'), bytes], [200, 'image/png', png])
      await server.ask(404, 'GET', `/orderpositions/${id}/pdf_image/question_meal/`)
      await server.ask(404, 'GET', `/orderpositions/${id}/pdf_image/poster/`)
      const document = await sell(await uploaded(pdf, 'x.pdf', 'application/pdf'))
      const own = document.positions[0].id
      const shown = await server.ask<RowData>(200, 'GET', `/orderpositions/${own}/?pdf_data=true`)
      assert.deepEqual((shown.pdf_data as { images: unknown }).images, { question_photo: null })
      await server.ask(404, 'GET', `/orderpositions/${own}/pdf_image/question_photo/`)
    })

    it('are printed on the add-ons of their ticket as well', async () => {
      const answers = [{ question: photo, answer: await uploaded(), options: [] }]
      const order = await server.ask<ShownOrder>(201, 'POST', '/orders/', {
        ...{ status: 'p', payment_provider: 'manual' },
        positions: [
          { positionid: 1, item: server.shop.ticket, answers },
          { positionid: 2, item: server.shop.free, addon_to: 1 },
        ],
      })
      const path = `/orderpositions/${order.positions[1]?.id}/`
      const shown = await server.ask<RowData>(200, 'GET', `${path}?pdf_data=true`)
      const { question_photo } = (shown.pdf_data as { images: Record<string, string> }).images
      assert.match(String(question_photo), /question_photo\/#etag=/)
      assert.deepEqual((await fetchFile(String(question_photo))).bytes, png)
    })

    it('are given at the door', async () => {
      const order = await server.paidOrder()
      const list = await addList(server, { name: 'Photo door' })
      const scan = async (answer: string) => {
        const sent = { secret: order.positions[0].secret, lists: [list], answers: { [photo]: answer } }
        const { status, body } = await server.call('POST', `${server.org}/checkinrpc/redeem/`, sent)
        return { status, body: body as { status: string; position: RowData } }
      }
      const unknown = await scan('file:00000000-0000-4000-8000-000000000000')
      assert.deepEqual([unknown.status, unknown.body.status], [400, 'incomplete'])
      const known = await scan(await uploaded())
      assert.equal(known.status, 201, JSON.stringify(known.body))
      assert.deepEqual((await fetchFile(addressIn(known.body.position))).bytes, png)
    })

    it('go after a day when nobody uses them, and with an order of the test mode', async () => {
      const { transactions } = server.running
      const { database } = transactions
      const order = await server.ask<ShownOrder>(201, 'POST', '/orders/', {
        testmode: true,
        positions: [
          { item: server.shop.ticket, answers: [{ question: photo, answer: await uploaded(), options: [] }] },
        ],
      })
      const kept = await filesKept()
      await server.ask(204, 'DELETE', `/orders/${order.code}/`)
      assert.equal(await filesKept(), kept - 1)
      const id = await uploaded()
      const old = '2020-01-01T00:00:00.000000Z'
      assert.equal(await removeOldUploads(transactions, new Date(Date.now()).toISOString()), 0)
      await database.run(sql`UPDATE uploaded_file SET created = ${old}`)
      assert.deepEqual(await sell(id, 400), lost)
      assert.ok((await removeOldUploads(transactions, '2020-01-02T00:00:00.000001Z')) > 0)
      const list = await server.ask<ShownPage<ShownOrder>>(200, 'GET', '/orders/?status=p&ordering=-datetime')
      const used = list.results.flatMap((one) => one.positions).find((one) => (one.answers as []).length > 0)
      assert.equal((await fetchFile(addressIn(used ?? {}))).answer.status, 200)
    })
  })
