import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import sql from 'sql-template-tag'
import { conflict } from '../../../schema/resources/checkin/conflict.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow, updateRow } from '../../../server/resource/store.ts'
import { engines } from '../../support/engines/engines.ts'
import { makeHandEnv } from '../../support/servers/hand-env.ts'
import { addEvent, addOrganizer, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addItem } from '../../support/ticketing/tickets.ts'
import { addNode, nodeOf } from './node.ts'

const paths = ['ping/', 'changes/?after=x', 'snapshot/', 'live/'] as const

for (const engine of engines)
  describe(`what nodes are served with on ${engine.name}`, () => {
    let server: TestServer
    before(async () => {
      server = await startTestServer(await engine.open())
      await addNode(server, 1, 'door')
      await addNode(server, 2, 'gone', { revoked: true })
      await addNode(server, 3, 'kiosk', { security_profile: 'kiosk' })
      await server.running.transactions.write(async (tx) => {
        const organizer = await addOrganizer(tx, 'rival')
        await addEvent(tx, organizer, 'party')
      })
    })
    after(() => server.close())

    const door = () => nodeOf(server, 'door')
    const place = () => ({ organizer: server.organizer, event: server.event })
    const change = () => server.running.transactions.write((tx) => addItem(tx, place(), 'Ticket'))
    const atHead = async () => (await door().snapshot()).head.cursor

    it('is for devices, in their own organizer, as long as they are not revoked', async () => {
      for (const path of paths) {
        const address = `${server.org}/sync/${path}`
        const asked = async (authorization: string, where = address) => {
          const answer = await server.call('GET', where, undefined, { Authorization: authorization })
          assert.equal(answer.headers.get('X-Gatehouse-Sync'), '1')
          return answer.status
        }
        assert.equal(await asked('Token all'), 403, path)
        assert.equal(await asked('Device nobody'), 401, path)
        assert.equal(await asked('Device gone'), 401, path)
        assert.equal(await asked('Device door', address.replace('acme', 'rival')), 403, path)
      }
      assert.equal((await door().post('ping/', {})).status, 405)
    })

    it('is allowed by every profile', async () => {
      assert.equal((await nodeOf(server, 'kiosk').get('ping/')).status, 200)
      assert.equal((await nodeOf(server, 'kiosk').snapshot()).end?.end, true)
      // Push and the like are asked for by other routes; here it counts that the profile lets the request through.
      const joined = await nodeOf(server, 'kiosk').post('join/', {
        protocols: [1],
        role: 'station',
        site: null,
        site_seq: 0,
      })
      assert.equal(joined.status, 200)
    })

    it('tells the time of arrival and of the answer, and the versions that it speaks', async () => {
      const { body } = await door().get('ping/')
      assert.equal(body.protocol, 1)
      assert.equal(body.oldest_protocol, 1)
      assert.equal(body.upstream, 'top')
      assert.match(String(body.received), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      assert.ok(String(body.received) <= String(body.sent))
      const node = await server.running.transactions.database.get<{ epoch: string }>(
        sql`SELECT epoch FROM node`,
      )
      assert.equal(body.epoch, node?.epoch)
    })

    it('refuses a version of the protocol that it does not speak, in a sentence', async () => {
      for (const path of ['ping/', 'changes/?after=x', 'snapshot/', 'live/']) {
        const answer = await door().get(`${path}${path.includes('?') ? '&' : '?'}protocol=2`)
        assert.equal(answer.status, 400)
        assert.match(String(answer.body.detail), /versions 1 to 1 .* Update the program on this server\.$/)
      }
      const join = (protocols: number[]) =>
        door().post('join/', { protocols, role: 'station', site: null, site_seq: 0 })
      assert.match(String((await join([2, 3])).body.detail), /the device 2, 3/)
      assert.match(String((await join([0])).body.detail), /Update the program on the device/)
      assert.equal((await join([0, 1, 2])).body.protocol, 1)
    })

    it('refuses what cannot be meant', async () => {
      for (const query of ['limit=0', 'limit=2001', 'limit=x', 'wait=26', 'orders=maybe'])
        assert.equal((await door().get(`changes/?after=whole;0;&${query}`)).status, 400, query)
      assert.deepEqual(Object.keys((await door().post('join/', { protocols: [1] })).body), [
        'role',
        'site',
        'site_seq',
      ])
    })

    it('says 410 and why, for another epoch, an unreadable cursor, one that is ahead and none at all', async () => {
      const reasonOf = async (query: string) => {
        const { status, body } = await door().get(`changes/?${query}`)
        assert.match(String(body.detail), /\w+ .*\.$/)
        return [status, body.reason]
      }
      const cursor = encodeURIComponent(await atHead())
      assert.deepEqual(await reasonOf(`after=${cursor}&epoch=other`), [410, 'epoch'])
      assert.deepEqual(await reasonOf('after=nonsense'), [410, 'unreadable'])
      assert.deepEqual(await reasonOf(''), [410, 'unreadable'])
      assert.deepEqual(await reasonOf('after=whole;zzz;'), [410, 'ahead'])
      assert.deepEqual(await reasonOf(`after=${cursor}&orders=0`), [410, 'profile'])
      const { body } = await door().get('ping/')
      assert.equal((await door().get(`changes/?after=${cursor}&epoch=${body.epoch}`)).status, 200)
      const snapshot = await door().get('snapshot/?epoch=other')
      assert.deepEqual([snapshot.status, snapshot.body.reason], [410, 'epoch'])
    })

    it('answers a question about changes as soon as there are some', async () => {
      const cursor = await atHead()
      const waiting = door().changes(cursor, '&wait=25')
      const early = await Promise.race([waiting, door().get('ping/')])
      assert.ok('status' in early, 'answered before anything had changed')
      const id = await change()
      const page = await waiting
      assert.ok(page.rows.item?.rows.some((row) => row.includes(id)))
      assert.notEqual(page.cursor, cursor)
    })

    it('answers it without any when the time is up, and at once when none is given', async () => {
      const cursor = await atHead()
      for (const wait of [0, 1]) {
        const page = await door().changes(cursor, `&wait=${wait}`)
        assert.deepEqual([page.cursor, page.more, page.rows], [cursor, false, {}])
      }
    })

    it('answers it to whoever was revoked meanwhile with 401', async () => {
      const id = await addNode(server, 20, 'fired')
      const fired = nodeOf(server, 'fired')
      const { head } = await fired.snapshot()
      const waiting = fired.get(`changes/?after=${encodeURIComponent(head.cursor)}&wait=25`)
      await door().get('ping/')
      await server.running.transactions.write((tx) =>
        updateRow(tx, device, { organizer: server.organizer, event: 0 }, { id, revoked: true }),
      )
      assert.equal((await waiting).status, 401)
    })

    it('answers many that ask the same at the same time alike', async () => {
      const cursor = await atHead()
      await change()
      const pages = await Promise.all(Array.from({ length: 20 }, () => door().changes(cursor)))
      for (const page of pages) assert.deepEqual(page, pages[0])
      await change()
      assert.notDeepEqual((await door().changes(cursor)).cursor, pages[0]?.cursor)
    })

    /** A stream of events, read up to what is looked for. */
    async function listen(token: string, localAddress = '127.0.0.1') {
      const asked = request(`${server.url}${server.org}/sync/live/`, {
        localAddress,
        headers: { Authorization: `Device ${token}` },
      }).end()
      // One that the server ends is ended in the middle.
      asked.on('error', () => {})
      const [answer] = await once(asked, 'response')
      answer.on('error', () => {})
      let text = ''
      const waiting = new Set<() => void>()
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
        for (const look of waiting) look()
      })
      return {
        answer,
        until: (shape: RegExp): Promise<RegExpExecArray> =>
          new Promise((resolve) => {
            const look = () => {
              const found = shape.exec(text)
              if (!found) return
              waiting.delete(look)
              resolve(found)
            }
            waiting.add(look)
            look()
          }),
        ended: new Promise<void>((resolve) => answer.once('close', () => resolve())),
        text: () => text,
        close: () => asked.destroy(),
      }
    }

    it('sends a sign of news with the cursor that is there by then', async () => {
      const stream = await listen('door')
      assert.equal(stream.answer.headers['x-gatehouse-sync'], '1')
      await stream.until(/^retry: 1000\n\n/)
      const cursor = await atHead()
      await change()
      const [, data = ''] = await stream.until(/event: change\ndata: (.+)\n\n/)
      const sent = (JSON.parse(data) as { cursor: string }).cursor
      assert.notEqual(sent, cursor)
      assert.equal((await door().changes(cursor)).cursor, sent)
      stream.close()
    })

    it('sends no sign of events that a device may not see, and signs of contradictions', async () => {
      const other = await server.running.transactions.write((tx) => addEvent(tx, server.organizer, 'hidden'))
      await addNode(server, 21, 'narrow', { all_events: false, limit_events: ['gala'] })
      const stream = await listen('narrow')
      await stream.until(/retry/)
      const contradict = (event: number) =>
        server.running.transactions.write(async (tx) => {
          const id = tx.nextId()
          const row: RowData = {
            kind: 'double_entry',
            severity: 'warning',
            state: 'open',
            detected: tx.now,
            datetime: tx.now,
          }
          await insertRow(
            tx,
            conflict,
            { organizer: server.organizer, event },
            { ...blankRow(conflict), ...row, id },
          )
          return id
        })
      await contradict(other)
      const id = await contradict(server.event)
      const [, data = ''] = await stream.until(/event: conflict\ndata: (.+)\n\n/)
      assert.deepEqual(JSON.parse(data), { event: server.event, id, op: 'put' })
      await stream.until(/event: change/)
      assert.equal(stream.text().match(/event: conflict/g)?.length, 1)
      stream.close()
    })

    it('ends the oldest stream of a device that opens more than four, from wherever', async () => {
      await addNode(server, 24, 'other')
      const ofAnother = await listen('other')
      const streams = []
      for (let count = 0; count < 5; count += 1) {
        const stream = await listen('door', `127.0.0.${count + 1}`)
        await stream.until(/retry/)
        streams.push(stream)
      }
      await streams[0]?.ended
      await change()
      for (const stream of [...streams.slice(1), ofAnother]) {
        await stream.until(/event: change/)
        stream.close()
      }
    })

    it('ends a stream when the device is revoked', async () => {
      const bad = await addNode(server, 23, 'thrown-out')
      const live = await listen('thrown-out')
      await live.until(/retry/)
      await server.running.transactions.write((tx) =>
        updateRow(tx, device, { organizer: server.organizer, event: 0 }, { id: bad, revoked: true }),
      )
      await live.ended
    })

    it('lets all go who wait when the server stops', async () => {
      // Its clocks stand still: nobody is let go because the time is up.
      const brief = await startTestServer(undefined, null, { env: makeHandEnv() })
      await addNode(brief, 1, 'door')
      const node = nodeOf(brief, 'door')
      const { head } = await node.snapshot()
      const waiting = node.changes(head.cursor, '&wait=25')
      await node.get('ping/')
      const [page] = await Promise.all([waiting, brief.close()])
      assert.equal(page.cursor, head.cursor)
    })
  })
