import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { realEnv } from '../../../server/env.ts'
import type { Log } from '../../../server/log.ts'
import { type Running, startServer } from '../../../server/serve.ts'
import {
  addPerson,
  codeOf,
  passwordHash,
  setUpSecondFactor,
  Visitor,
} from '../../support/servers/visitors.ts'

describe('what is left of logins, to be looked at later', () => {
  const lines: { event: string; fields: unknown }[] = []
  const note = (event: string, fields: unknown) => void lines.push({ event, fields })
  const log: Log = { info: note, warn: note, error: note }
  const email = 'ada.lovelace@example.org'
  let running: Running

  before(async () => {
    const config = { database: ':memory:', host: '127.0.0.1', port: 0, stationKey: null }
    running = await startServer(config, realEnv, log)
    const hash = await passwordHash()
    await running.transactions.write((tx) => addPerson(tx, email, hash))
  })
  after(() => running.close())
  beforeEach(() => {
    lines.length = 0
  })

  const trail = async () => {
    const rows = await running.transactions.database.all<{ action: string; actor: string; at: string }>(
      sql`SELECT action, actor, at FROM audit WHERE resource = 'app_user' ORDER BY at, id`,
    )
    return rows.map(({ action, at }) => {
      assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      return action.replace('ticketsvc.user.', '')
    })
  }

  it('is the login, its end, and what was changed about getting in', async () => {
    const browser = new Visitor(running.url)
    assert.equal((await browser.logIn(email)).location, '/account/')
    const { secret } = await setUpSecondFactor(browser)
    await browser.fill('/account/', {}, '/logout')
    await browser.logIn(email)
    assert.equal((await browser.fill('/login/code', { code: codeOf(secret) })).location, '/account/')
    assert.deepEqual(await trail(), ['login', '2fa.enabled', 'logout', 'login'])
  })

  it('is each refused attempt, in the log and without who or what was tried', async () => {
    const browser = new Visitor(running.url)
    const guess = 'a guess that is wrong'
    for (const address of [email, 'nobody.at.all@example.org'])
      assert.equal((await browser.fill('/login', { email: address, password: guess })).status, 403)
    await browser.logIn(email)
    assert.equal((await browser.fill('/login/code', { code: '000000' })).status, 403)
    // That mails wait comes into the log when the job for them gets round to it.
    const ofLogins = lines.map(({ event }) => event).filter((event) => !event.startsWith('mails wait'))
    assert.deepEqual(ofLogins, ['login refused', 'login refused', 'code refused'])
    assert.doesNotMatch(JSON.stringify(lines), /ada|lovelace|nobody|guess|000000/i)
  })
})
