import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import sql, { type Sql } from 'sql-template-tag'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { layoutBackground } from '../../../schema/resources/layouts/layout-background.ts'
import { insertRow, removeRow, updateRow } from '../../../server/resource/store.ts'
import type { Database } from '../../../server/storage/database.ts'
import { replicated } from '../../../server/sync/feed/replicated.ts'
import { engines } from '../../support/engines/engines.ts'
import { addEvent, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addItem, addList, addOrder } from '../../support/ticketing/tickets.ts'
import { Replica } from '../../sync/feed/model.ts'
import { addCheckin, idsOf } from '../../sync/feed/place.ts'
import { addNode, nodeOf, readSnapshot, type Snapshot, unpacked } from './node.ts'

const orders = 700

/** What a copy holds once it has loaded a snapshot. */
function load(replica: Replica, { head, frames }: Snapshot): void {
  for (const { resource, rows } of frames)
    replica.put(resource, { columns: head.columns[resource] ?? [], rows })
}

/** The same database, on which snapshots stand still where the check-ins begin for as long as they are held. */
function holding(database: Database): { readonly database: Database; hold(): () => void } {
  let held: Promise<void> | undefined
  return {
    database: {
      engine: database.engine,
      async all<T>(statement: Sql): Promise<T[]> {
        if (/ FROM "?checkin"? WHERE .* ORDER BY id LIMIT/s.test(statement.sql)) await held
        return database.all<T>(statement)
      },
      get: (statement) => database.get(statement),
      run: (statement) => database.run(statement),
      remembered: (key, load) => database.remembered(key, load),
      transaction: (work, turn) => database.transaction(work, turn),
      script: (text) => database.script(text),
      close: () => database.close(),
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
  }
}

for (const engine of engines)
  describe(`snapshots on ${engine.name}`, () => {
    let server: TestServer
    let products: number[]
    let hold: () => () => void
    before(async () => {
      const slow = holding(await engine.open())
      hold = slow.hold
      server = await startTestServer(slow.database)
      await addNode(server, 1, 'door')
      await server.running.transactions.write(async (tx) => {
        const place = { organizer: server.organizer, event: server.event }
        const other = { organizer: server.organizer, event: await addEvent(tx, server.organizer, 'ball') }
        products = [await addItem(tx, place, 'Ticket'), await addItem(tx, other, 'Ball ticket')]
        const list = await addList(tx, place, 'Door')
        for (let index = 0; index < orders; index += 1) {
          const at = index % 7 === 0 ? other : place
          const { positions } = await addOrder(tx, at, [
            { item: products[index % 7 === 0 ? 1 : 0], secret: `s${index}` },
          ])
          if (at === place) await addCheckin(tx, place, list, positions[0] ?? null)
        }
      })
    })
    after(() => server.close())

    const door = () => nodeOf(server, 'door')
    const write: TestServer['running']['transactions']['write'] = (work) =>
      server.running.transactions.write(work)

    const ask = async (
      query = '',
      token = 'door',
      headers: Record<string, string> = {},
    ): Promise<IncomingMessage> => {
      const asked = request(`${server.url}${server.org}/sync/snapshot/${query}`, {
        headers: { Authorization: `Device ${token}`, ...headers },
      }).end()
      asked.on('error', () => undefined)
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      return answer
    }

    const allOf = async (answer: IncomingMessage): Promise<Buffer> => {
      const parts: Buffer[] = []
      for await (const part of answer) parts.push(part)
      return Buffer.concat(parts)
    }

    it('hold every row once, in order, with a hash of each line, and say how many there are', async () => {
      const { head, frames, end } = await door().snapshot()
      const order = replicated.map(({ name }) => name)
      const sent = frames.map(({ resource }) => order.indexOf(resource))
      assert.deepEqual(
        sent,
        sent.toSorted((a, b) => a - b),
      )
      let count = 0
      const seen = new Set<string>()
      for (const { resource, rows, sha256 } of frames) {
        assert.ok(rows.length > 0 && rows.length <= 500)
        assert.equal(createHash('sha256').update(JSON.stringify(rows)).digest('hex'), sha256)
        for (const row of rows) seen.add(`${resource} ${row[head.columns[resource]?.indexOf('id') ?? -1]}`)
        count += rows.length
      }
      assert.equal(seen.size, count)
      assert.deepEqual([head.total, head.before, end], [count, 0, { end: true, total: count }])
      const replica = new Replica()
      load(replica, { head, frames, end, text: '' })
      replica.check()
      const { database } = server.running.transactions
      for (const table of ['order_position', 'checkin', 'item', 'gate'])
        assert.deepEqual(replica.ids(table), await idsOf(database, table, server.organizer))
      assert.equal(replica.of('organizer').get(server.organizer)?.slug, 'acme')
      assert.equal((await door().changes(head.cursor)).cursor, head.cursor)
    })

    it('hold one large row a line', async () => {
      const layouts = [1, 2, 3]
      await write(async (tx) => {
        const place = { organizer: server.organizer, event: server.event }
        const content = 'x'.repeat(2_000_000)
        for (const layout of layouts)
          await insertRow(tx, layoutBackground, place, { id: tx.nextId(), layout, content })
      })
      const { frames } = await door().snapshot()
      const large = frames.filter(({ resource }) => resource === layoutBackground.name)
      assert.deepEqual(
        large.map(({ rows }) => rows.length),
        layouts.map(() => 1),
      )
      const content = large[0]?.rows[0]?.at(-1)
      assert.equal(String(content).length, 2_000_000)
      const { database } = server.running.transactions
      const ids = await database.all<{ id: number }>(sql`SELECT id FROM layout_background`)
      await write(async (tx) => {
        const place = { organizer: server.organizer, event: server.event }
        for (const { id } of ids) await removeRow(tx, layoutBackground, place, id)
      })
    })

    it('are compressed for those who understand it', async () => {
      const [plain, packed] = [await ask(), await ask('', 'door', { 'Accept-Encoding': 'gzip' })]
      assert.equal(plain.headers['content-encoding'], undefined)
      assert.equal(packed.headers['content-encoding'], 'gzip')
      assert.equal(packed.headers['content-type'], 'application/x-ndjson')
      plain.destroy()
      const bytes = await allOf(packed)
      const text = unpacked(bytes)
      assert.ok(bytes.length * 3 < text.length)
      assert.equal(readSnapshot(text).end?.end, true)
    })

    it('go on where they were interrupted, however often, and come to the same', async () => {
      const whole = await door().snapshot()
      const replica = new Replica()
      let cursor = ''
      let after = ''
      let before = 0
      for (const cut of [1, 2, 3]) {
        const query = after === '' ? '' : `?after=${after}&cursor=${encodeURIComponent(cursor)}`
        const part = readSnapshot((await allOf(await ask(query))).toString())
        assert.equal(part.head.before, before)
        assert.equal(part.head.total, whole.head.total)
        if (cursor !== '') assert.equal(part.head.cursor, cursor)
        cursor = part.head.cursor
        // As if the connection had been lost after some lines.
        const frames = cut === 3 ? part.frames : part.frames.slice(0, 3 * cut)
        load(replica, { ...part, frames })
        before += frames.reduce((sum, { rows }) => sum + rows.length, 0)
        const last = frames.at(-1)
        assert.ok(last)
        after = `${last.resource}:${last.rows.at(-1)?.[part.head.columns[last.resource]?.indexOf('id') ?? -1]}`
        if (cut === 3) assert.equal(part.end?.total, before)
        // Meanwhile things change, which the changes bring.
        await write((tx) =>
          updateRow(
            tx,
            item,
            { organizer: server.organizer, event: server.event },
            { id: products[0] ?? 0, position: cut },
          ),
        )
      }
      const complete = new Replica()
      load(complete, whole)
      for (const [resource, rows] of complete.rows)
        assert.deepEqual(
          replica.ids(resource),
          [...rows.keys()].sort((a, b) => a - b),
        )
      replica.apply(await door().changes(cursor))
      assert.equal(replica.of('item').get(products[0] ?? 0)?.position, 3)
    })

    it('refuse to go on from where nothing is, or after everything has changed', async () => {
      const { head } = await door().snapshot()
      const cursor = encodeURIComponent(head.cursor)
      const refused = async (query: string) => {
        const { status, body } = await door().get(`snapshot/?${query}`)
        return [status, body.reason]
      }
      assert.deepEqual(await refused('after=order:1'), [400, undefined])
      assert.deepEqual(await refused(`after=audit:1&cursor=${cursor}`), [400, undefined])
      assert.deepEqual(await refused(`after=order&cursor=${cursor}`), [400, undefined])
      assert.deepEqual(await refused('after=order:1&cursor=x'), [410, 'unreadable'])
      assert.deepEqual(await refused(`after=order:1&cursor=${cursor}&orders=0`), [410, 'profile'])
    })

    it('and the changes behind them come to what is there, whatever happens meanwhile', async () => {
      const place = { organizer: server.organizer, event: server.event }
      const doomed = await write((tx) => addItem(tx, place, 'Doomed'))
      let done = false
      const selling = (async () => {
        for (let index = 0; !done; index += 1) {
          await write(async (tx) => {
            const product = await addItem(tx, place, `New ${index}`)
            await addOrder(tx, place, [{ item: product, secret: `new${index}` }])
            await updateRow(tx, item, place, { id: products[0] ?? 0, position: index })
          })
          if (index === 3) await write((tx) => removeRow(tx, item, place, doomed))
          await new Promise((resolve) => setImmediate(resolve))
        }
      })()
      const snapshot = await door().snapshot()
      done = true
      await selling
      const replica = new Replica()
      load(replica, snapshot)
      for (let cursor = snapshot.head.cursor; ; ) {
        const page = await door().changes(cursor, '&limit=2000')
        for (const [resource, rows] of Object.entries(page.rows)) replica.put(resource, rows)
        for (const [resource, ids] of Object.entries(page.gone))
          for (const id of ids) replica.of(resource).delete(id)
        if (!page.more) break
        cursor = page.cursor
      }
      replica.check()
      const { database } = server.running.transactions
      for (const table of ['order_position', 'item'])
        assert.deepEqual(replica.ids(table), await idsOf(database, table, server.organizer))
    })

    it('of a device for one event hold nothing of the others', async () => {
      await addNode(server, 2, 'ball', { all_events: false, limit_events: ['ball'] })
      const { head, frames, end, text } = await nodeOf(server, 'ball').snapshot()
      const replica = new Replica()
      load(replica, { head, frames, end, text })
      replica.check()
      assert.equal(replica.ids('order_position').length, orders / 7)
      assert.equal(head.total, end?.total)
      assert.doesNotMatch(text, /gala|"\{\\"en\\":\\"Ticket/)
    })

    it('are given to two devices at a time; others hear when to come back', async () => {
      for (const number of [11, 12, 13, 14]) await addNode(server, number, `n${number}`)
      // A small snapshot is sent at once and waits in the machine's own buffers, unless it is held.
      const goOn = hold()
      const [first, second] = [await ask('', 'n11'), await ask('', 'n12')]
      const third = await ask('', 'n13')
      assert.deepEqual([first.statusCode, second.statusCode, third.statusCode], [200, 200, 503])
      assert.match(String(third.headers['retry-after']), /^[1-9]\d*$/)
      assert.equal(third.headers['x-gatehouse-sync'], '1')
      third.resume()
      // The same device again is given another one instead of its first.
      const again = await ask('', 'n11')
      assert.equal(again.statusCode, 200)
      await assert.rejects(allOf(first))
      goOn()
      await Promise.all([allOf(again), allOf(second)])
      const fourth = await ask('', 'n13')
      assert.equal(readSnapshot((await allOf(fourth)).toString()).end?.end, true)
    })

    it('end when the device is revoked, and give their place back when nobody listens any more', async () => {
      const id = await addNode(server, 15, 'fired')
      const goOn = hold()
      const answer = await ask('', 'fired')
      await write((tx) =>
        updateRow(tx, device, { organizer: server.organizer, event: 0 }, { id, revoked: true }),
      )
      const text = await allOf(answer).then(
        (bytes) => bytes.toString(),
        () => '',
      )
      assert.doesNotMatch(text, /"end":true/)
      const left = await ask('', 'n14')
      left.destroy()
      await once(left, 'close')
      goOn()
      // The server hears of it a moment later.
      const others: IncomingMessage[] = []
      for (let tries = 0; others.length < 2 && tries < 200; tries += 1) {
        const other = await ask('', others.length === 0 ? 'n12' : 'n13')
        if (other.statusCode === 200) others.push(other)
        else other.resume()
      }
      assert.equal(others.length, 2)
      await Promise.all(others.map(allOf))
    })
  })
