import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { Database } from '../../../server/storage/database.ts'
import { allRights, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import {
  addPerson,
  addToTeam,
  passwordHash,
  setUpSecondFactor,
  Visitor,
} from '../../support/servers/visitors.ts'

let count = 0

/** A server with users who have accounts, and what tests ask of it. */
export async function openUsersServer(database?: Database) {
  const server: TestServer = await startTestServer(database)
  const visitor = () => new Visitor(server.url)

  /** Somebody new with an account, a member of the organizer. */
  async function somebody(): Promise<{ id: number; email: string }> {
    const hash = await passwordHash()
    count += 1
    const email = `Person${count}@Example.org`
    const id = await server.running.transactions.write(async (tx) => {
      const user = await addPerson(tx, email, hash)
      await addToTeam(tx, server.organizer, user, allRights)
      return user
    })
    return { id, email }
  }

  async function loggedIn() {
    const person = await somebody()
    const browser = visitor()
    const shown = await browser.logIn(person.email)
    assert.equal(shown.location, '/account/')
    return { ...person, browser }
  }

  const sessionCookie = (browser: Visitor): string => browser.cookies.get('gatehouse_session') ?? ''
  const isIn = async (browser: Visitor): Promise<boolean> => (await browser.get('/account/')).status === 200

  /** Somebody who is logged in and has set up a second factor; its secret and the recovery codes. */
  async function withSecondFactor() {
    const somebodyNew = await loggedIn()
    const { secret, shown } = await setUpSecondFactor(somebodyNew.browser)
    const codes = [...shown.text.matchAll(/<li>([a-z0-9-]{29})<\/li>/g)].map(([, code]) => String(code))
    assert.equal(codes.length, 8)
    return { ...somebodyNew, secret, codes }
  }

  /** Gives the password and then a code. */
  async function inTwoSteps(email: string, code: string) {
    const browser = visitor()
    assert.equal((await browser.logIn(email)).location, '/login/code')
    assert.equal(await isIn(browser), false, 'the password alone must not be enough')
    const shown = await browser.fill('/login/code', { code })
    return { browser, shown }
  }

  /** The address in the last mail to somebody, with its secret in the query, as links had it once. */
  async function mailedLink(email: string): Promise<string> {
    const row = await server.running.transactions.database.get<{ text: string }>(
      sql`SELECT "text" FROM mail WHERE "recipient" = ${email} ORDER BY id DESC LIMIT 1`,
    )
    return (/https?:\S+/.exec(row?.text ?? '')?.[0] ?? '').replace('#token=', '?token=')
  }

  /** What somebody was mailed since the last look, by its template, with the texts. */
  async function newMails(email: string): Promise<{ template: string; text: string }[]> {
    const { transactions } = server.running
    return transactions.write(async (tx) => {
      const rows = await tx.all<{ template: string; text: string }>(
        sql`SELECT "template", "text" FROM mail WHERE "recipient" = ${email} ORDER BY id`,
      )
      await tx.run(sql`DELETE FROM mail WHERE "recipient" = ${email}`)
      return rows
    })
  }

  return {
    server,
    visitor,
    somebody,
    loggedIn,
    sessionCookie,
    isIn,
    withSecondFactor,
    inTwoSteps,
    mailedLink,
    newMails,
  }
}

/** Such a server, as tests use it. */
export type UsersServer = Awaited<ReturnType<typeof openUsersServer>>
