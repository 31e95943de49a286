import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import sql from 'sql-template-tag'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { type FactResult, protocol, type SentFact, syncHeader } from '../../../schema/sync.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { addOrganizer, addToken, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice, addList } from '../../support/ticketing/tickets.ts'

const siteSpan = 2 ** 32
const moment = '2024-06-01T10:00:00.000000Z'

describe('POST …/sync/push/ and what belongs to it', () => {
  let server: TestServer
  let device = 0
  let list = 0
  let seq = 0
  before(async () => {
    server = await startTestServer()
    const { organizer, event } = server
    await server.running.transactions.write(async (tx) => {
      await tx.run(sql`UPDATE node SET next_site = 100 WHERE id = 1`)
      list = await addList(tx, { organizer, event }, 'Main')
      device = await addDevice(tx, organizer, 1, 'gate-token', { site: 50, site_end: 51 })
      await addToken(tx, organizer, 'viewer', { all_events: true, can_view_orders: true })
      const other = await addOrganizer(tx, 'other')
      await addDevice(tx, other, 1, 'foreign-token', { site: 60, site_end: 61 })
    })
  })
  after(() => server.close())

  /** The fact of an unknown code that was scanned. */
  function scan(change: Partial<SentFact> = {}): SentFact {
    seq += 1
    const row = {
      ...blankRow(checkin),
      id: 50 * siteSpan + seq,
      successful: false,
      error_reason: 'invalid',
      datetime: moment,
      created: moment,
      list,
      device,
      type: 'entry',
      nonce: `scan ${seq}`,
      raw_barcode: `code ${seq}`,
      site: 50,
    }
    return {
      nonce: `fact ${seq}`,
      kind: 'checkin',
      event: server.event,
      site: 50,
      site_seq: seq,
      device,
      device_time: moment,
      mono: 0,
      boot: 'b',
      clock_offset: 0,
      payload: { row, secret: null },
      ...change,
    }
  }

  const pushOf = (facts: readonly unknown[], change: object = {}): object => ({
    protocol,
    boot: 'b',
    mono: 0,
    device_time: moment,
    clock_offset: 0,
    facts,
    ...change,
  })

  async function post(
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    org = server.org,
  ) {
    const answer = await fetch(`${server.url}${org}/sync/push/`, {
      method: 'POST',
      headers: { Authorization: 'Device gate-token', 'Content-Type': 'application/json', ...headers },
      body,
    })
    const text = await answer.text()
    return { status: answer.status, ours: answer.headers.get(syncHeader), body: JSON.parse(text) }
  }

  const push = (facts: readonly unknown[], headers?: Record<string, string>) =>
    post(JSON.stringify(pushOf(facts)), headers)

  const words = (body: { results: readonly FactResult[] }): string[] =>
    body.results.map(({ status }) => status)

  const kept = async (): Promise<number> => {
    const row = await server.running.transactions.database.get<{ count: number }>(
      sql`SELECT count(*) AS count FROM checkin`,
    )
    return Number(row?.count)
  }

  it('answers one result for each fact, and the same again', async () => {
    const facts = [scan(), scan({ event: 4711 }), scan()]
    const first = await push(facts)
    assert.deepEqual([first.status, first.ours, first.body.protocol], [200, '1', 1])
    assert.deepEqual(words(first.body), ['applied', 'rejected', 'applied'])
    assert.deepEqual(
      first.body.results.map(({ nonce }: FactResult) => nonce),
      facts.map(({ nonce }) => nonce),
    )
    assert.deepEqual(words((await push(facts)).body), ['duplicate', 'rejected', 'duplicate'])
  })

  it('takes packed bodies', async () => {
    const body = gzipSync(JSON.stringify(pushOf([scan()])))
    const answer = await post(body, { 'Content-Encoding': 'gzip' })
    assert.deepEqual([answer.status, words(answer.body)], [200, ['applied']])
  })

  it('keeps what one of many transactions has done when the answer is lost', async () => {
    const facts = Array.from({ length: 60 }, () => scan())
    const before = await kept()
    await push(facts)
    assert.ok((await push(facts)).body.results.every(({ status }: FactResult) => status === 'duplicate'))
    assert.equal(await kept(), before + 60)
  })

  it('refuses more than 500 facts with 413, and takes 500', async () => {
    const facts = Array.from({ length: 501 }, () => scan())
    const refused = await push(facts)
    assert.deepEqual([refused.status, refused.ours], [413, '1'])
    const taken = await push(facts.slice(1))
    assert.deepEqual([taken.status, taken.body.results.length], [200, 500])
  })

  it('refuses more than four mebibytes with 413, packed or not', async () => {
    const text = JSON.stringify(pushOf([scan({ payload: { text: 'x'.repeat(4.1 * 1024 * 1024) } })]))
    assert.equal((await post(text)).status, 413)
    assert.equal((await post(gzipSync(text), { 'Content-Encoding': 'gzip' })).status, 413)
  })

  const broken: readonly (readonly [
    string,
    string | Uint8Array<ArrayBuffer>,
    Record<string, string>,
    number,
  ])[] = [
    ['no JSON', '{"protocol":1', {}, 400],
    ['no object', '[]', {}, 400],
    ['null', 'null', {}, 400],
    ['no facts', '{"protocol":1}', {}, 400],
    ['not packed although it says so', 'hello', { 'Content-Encoding': 'gzip' }, 400],
    ['packed in another way', 'hello', { 'Content-Encoding': 'br' }, 415],
    ['of a version that is not known yet', '{"protocol":99,"facts":[]}', {}, 426],
  ]
  for (const [what, body, headers, status] of broken)
    it(`refuses a body that is ${what} with ${status}`, async () => {
      const answer = await post(body, headers)
      assert.deepEqual([answer.status, answer.ours], [status, '1'])
    })

  it('judges a fact with characters that cannot be stored by itself', async () => {
    const answer = await push([scan({ payload: { text: '\u0000' } }), scan()])
    assert.deepEqual(words(answer.body), ['rejected', 'applied'])
  })

  it('is for devices alone, and for those of the organizer', async () => {
    const statusFor = async (authorization: string): Promise<number> => {
      const answer = await push([scan()], { Authorization: authorization })
      assert.equal(answer.ours, '1')
      return answer.status
    }
    assert.equal(await statusFor(''), 401)
    assert.equal(await statusFor('Device unknown'), 401)
    assert.equal(await statusFor('Device gate-token more'), 401)
    assert.equal(await statusFor('Token unknown'), 401)
    assert.equal(await statusFor('Token all'), 403)
    assert.equal(await statusFor('Device foreign-token'), 403)
    const nowhere = await post(JSON.stringify(pushOf([])), {}, '/api/v1/organizers/nowhere')
    assert.equal(nowhere.status, 403)
  })

  it('has no other methods', async () => {
    const headers = { Authorization: 'Device gate-token' }
    assert.equal((await server.call('GET', `${server.org}/sync/push/`, undefined, headers)).status, 405)
  })

  describe('from a device whose access was revoked', () => {
    let facts: SentFact[]
    const quarantine = (state = 'waiting') =>
      server.call('GET', `${server.org}/sync/quarantine/?state=${state}`)
    const decide = (body: object, headers?: Record<string, string>) =>
      server.call('POST', `${server.org}/sync/quarantine/apply/`, body, headers)

    before(async () => {
      await server.call('POST', `${server.org}/devices/1/revoke/`)
      facts = [scan(), scan(), scan()]
    })

    it('waits in quarantine, where a person finds it', async () => {
      const before = await kept()
      assert.deepEqual(words((await push(facts)).body), ['quarantined', 'quarantined', 'quarantined'])
      assert.equal(await kept(), before)
      const { body } = await quarantine()
      const { count, results } = body as { count: number; results: Record<string, unknown>[] }
      assert.equal(count, 3)
      const { received, ...first } = results.find(({ nonce }) => nonce === facts[0]?.nonce) ?? {}
      assert.match(String(received), /^\d{4}-/)
      assert.deepEqual(first, {
        nonce: facts[0]?.nonce,
        device,
        device_name: 'gate-token',
        kind: 'checkin',
        event: server.event,
        datetime: '2024-06-01T10:00:00Z',
        datetime_uncertain: false,
        text: `Refused entry, ticket code ${facts[0]?.site_seq}`,
        reason: null,
        detail: null,
        state: 'waiting',
      })
    })

    it('is nothing for those who may not change the organizer', async () => {
      for (const authorization of ['Token viewer', 'Device gate-token']) {
        const headers = { Authorization: authorization }
        const looked = await server.call('GET', `${server.org}/sync/quarantine/`, undefined, headers)
        const status = authorization.startsWith('Device') ? 401 : 403
        assert.equal(looked.status, status)
        assert.equal((await decide({ action: 'apply' }, headers)).status, status)
      }
      assert.equal((await decide({ action: 'burn' })).status, 400)
    })

    it('is discarded or applied as that person decides, once', async () => {
      const before = await kept()
      const discarded = await decide({ action: 'discard', nonces: [facts[0]?.nonce] })
      assert.deepEqual(discarded.body, { applied: 0, discarded: 1, results: [] })
      assert.equal(await kept(), before)
      const applied = await decide({ action: 'apply' })
      assert.equal((applied.body as { applied: number }).applied, 2)
      assert.equal(await kept(), before + 2)
      assert.equal(((await decide({ action: 'apply' })).body as { applied: number }).applied, 0)
      assert.equal(((await quarantine('applied')).body as { count: number }).count, 2)
      assert.equal(((await quarantine('discarded')).body as { count: number }).count, 1)
      assert.deepEqual(words((await push(facts)).body), ['quarantined', 'duplicate', 'duplicate'])
    })

    it('takes as much room as the facts themselves, however many come at once', async () => {
      const many = Array.from({ length: 500 }, () => scan())
      assert.ok(words((await push(many)).body).every((word) => word === 'quarantined'))
      const row = await server.running.transactions.database.get<{ length: number }>(
        sql`SELECT sum(length(fact)) AS length FROM quarantine`,
      )
      const sent = JSON.stringify(many).length
      assert.ok(Number(row?.length) < 1.5 * sent, `${row?.length} characters are stored of ${sent}`)
    })
  })
})
