import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { codeElement, textElement } from '../../fixtures/layouts.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import {
  followed,
  key,
  makeDevice,
  openVenue,
  startNode,
  type TestNode,
  until,
} from '../../support/servers/nodes.ts'
import { addToken, allRights, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { onePixel } from '../../support/ticketing/pictures.ts'

const pdf = Buffer.from('%PDF-1.7 a page with a border')

async function uploaded(server: TestServer, bytes = pdf, type = 'application/pdf'): Promise<string> {
  const answer = await fetch(`${server.url}/api/v1/upload`, {
    method: 'POST',
    headers: {
      Authorization: 'Token all',
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="page.${type.split('/')[1]}"`,
    },
    body: new Uint8Array(bytes),
  })
  assert.equal(answer.status, 201)
  return String(((await answer.json()) as RowData).id)
}

async function look(address: unknown, authorization = 'Token all') {
  const answer = await fetch(String(address), { headers: { Authorization: authorization } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, bytes }
}

for (const engine of engines)
  for (const [kind, path] of [
    ['badges', 'badgelayouts'],
    ['tickets', 'ticketlayouts'],
  ] as const)
    describe(`layouts of ${kind}, on ${engine.name}`, () => {
      let server: TestServer
      const ask = asking(() => server)
      const all = () => `${server.ev}/${path}/`
      const make = (body: RowData = {}, status = 201) =>
        ask('POST', all(), status, { name: 'Plain', layout: [textElement], ...body })
      const change = (row: RowData, body: RowData, status = 200) =>
        ask('PATCH', `${all()}${row.id}/`, status, body)

      beforeEach(async () => {
        server = await startTestServer(await engine.open())
      })
      afterEach(() => server.close())

      it('are shown as lists of elements, however they were sent', async () => {
        const row = await make({ layout: JSON.stringify([textElement, codeElement]) })
        assert.deepEqual(row.layout, [textElement, codeElement])
        assert.deepEqual(row.item_assignments, [])
        assert.deepEqual(await ask('GET', `${all()}${row.id}/`, 200), row)
      })

      it('say which element of them is wrong', async () => {
        const refused = await make({ layout: [textElement, { ...codeElement, size: 'wide' }] }, 400)
        assert.match(String((refused.layout as string[])[0]), /^Element 2: size: /)
      })

      it('are printed on an empty page as long as they have none of their own', async () => {
        const row = await make()
        assert.equal(row.background, `${server.url}${all()}${row.id}/background/#etag=blank`)
        const { status, headers, bytes } = await look(row.background)
        assert.deepEqual([status, headers.get('content-type')], [200, 'application/pdf'])
        assert.match(bytes.toString('latin1'), /^%PDF-1\.4[\s\S]*%%EOF\n$/)
      })

      it('are printed on the PDF that was uploaded for them, at another address for another one', async () => {
        const row = await make({ background: await uploaded(server) })
        const { headers, bytes } = await look(row.background)
        assert.deepEqual([headers.get('content-type'), bytes], ['application/pdf', pdf])
        assert.match(
          String(headers.get('content-disposition')),
          /^attachment; filename="\w+-layout-\d+\.pdf"$/,
        )
        for (const background of [row.background, 'file:keep'])
          assert.equal((await change(row, { background })).background, row.background)
        const other = Buffer.from('%PDF-1.7 another page')
        const next = await change(row, { background: await uploaded(server, other) })
        assert.notEqual(next.background, row.background)
        assert.deepEqual((await look(next.background)).bytes, other)
        const none = await change(row, { background: null })
        assert.match(String(none.background), /#etag=blank$/)
        const left = await server.running.transactions.database.get<{ count: number }>(
          sql`SELECT count(*) AS count FROM layout_background`,
        )
        assert.equal(Number(left?.count), 0)
      })

      it('are not printed on anything but a PDF, and may be printed on the same file', async () => {
        const { png } = onePixel
        assert.deepEqual(await make({ background: await uploaded(server, png, 'image/png') }, 400), {
          background: ['The submitted file has a file type that is not allowed in this field.'],
        })
        const background = await uploaded(server)
        const rows = [await make({ background }), await make({ background })]
        for (const row of rows) assert.deepEqual((await look(row.background)).bytes, pdf)
      })

      it('have one default at most, whose place another one takes when it is deleted', async () => {
        const first = await make({ name: 'B', default: true })
        const second = await make({ name: 'A' })
        const refused = await change(second, { default: true }, 400)
        assert.deepEqual(refused, {
          non_field_errors: ['You cannot have two layouts with default = True'],
        })
        assert.equal((await change(first, { default: true, name: 'C' })).default, true)
        await ask('DELETE', `${all()}${first.id}/`, 204)
        assert.equal((await ask('GET', `${all()}${second.id}/`, 200)).default, true)
      })

      it('have one default also where two want to be it at once', async () => {
        const answers = await Promise.all(
          ['A', 'B'].map((name) => server.call('POST', all(), { name, layout: [], default: true })),
        )
        assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400])
      })

      it('are changed by who may change the settings, and seen by who may see the event', async () => {
        await server.running.transactions.write(async (tx) => {
          await addToken(tx, server.organizer, 'reader', { all_events: true })
          await addToken(tx, server.organizer, 'outside', { ...allRights, all_events: false })
        })
        const { background } = await make({ background: await uploaded(server) })
        assert.equal((await look(background, 'Token reader')).status, 200)
        assert.equal((await look(background, 'Token outside')).status, 403)
        assert.equal((await look(background, 'Token nobody')).status, 401)
      })

      it('go with an event that is made after theirs, with the questions of that one', async () => {
        const { ev, org } = server
        const item = await ask('POST', `${ev}/items/`, 201, { name: 'Ticket', default_price: '23.00' })
        const question = await ask('POST', `${ev}/questions/`, 201, {
          question: 'Diet?',
          type: 'S',
          items: [item.id],
        })
        const layout = [{ ...textElement, content: `question_${question.id}` }]
        const row = await make({ default: true, layout, background: await uploaded(server) })
        if (kind === 'badges') await ask('POST', `${ev}/badgeitems/`, 201, { item: item.id, layout: row.id })
        else
          await ask('POST', `${ev}/ticketlayoutitems/`, 201, {
            ...{ item: item.id, layout: row.id, sales_channel: 'web' },
          })
        await ask('POST', `${ev}/clone/`, 201, {
          name: 'Copy',
          slug: 'copy',
          date_from: '2031-01-01T10:00:00Z',
        })
        const [copy] = resultsOf(await ask('GET', `${org}/events/copy/${path}/`, 200))
        const [copied] = resultsOf(await ask('GET', `${org}/events/copy/items/`, 200))
        const [asked] = resultsOf(await ask('GET', `${org}/events/copy/questions/`, 200))
        assert.deepEqual(copy?.layout, [{ ...textElement, content: `question_${asked?.id}` }])
        assert.deepEqual([copy?.name, copy?.default], ['Plain', true])
        const channel = kind === 'badges' ? {} : { sales_channel: 'web' }
        assert.deepEqual(copy?.item_assignments, [{ item: copied?.id, ...channel }])
        assert.deepEqual((await look(copy?.background)).bytes, pdf)
      })
    })

describe('items with layouts', () => {
  let server: TestServer
  const ask = asking(() => server)
  beforeEach(async () => {
    server = await startTestServer()
  })
  afterEach(() => server.close())

  it('have one badge each, and one layout of tickets for each channel', async () => {
    const { ev } = server
    const { id: item } = await ask('POST', `${ev}/items/`, 201, { name: 'Ticket', default_price: '23.00' })
    const { id: badge } = await ask('POST', `${ev}/badgelayouts/`, 201, { name: 'Badge', layout: [] })
    const { id: layout } = await ask('POST', `${ev}/ticketlayouts/`, 201, { name: 'Ticket', layout: [] })
    const none = await ask('POST', `${ev}/badgeitems/`, 201, { item, layout: null })
    await ask('POST', `${ev}/badgeitems/`, 400, { item, layout: badge })
    await ask('PATCH', `${ev}/badgeitems/${none.id}/`, 200, { layout: badge })
    assert.deepEqual((await ask('GET', `${ev}/badgelayouts/${badge}/`, 200)).item_assignments, [{ item }])
    const held = { item, layout, sales_channel: 'web' }
    await ask('POST', `${ev}/ticketlayoutitems/`, 201, held)
    await ask('POST', `${ev}/ticketlayoutitems/`, 400, held)
    await ask('POST', `${ev}/ticketlayoutitems/`, 201, { ...held, sales_channel: 'boxoffice' })
    const shown = await ask('GET', `${ev}/ticketlayouts/${layout}/`, 200)
    assert.deepEqual(shown.item_assignments, [
      { item, sales_channel: 'web' },
      { item, sales_channel: 'boxoffice' },
    ])
    await ask('DELETE', `${ev}/ticketlayouts/${layout}/`, 204)
    assert.deepEqual(resultsOf(await ask('GET', `${ev}/ticketlayoutitems/`, 200)), [])
  })

  it('are known to devices that print: badges to all of them, tickets to those that sell', async () => {
    const { ev } = server
    await ask('POST', `${ev}/ticketlayouts/`, 201, { name: 'Ticket', layout: [] })
    const { background } = await ask('POST', `${ev}/badgelayouts/`, 201, { name: 'Badge', layout: [] })
    for (const [security_profile, tickets] of [
      ['full', 200],
      ['scan', 403],
      ['kiosk', 403],
      ['boxoffice', 200],
    ] as const) {
      const device = await makeDevice(server, security_profile, { security_profile })
      const { body } = await server.call('POST', '/api/v1/device/initialize', {
        ...{ token: device.initialization_token, hardware_brand: 'x', hardware_model: 'x' },
        ...{ software_brand: 'x', software_version: '1' },
      })
      const authorization = `Device ${(body as RowData).api_token}`
      const status = async (path: string) => (await look(`${server.url}${ev}/${path}/`, authorization)).status
      assert.equal(await status('badgelayouts'), 200)
      assert.equal(await status('badgeitems'), 200)
      assert.equal(await status('ticketlayouts'), tickets, security_profile)
      assert.equal(await status('ticketlayoutitems'), tickets)
      assert.equal((await look(background, authorization)).status, 200)
    }
  })
})

describe('layouts at a station', () => {
  let folder: string
  let central: TestServer
  let node: TestNode
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'layouts-'))
    central = await startTestServer()
    node = await startNode({ database: folder })
  })
  afterEach(async () => {
    await node.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('are there with their backgrounds while nothing upstream can be reached', async () => {
    const venue = await openVenue(central, ['A'])
    const ask = asking(() => central)
    const made = await ask('POST', `${central.ev}/badgelayouts/`, 201, {
      ...{ name: 'Badge', layout: [codeElement], background: await uploaded(central) },
    })
    const device = await makeDevice(central, 'North', { security_profile: 'scan' })
    await node.join(central.url, String(device.initialization_token))
    await followed(node)
    await node.setUp(venue.list)
    const later = Buffer.from('%PDF-1.7 a later page')
    await ask('PATCH', `${central.ev}/badgelayouts/${made.id}/`, 200, {
      ...{ name: 'Later', background: await uploaded(central, later) },
    })
    const shown = async () =>
      resultsOf((await node.call('GET', `${central.ev}/badgelayouts/`)).body as RowData)[0]
    await until('the change has come', async () => (await shown())?.name === 'Later')
    await central.close()
    const row = await shown()
    assert.deepEqual(row?.layout, [codeElement])
    assert.deepEqual((await look(row?.background, `Station ${key}`)).bytes, later)
  })
})
