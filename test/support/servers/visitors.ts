import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import sql from 'sql-template-tag'
import { team } from '../../../schema/resources/accounts/team.ts'
import { teamMember } from '../../../schema/resources/accounts/team-member.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import type { Tx } from '../../../server/resource/transactions.ts'
import { hashPassword } from '../../../server/services/accounts/passwords.ts'

/** The password of every person in tests; hashing takes long, so it is done once. */
export const password = 'correct horse battery'

let hashed: Promise<string> | undefined

/** Adds somebody with an account; the id. */
export async function addPerson(tx: Tx, email: string, passwordHash: string): Promise<number> {
  const id = tx.nextId()
  await tx.run(
    sql`INSERT INTO app_user (id, email, email_key, password_hash, fullname, locale, timezone, is_staff, created)
        VALUES (${id}, ${email}, ${email.toLowerCase()}, ${passwordHash}, 'Ada Lovelace', 'en', 'Europe/Berlin', 0, ${tx.now})`,
  )
  return id
}

/** The hash of the password of every person in tests. */
export function passwordHash(): Promise<string> {
  hashed ??= hashPassword(password)
  return hashed
}

/** Puts somebody into a new team with these rights. */
export async function addToTeam(tx: Tx, organizer: number, user: number, rights: RowData): Promise<number> {
  const place = { organizer, event: 0 }
  const id = tx.nextId()
  await insertRow(tx, team, place, { ...blankRow(team), name: `of ${user}`, ...rights, id })
  await insertRow(tx, teamMember, place, { ...blankRow(teamMember), id: tx.nextId(), user, team: id })
  return id
}

/** What a visitor was answered. */
export interface Shown {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  /** Where the browser is sent on to, or an empty text. */
  readonly location: string
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The value that a page has in a hidden field. */
export function hidden(shown: Shown, name: string): string {
  const found = new RegExp(`name="${name}" value="([^"]*)"`).exec(shown.text)?.[1]
  assert.ok(found !== undefined, `no hidden ${name} in: ${shown.text}`)
  return unescaped(found)
}

/** A browser without its screen: keeps cookies, follows nothing by itself. */
export class Visitor {
  readonly #url: string
  readonly cookies = new Map<string, string>()

  constructor(url: string) {
    this.#url = url
  }

  async ask(path: string, options: RequestInit & { headers?: Record<string, string> } = {}): Promise<Shown> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(path.startsWith('http') ? path : this.#url + path, {
      redirect: 'manual',
      ...options,
      headers: { ...(cookie === '' ? {} : { Cookie: cookie }), ...options.headers },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.cookies.set(name, value)
    }
    const { status, headers } = answer
    return { status, headers, text: await answer.text(), location: headers.get('location') ?? '' }
  }

  get = (path: string): Promise<Shown> => this.ask(path)

  /** Sends a form as it is. */
  send(
    path: string,
    fields: Readonly<Record<string, string>> | URLSearchParams,
    headers: Record<string, string> = {},
  ): Promise<Shown> {
    return this.ask(path, { method: 'POST', body: new URLSearchParams(fields), headers })
  }

  /** Loads a page and sends the form that is on it, as a browser would. */
  async fill(page: string, fields: Readonly<Record<string, string>>, action = page): Promise<Shown> {
    const shown = await this.get(page)
    assert.equal(shown.status, 200, `${page}: ${shown.status} ${shown.location} ${shown.text}`)
    return this.send(action, { csrf: hidden(shown, 'csrf'), ...fields })
  }

  /** Logs in with the password. */
  async logIn(email: string, next = ''): Promise<Shown> {
    const shown = await this.get('/login')
    return this.send('/login', { csrf: hidden(shown, 'csrf'), email, password, next })
  }
}

/**
 * Sets up the second factor of somebody who is logged in, with the code before the one that is shown now, so that the next
 * login can use that. The code is too old where its step ends meanwhile; then with the one that is before it by then.
 */
export async function setUpSecondFactor(browser: Visitor): Promise<{ secret: string; shown: Shown }> {
  const page = await browser.get('/account/second-factor')
  const secret = hidden(page, 'secret')
  const send = () =>
    browser.send('/account/second-factor', {
      csrf: hidden(page, 'csrf'),
      secret,
      code: codeOf(secret, -1),
      password,
    })
  let shown = await send()
  for (let tries = 1; shown.status !== 200 && tries < 3; tries += 1) shown = await send()
  assert.equal(shown.status, 200, shown.text)
  return { secret, shown }
}

/** The code that an app shows for a secret, now or some steps from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
