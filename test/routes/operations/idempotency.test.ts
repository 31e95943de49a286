import assert from 'node:assert/strict'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { realEnv } from '../../../server/env.ts'
import { Refusal } from '../../../server/errors.ts'
import {
  beginRequest,
  endRequest,
  forgetAnswers,
  notePassedUp,
  OpenAttempts,
  renewAttempt,
  requestKey,
  storeAnswer,
  wasPassedUp,
} from '../../../server/services/operations/idempotency-keys.ts'
import { engines } from '../../support/engines/engines.ts'
import {
  addEvent,
  addToken,
  allRights,
  startTestServer,
  type TestServer,
} from '../../support/servers/servers.ts'
import { addDevice, addItem, addList, addOrder } from '../../support/ticketing/tickets.ts'

for (const { name, open } of engines)
  describe(`a request with a key, on ${name}`, () => {
    let server: TestServer
    let shift = 0
    let count = 0
    const hours = (number: number): number => number * 3_600_000
    before(async () => {
      const env = { ...realEnv, now: () => realEnv.now() + shift }
      server = await startTestServer(await open(), null, { env })
      await server.running.transactions.write((tx) => addToken(tx, server.organizer, 'other', allRights))
    })
    after(() => server.close())

    const newKey = (): string => {
      count += 1
      return `key-${count}`
    }
    const withKey = (key: string, token = 'all') => ({
      'X-Idempotency-Key': key,
      Authorization: `Token ${token}`,
    })
    const categories = () => `${server.ev}/categories/`
    const create = (key: string, body: unknown = { name: 'Tickets' }, token?: string) =>
      server.call('POST', categories(), body, withKey(key, token))
    const idOf = ({ body }: { readonly body: unknown }): number => (body as { id: number }).id
    /** Without a look at the description, in which a path has the statuses of its own. */
    const plain = async (method: string, path: string, headers: Record<string, string>) => {
      const answer = await fetch(server.url + path, { method, headers })
      const body = await answer.text()
      return { status: answer.status, body: body === '' ? '' : JSON.parse(body), headers: answer.headers }
    }
    const asked = (key: string, token = 'all') =>
      plain('GET', `/api/v1/idempotency_query?key=${key}`, { Authorization: `Token ${token}` })
    const stored = async () =>
      (await server.running.transactions.database.all(sql`SELECT id FROM category`)).length

    it('is carried out once, and answered the same again', async () => {
      const key = newKey()
      const first = await create(key)
      const amount = await stored()
      const second = await create(key)
      assert.equal(first.status, 201)
      assert.deepEqual([second.status, second.body], [first.status, first.body])
      assert.equal(second.headers.get('content-type'), first.headers.get('content-type'))
      assert.equal(await stored(), amount)
    })

    it('can be asked about, and answers what was answered before', async () => {
      const key = newKey()
      const path = `${categories()}${idOf(await create(newKey()))}/`
      const changed = await server.call('PATCH', path, { name: 'Drinks' }, withKey(key))
      const known = await server.call('GET', `/api/v1/idempotency_query?key=${key}`)
      assert.deepEqual([known.status, known.body], [200, changed.body])
    })

    it('is answered the same also where another path, method or body is sent with the key', async () => {
      const key = newKey()
      const first = await create(key)
      const amount = await stored()
      assert.deepEqual((await create(key, { name: 'Another' })).body, first.body)
      const deletion = await plain('DELETE', `${categories()}${idOf(first)}/`, withKey(key))
      assert.deepEqual([deletion.status, deletion.body], [201, first.body])
      assert.equal(await stored(), amount)
    })

    it('is another one for another credential', async () => {
      const key = newKey()
      const first = await create(key)
      assert.notEqual(idOf(await create(key, undefined, 'other')), idOf(first))
      assert.equal((await asked(newKey(), 'other')).status, 404)
    })

    it('is refused the same again, though it would be taken by now', async () => {
      const key = newKey()
      const first = await create(key, {})
      const second = await create(key)
      assert.equal(first.status, 400)
      assert.deepEqual([second.status, second.body], [400, first.body])
      const hidden = newKey()
      const ask = () => server.call('PATCH', `${categories()}999/`, { name: 'x' }, withKey(hidden))
      assert.deepEqual([(await ask()).status, (await ask()).status], [404, 404])
    })

    it('is answered without a body again where it was', async () => {
      const { body } = await server.call('POST', categories(), { name: 'Gone' })
      const key = newKey()
      const remove = () =>
        server.call('DELETE', `${categories()}${(body as { id: number }).id}/`, undefined, withKey(key))
      const answers = [await remove(), await remove()]
      assert.deepEqual(
        answers.map((one) => [one.status, one.body]),
        [
          [204, ''],
          [204, ''],
        ],
      )
    })

    it('is not known by its key where it only reads', async () => {
      const key = newKey()
      const look = async () =>
        ((await server.call('GET', categories(), undefined, withKey(key))).body as { count: number }).count
      const amount = await look()
      await create(newKey())
      assert.equal(await look(), amount + 1)
      assert.equal((await asked(key)).status, 404)
    })

    it('can be asked about with the same credential', async () => {
      const key = newKey()
      const first = await create(key)
      const again = await asked(key)
      assert.deepEqual([again.status, again.body], [201, first.body])
      assert.equal((await asked(key, 'other')).status, 404)
      assert.equal((await asked('')).status, 404)
      assert.equal((await asked(key, 'nobody')).status, 401)
    })

    it('is told to wait while the first one is still being carried out', async () => {
      const key = newKey()
      const first = request(server.url + categories(), {
        method: 'POST',
        headers: { ...withKey(key), 'Content-Type': 'application/json' },
      })
      const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
        first.once('error', reject)
        first.once('response', (answer) =>
          text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject),
        )
      })
      first.write('{"name": ')
      for (let look = 0; look < 500 && (await asked(key)).status === 404; look += 1);
      for (const answer of [await asked(key), await create(key)]) {
        assert.equal(answer.status, 409)
        assert.equal(answer.headers.get('retry-after'), '5')
      }
      first.end('"Slow"}')
      const { status, body } = await answered
      assert.equal(status, 201)
      assert.deepEqual((await create(key)).body, JSON.parse(body))
    })

    it('is carried out once where it is sent many times at once', async () => {
      const key = newKey()
      const amount = await stored()
      const answers = await Promise.all(Array.from({ length: 6 }, () => create(key)))
      assert.equal(await stored(), amount + 1)
      const statuses = answers.map(({ status }) => status)
      assert.ok(statuses.includes(201))
      assert.deepEqual(
        statuses.filter((status) => status !== 201 && status !== 409),
        [],
      )
    })

    it('is begun anew at once where nothing was done and the end of it could not be stored', async () => {
      const key = newKey()
      await create(key)
      await server.running.transactions.database.run(sql`UPDATE kept_answer SET "answer" = NULL`)
      assert.equal((await create(key)).status, 201)
    })

    it('of another program that has ended is begun anew, at the latest once it has said nothing for 15 s', async () => {
      const key = newKey()
      await create(key)
      const { database } = server.running.transactions
      await database.run(sql`UPDATE kept_answer SET "answer" = NULL, "attempt" = ${'other:1'}`)
      // A SQLite file has one program, so that another one cannot be at work any more.
      if (database.engine === 'postgres') assert.equal((await create(key)).status, 409)
      shift += 15_100
      assert.equal((await create(key)).status, 201)
    })

    it('is not carried out by an attempt that another one has taken over', async () => {
      const { transactions } = server.running
      const key = requestKey('somebody', newKey())
      const [slow, quick] = [new OpenAttempts('slow'), new OpenAttempts('quick')]
      const [first, second] = [
        { key, name: slow.begin() },
        { key, name: quick.begin() },
      ]
      const answer = { status: 201, headers: {}, body: '' }
      assert.equal(await beginRequest(transactions, first, slow), null)
      shift += 15_100
      assert.equal(await beginRequest(transactions, second, quick), null)
      await assert.rejects(
        transactions.write(async (tx) => {
          await tx.run(sql`UPDATE organizer SET name = 'Twice'`)
          await storeAnswer(tx, first, answer)
        }),
        Refusal,
      )
      await transactions.write((tx) => storeAnswer(tx, second, answer))
      assert.deepEqual(await beginRequest(transactions, first, slow), answer)
      const twice = await transactions.database.all(sql`SELECT id FROM organizer WHERE name = 'Twice'`)
      assert.deepEqual(twice, [])
    })

    it('is known to have been passed upstream until it is answered', async () => {
      const { transactions } = server.running
      const key = requestKey('somebody', newKey())
      const open = new OpenAttempts('station')
      for (let time = 0; time < 2; time += 1) {
        const attempt = { key, name: open.begin() }
        assert.equal(await beginRequest(transactions, attempt, open), null)
        assert.equal(await wasPassedUp(transactions.database, key), time > 0)
        await notePassedUp(transactions, attempt)
        await endRequest(transactions, attempt, null)
        open.end(attempt.name)
      }
    })

    it('is waited for where another program says that it is at it', async () => {
      const { transactions } = server.running
      if (transactions.database.engine === 'sqlite') return
      const key = requestKey('somebody', newKey())
      const [busy, other] = [new OpenAttempts('busy'), new OpenAttempts('other')]
      const attempt = { key, name: busy.begin() }
      assert.equal(await beginRequest(transactions, attempt, busy), null)
      for (let time = 0; time < 3; time += 1) {
        shift += 10_000
        await renewAttempt(transactions, attempt)
        assert.equal(await beginRequest(transactions, { key, name: other.begin() }, other), 'running')
      }
    })

    it('is forgotten after a day', async () => {
      const key = newKey()
      const first = await create(key)
      shift += hours(23.9)
      assert.equal(idOf(await create(key)), idOf(first))
      shift += hours(0.2)
      assert.equal((await asked(key)).status, 404)
      assert.notEqual(idOf(await create(key)), idOf(first))
      const { transactions } = server.running
      const left = async () => (await transactions.database.all(sql`SELECT key_hash FROM kept_answer`)).length
      assert.ok((await left()) > 1)
      await forgetAnswers(transactions, new Date(realEnv.now() + shift).toISOString())
      assert.equal(await left(), 1)
    })

    it('is not known where nobody knows who sends it, and then nothing is stored', async () => {
      const key = newKey()
      const left = async () =>
        (await server.running.transactions.database.all(sql`SELECT key_hash FROM kept_answer`)).length
      const amount = await left()
      assert.equal((await create(key, undefined, 'nobody')).status, 401)
      assert.equal(await left(), amount)
    })

    it('leaves nothing readable in the database, neither key nor credential nor what was shown once', async () => {
      const key = 'a-key-that-is-planted'
      const tokens = `${server.org}/teams/`
      const team = await server.call('GET', tokens)
      const [first] = (team.body as { results: { id: number }[] }).results
      const made = await server.call('POST', `${tokens}${first?.id}/tokens/`, { name: 'T' }, withKey(key))
      const { token } = made.body as { token: string }
      assert.ok(token.length > 20)
      const again = await server.call('POST', `${tokens}${first?.id}/tokens/`, { name: 'T' }, withKey(key))
      assert.deepEqual(again.body, made.body)
      const rows = JSON.stringify(
        await server.running.transactions.database.all(sql`SELECT * FROM kept_answer`),
      )
      for (const secret of [key, token, Buffer.from(token).toString('base64').slice(4, 20)])
        assert.ok(!rows.includes(secret))
    })
  })

describe('a request with a key of a device', () => {
  it('is answered by its profile of now, not as it was answered before', async () => {
    const server = await startTestServer()
    const { transactions } = server.running
    const place = { organizer: server.organizer, event: server.event }
    await transactions.write(async (tx) => {
      const day = await addItem(tx, place, 'Day')
      await addList(tx, place, 'Doors')
      await addOrder(tx, place, [{ item: day, secret: 'ann', price: '10.00' }])
      await addDevice(tx, server.organizer, 9, 'till', { security_profile: 'boxoffice' })
    })
    const lists = await transactions.database.all<{ id: number }>(sql`SELECT id FROM checkin_list`)
    const headers = { Authorization: 'Device till', 'X-Idempotency-Key': 'once' }
    const body = { secret: 'ann', lists: lists.map((list) => list.id), nonce: 'first' }
    const redeem = async () =>
      JSON.stringify((await server.call('POST', `${server.org}/checkinrpc/redeem/`, body, headers)).body)
    const query = async () =>
      fetch(`${server.url}/api/v1/idempotency_query?key=once`, { headers }).then((answer) => answer.text())
    const before = await redeem()
    assert.match(before, /"price":"10.00"/)
    assert.equal(await query(), before)
    const narrowed = await server.call('PATCH', `${server.org}/devices/9/`, { security_profile: 'gate' })
    assert.equal(narrowed.status, 200, JSON.stringify(narrowed.body))
    for (const shown of [await query(), await redeem(), await query()]) assert.doesNotMatch(shown, /10\.00/)
    assert.equal((await transactions.database.all(sql`SELECT id FROM checkin`)).length, 1)
    await server.close()
  })
})

describe('a request with a key of somebody who may see less by now', () => {
  let server: TestServer
  let ball = 0
  before(async () => {
    server = await startTestServer()
    const { transactions } = server.running
    await transactions.write(async (tx) => {
      const event = await addEvent(tx, server.organizer, 'ball')
      const place = { organizer: server.organizer, event }
      const day = await addItem(tx, place, 'Day')
      ball = await addList(tx, place, 'Doors')
      await addOrder(tx, place, [{ item: day, secret: 'ann' }])
    })
  })
  after(() => server.close())

  const keyed = (credential: string, key: string) => ({ Authorization: credential, 'X-Idempotency-Key': key })
  const query = async (credential: string, key: string) => {
    const answer = await fetch(`${server.url}/api/v1/idempotency_query?key=${key}`, {
      headers: { Authorization: credential },
    })
    return answer.status
  }
  const narrow = async (path: string, change: Record<string, unknown>) => {
    const answer = await server.call('PATCH', `${server.org}${path}`, change)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  /** A device for both events. */
  const bothEvents = async (number: number, token: string) => {
    const rights = { all_events: false, limit_events: ['gala', 'ball'], security_profile: 'full' }
    await server.running.transactions.write((tx) => addDevice(tx, server.organizer, number, token, rights))
    return `Device ${token}`
  }

  it('is not answered again to a device whose events have become fewer', async () => {
    const credential = await bothEvents(21, 'fewer')
    const redeem = () =>
      server.call(
        'POST',
        `${server.org}/checkinrpc/redeem/`,
        { secret: 'ann', lists: [ball], nonce: 'one' },
        keyed(credential, 'scan'),
      )
    assert.match(JSON.stringify((await redeem()).body), /"status":"ok"/)
    assert.deepEqual([(await redeem()).status, await query(credential, 'scan')], [201, 201])
    await narrow('/devices/21/', { limit_events: ['gala'] })
    const again = await redeem()
    assert.deepEqual([again.status, await query(credential, 'scan')], [403, 403])
    assert.doesNotMatch(JSON.stringify(again.body), /ann/)
    await narrow('/devices/21/', { limit_events: ['gala', 'ball'] })
    assert.equal((await redeem()).status, 201)
  })

  it('is answered again where it was about an event that they may still see', async () => {
    const credential = await bothEvents(22, 'still')
    const fail = () =>
      server.call(
        'POST',
        `${server.org}/events/ball/checkinlists/${ball}/failed_checkins/`,
        { raw_barcode: 'nobody', error_reason: 'invalid' },
        keyed(credential, 'failed'),
      )
    const first = await fail()
    assert.equal(first.status, 201, JSON.stringify(first.body))
    await narrow('/devices/22/', { limit_events: ['ball'] })
    assert.deepEqual([(await fail()).status, await query(credential, 'failed')], [201, 201])
    await narrow('/devices/22/', { limit_events: ['gala'] })
    assert.deepEqual([(await fail()).status, await query(credential, 'failed')], [403, 403])
  })

  it('is not answered again to a team that has lost a right', async () => {
    const team = await server.call('POST', `${server.org}/teams/`, {
      ...{ name: 'Items', all_events: true, can_change_items: true, can_view_orders: true },
    })
    const { id } = team.body as { id: number }
    const made = await server.call('POST', `${server.org}/teams/${id}/tokens/`, { name: 'Script' })
    const credential = `Token ${(made.body as { token: string }).token}`
    const create = () =>
      server.call('POST', `${server.ev}/categories/`, { name: 'Tickets' }, keyed(credential, 'category'))
    assert.deepEqual([(await create()).status, (await create()).status], [201, 201])
    await narrow(`/teams/${id}/`, { can_change_items: false })
    assert.deepEqual([(await create()).status, await query(credential, 'category')], [403, 403])
  })
})

describe('a request with a key that fails here', () => {
  it('is carried out when it is made again', async () => {
    const server = await startTestServer()
    const { database } = server.running.transactions
    const create = () =>
      fetch(`${server.url}${server.ev}/categories/`, {
        method: 'POST',
        headers: {
          Authorization: 'Token all',
          'Content-Type': 'application/json',
          'X-Idempotency-Key': 'again',
        },
        body: '{"name": "T"}',
      })
    await database.script('ALTER TABLE category RENAME TO category_away;')
    assert.equal((await create()).status, 500)
    await database.script('ALTER TABLE category_away RENAME TO category;')
    assert.equal((await create()).status, 201)
    assert.equal((await create()).status, 201)
    assert.equal((await database.all(sql`SELECT id FROM category`)).length, 1)
    await server.close()
  })
})
