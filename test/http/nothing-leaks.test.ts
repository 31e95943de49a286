import assert from 'node:assert/strict'
import sql, { raw } from 'sql-template-tag'
import { realEnv } from '../../server/env.ts'
import { openLog, withoutValues } from '../../server/log.ts'
import { type Running, startServer } from '../../server/serve.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import type { Database } from '../../server/storage/database.ts'
import { engines } from '../support/engines/engines.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../support/servers/servers.ts'
import { addPerson, addToTeam, hidden, Visitor } from '../support/servers/visitors.ts'
import { addDevice, addItem, addList, addOrder } from '../support/ticketing/tickets.ts'

/** What must be found nowhere but where it belongs. */
const planted = {
  name: 'Zebulon Quixotica',
  mail: 'zebulon.quixotica@planted.example',
  ticket: 'plantedticketsecret2345678',
  token: 'planted-team-token-0123456789',
  device: 'planted-device-token-0123456789',
  key: 'planted-idempotency-key-0123',
  password: 'planted correct horse battery',
  wrong: 'planted wrong password here',
}

const canaries = [...Object.values(planted), 'Quixotica', 'planted.example']

const tablesOf = async (database: Database): Promise<string[]> => {
  const rows = await database.all<{ name: string }>(
    database.engine === 'sqlite'
      ? sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'position_search%' AND name NOT LIKE 'sqlite%'`
      : sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
  )
  return rows.map(({ name }) => name)
}

for (const { name, open } of engines)
  describe(`secrets and personal data that were planted, on ${name}`, () => {
    let running: Running
    let logged = ''
    const metrics: string[] = []
    /** Bodies of refusals, each with what was sent to get it. */
    const refusals: { readonly sent: string; readonly status: number; readonly body: string }[] = []
    const secrets: string[] = [planted.token, planted.device, planted.key, planted.password, planted.wrong]
    const ev = '/api/v1/organizers/acme/events/gala'

    async function ask(
      method: string,
      path: string,
      body?: unknown,
      authorization = `Token ${planted.token}`,
    ): Promise<{ status: number; body: string }> {
      const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await fetch(running.url + path, {
        method,
        headers: {
          Authorization: authorization,
          'X-Idempotency-Key': `${planted.key}-${refusals.length}-${Math.random()}`,
          ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        body: text,
      })
      const answered = await answer.text()
      if (answer.status >= 400)
        refusals.push({ sent: `${path} ${text ?? ''}`, status: answer.status, body: answered })
      return { status: answer.status, body: answered }
    }

    async function breakTable(table: string, work: () => Promise<void>): Promise<void> {
      const { database } = running.transactions
      await database.script(`ALTER TABLE ${table} RENAME TO ${table}_away;`)
      await work()
      await database.script(`ALTER TABLE ${table}_away RENAME TO ${table};`)
    }

    before(async () => {
      const log = openLog('trace', {
        write(line: string) {
          logged += line
        },
      })
      running = await startServer(
        { database: ':memory:', host: '127.0.0.1', port: 0, stationKey: null },
        realEnv,
        log,
        await open(),
      )
      const { transactions } = running
      const hash = await hashPassword(planted.password)
      const { list, item } = await transactions.write(async (tx) => {
        const organizer = await addOrganizer(tx, 'acme')
        await addToken(tx, organizer, planted.token, allRights)
        await tx.run(sql`UPDATE team_token SET name = 'named'`)
        await tx.run(sql`UPDATE team SET name = 'named'`)
        await addDevice(tx, organizer, 1, planted.device, { all_events: true })
        await tx.run(sql`UPDATE device SET name = 'named'`)
        await addToTeam(tx, organizer, await addPerson(tx, planted.mail, hash), allRights)
        const place = { organizer, event: await addEvent(tx, organizer, 'gala') }
        const item = await addItem(tx, place, 'Ticket')
        const sold = {
          item,
          secret: planted.ticket,
          attendee_name: planted.name,
          attendee_name_parts: { full_name: planted.name },
          attendee_email: planted.mail,
        }
        await addOrder(tx, place, [sold], { email: planted.mail })
        return { list: await addList(tx, place, 'Door'), item }
      })

      const redeem = (secret: string, authorization?: string) =>
        ask('POST', '/api/v1/organizers/acme/checkinrpc/redeem/', { secret, lists: [list] }, authorization)
      const inPath = (secret: string) =>
        ask('POST', `${ev}/checkinlists/${list}/positions/${secret}/redeem/`, {})
      const order = {
        email: planted.mail,
        locale: 'en',
        force: true,
        sales_channel: 'web',
        positions: [
          {
            item,
            price: '0.00',
            attendee_name: planted.name,
            attendee_email: planted.mail,
            secret: `${planted.ticket}x`,
          },
        ],
      }
      assert.equal((await redeem(planted.ticket)).status, 201)
      await redeem(planted.ticket, `Device ${planted.device}`)
      await inPath(planted.ticket)
      await inPath(`${planted.ticket}unknown`)
      const placed = await ask('POST', `${ev}/orders/`, order)
      assert.equal(placed.status, 201, placed.body)
      await ask('POST', `${ev}/orders/`, {
        ...order,
        positions: [{ item: planted.name, attendee_name: planted.name }],
      })
      await ask('POST', `${ev}/orders/`, `{"email": "${planted.mail}", ${planted.name}`)
      await ask(
        'GET',
        `${ev}/orders/?email=${encodeURIComponent(planted.mail)}&modified_since=${planted.name}`,
      )
      await ask('GET', `${ev}/orderpositions/?search=${encodeURIComponent(planted.name)}`)
      for (const authorization of [
        `Token ${planted.token}x`,
        `Bearer ${planted.token}`,
        planted.password,
        `Device ${planted.token}`,
      ])
        await ask('GET', `${ev}/orders/`, undefined, authorization)
      assert.equal(
        (await ask('GET', '/api/v1/organizers/acme/teams/', undefined, `Device ${planted.device}`)).status,
        403,
      )
      for (const table of ['order_position', 'orders', 'audit', 'checkin', 'team_token', 'organizer'])
        await breakTable(table, async () => {
          await redeem(`${planted.ticket}y`)
          await inPath(`${planted.ticket}z`)
          await ask('POST', `${ev}/orders/`, order)
          await ask('GET', `${ev}/orders/?email=${encodeURIComponent(planted.mail)}`)
        })

      const browser = new Visitor(running.url)
      const logIn = async (password: string) => {
        const page = await browser.get('/login')
        return browser.send('/login', { csrf: hidden(page, 'csrf'), email: planted.mail, password })
      }
      await logIn(planted.wrong)
      assert.equal((await logIn(planted.password)).location, '/account/')
      const account = await browser.get('/account/')
      assert.equal(account.status, 200)
      secrets.push(...browser.cookies.values())
      await breakTable('user_session', async () => {
        assert.equal((await browser.get('/account/')).status, 500)
      })
      const made: unknown[] = [
        JSON.parse((await ask('GET', '/api/v1/organizers/acme/teams/')).body).results[0].id,
      ]
      const token = await ask('POST', `/api/v1/organizers/acme/teams/${made[0]}/tokens/`, { name: 'made' })
      secrets.push(JSON.parse(token.body).token)
      const { body } = await ask('GET', '/metrics')
      metrics.push(body)
    })
    after(() => running.close())

    it('are in no line of the log, though much has failed', () => {
      const lines = logged.trim().split('\n')
      const failures = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'failed')
      assert.ok(failures.length >= 10, `${failures.length}`)
      for (const { id, method, route, stack } of failures) {
        assert.ok(typeof id === 'string' && typeof method === 'string' && typeof route === 'string')
        assert.match(stack, /^\w+:.*\n +at /)
      }
      assert.ok(
        failures.some(
          ({ route }) => route.endsWith('/positions/:position/redeem/') || route.includes('/redeem/'),
        ),
      )
      for (const canary of [...canaries, ...secrets]) assert.ok(!logged.includes(canary), canary)
    })

    it('are in no line that tells who was refused what', () => {
      const refused = logged
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ event }) => event === 'refused')
      assert.ok(refused.some(({ status, actor }) => status === 401 && actor === undefined))
      const [device] = refused.filter(({ status }) => status === 403)
      assert.match(device?.actor, /^device \d+$/)
      assert.equal(device?.route, '/api/v1/organizers/:organizer/teams/')
    })

    it('are in no answer to a request that failed, unless the caller has just sent them', () => {
      assert.ok(refusals.filter(({ status }) => status === 500).length >= 10)
      const wrong = refusals.filter(({ sent, status, body }) =>
        canaries.some(
          (canary) => body.includes(canary) && (status === 500 || !decodeURIComponent(sent).includes(canary)),
        ),
      )
      assert.deepEqual(
        // A ticket that is refused is shown to those who may scan it.
        wrong.filter(({ body }) => !body.includes('already_redeemed')),
        [],
      )
      for (const { body } of refusals) {
        for (const secret of secrets) assert.ok(!body.includes(secret))
        assert.doesNotMatch(body, /\bat \S+ \(|SELECT |INSERT |\/server\/|node_modules/)
      }
    })

    it('are not in the metrics', () => {
      assert.match(metrics.join(), /gatehouse_http_requests_total\{.*status="500"\}/)
      for (const canary of [...canaries, ...secrets, 'acme', 'gala'])
        assert.ok(!metrics.join().includes(canary), canary)
    })

    it('are in no table where they are secrets, whole or encoded', async () => {
      const { database } = running.transactions
      const tables = await tablesOf(database)
      for (const table of [
        'team_token',
        'device',
        'app_user',
        'user_session',
        'kept_answer',
        'sign_in_attempt',
        'audit',
      ])
        assert.ok(tables.includes(table), table)
      for (const table of tables) {
        const text = JSON.stringify(await database.all(raw(`SELECT * FROM "${table}"`)))
        for (const secret of secrets) {
          assert.ok(secret.length >= 16)
          for (const form of [
            secret,
            Buffer.from(secret).toString('base64').replace(/=+$/, ''),
            Buffer.from(secret).toString('hex'),
          ])
            assert.ok(!text.includes(form), `${secret} in ${table}`)
        }
      }
    })

    it('are not in columns that must hold digests only', async () => {
      const { database } = running.transactions
      let looked = 0
      for (const table of await tablesOf(database)) {
        const rows = await database.all(raw(`SELECT * FROM "${table}"`))
        for (const row of rows)
          for (const [column, value] of Object.entries(row)) {
            if (!/_hash$/.test(column) || value === null) continue
            looked += 1
            assert.match(
              String(value),
              /^([0-9a-f]{64}|[\w-]{43}|\$(argon2id|scrypt)\$.+)$/,
              `${table}.${column}`,
            )
          }
      }
      assert.ok(looked > 10, `${looked}`)
    })
  })

describe('the text of a failure in the log', () => {
  for (const [text, kept] of [
    ['invalid input syntax for type bigint: "Ada"', 'invalid input syntax for type bigint: …'],
    ['relation "order_position" does not exist', 'relation "order_position" does not exist'],
    ['Key (email)=(ada@example.org) already exists.', 'Key (email)=(…) already exists.'],
    ['no mailbox ada@example.org here', 'no mailbox … here'],
    ['ticket abcdefghjkmnpqrstuvwxyz2345 failed', 'ticket … failed'],
    ['at Object.call (file:///work/server/a.ts:1:2)', 'at Object.call (file:///work/server/a.ts:1:2)'],
  ] as const)
    it(`becomes “${kept}”`, () => assert.equal(withoutValues(text), kept))
})
