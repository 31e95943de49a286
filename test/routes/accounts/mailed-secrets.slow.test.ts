import assert from 'node:assert/strict'
import { runInNewContext } from 'node:vm'
import { linkScript, linkScriptPath } from '../../../server/pages/mailed-link.ts'
import { hidden, password, type Visitor } from '../../support/servers/visitors.ts'
import { openUsersServer, type UsersServer } from './users-server.ts'

describe('the secret of a link in a mail', () => {
  let users: UsersServer
  let team: number

  before(async () => {
    users = await openUsersServer()
    const { body } = await users.server.call('POST', `${users.server.org}/teams/`, { name: 'Doors' })
    team = (body as { id: number }).id
  })
  after(() => users.server.close())

  /** The address in the last mail to somebody, as it stands there. */
  const linkTo = async (email: string): Promise<URL> => {
    const mail = (await users.newMails(email)).at(-1)
    return new URL(/https?:\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  }
  const invited = async (email: string): Promise<URL> => {
    const answer = await users.server.call('POST', `${users.server.org}/teams/${team}/invites/`, { email })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return linkTo(email)
  }
  const forgotten = async (): Promise<URL> => {
    const { email } = await users.somebody()
    await users.visitor().fill('/password/forgotten', { email })
    return linkTo(email)
  }
  const secretIn = ({ hash }: URL): string => new URLSearchParams(hash.slice(1)).get('token') ?? ''
  /** Opens a link as the script of its page does, or with the whole link in its field. */
  const open = async (browser: Visitor, link: URL, pasted = secretIn(link)) => {
    const page = await browser.get(link.pathname)
    assert.equal(page.status, 200)
    return browser.send(`${link.pathname}/open`, { csrf: hidden(page, 'csrf'), token: pasted })
  }

  it('stands behind the #, which no server, log or Referer gets', async () => {
    for (const link of [await invited('first@example.org'), await forgotten()]) {
      assert.equal(link.search, '')
      assert.match(link.hash, /^#token=[a-z0-9]{64}$/)
    }
  })

  it('is sent by a form, once for a new password', async () => {
    const link = await forgotten()
    const browser = users.visitor()
    const page = await open(browser, link)
    assert.equal(page.status, 200)
    const words = 'nine quiet elephants'
    const done = await browser.send('/password/reset', {
      ...{ csrf: hidden(page, 'csrf'), token: hidden(page, 'token') },
      ...{ new_password: words, repeat_password: words },
    })
    assert.equal(done.location, '/login?done=reset')
    assert.equal((await open(users.visitor(), link)).status, 404)
  })

  it('is found in a whole link that is put into the field, where no scripts run', async () => {
    const link = await forgotten()
    const page = await open(users.visitor(), link, ` ${link} `)
    assert.equal(hidden(page, 'token'), secretIn(link))
    assert.equal((await open(users.visitor(), link, 'something else')).status, 404)
  })

  it('is in no address while somebody who is invited logs in', async () => {
    const link = await invited('second@example.org')
    const { email } = await users.somebody()
    const browser = users.visitor()
    const page = await open(browser, link)
    const next = /\/login\?next=([^"]+)"/.exec(page.text)?.[1] ?? ''
    assert.equal(decodeURIComponent(next), '/invitation/join')
    const inside = await browser.logIn(email, decodeURIComponent(next))
    assert.equal(inside.location, '/invitation/join')
    const again = await browser.get(inside.location)
    const joined = await browser.send('/invitation', {
      csrf: hidden(again, 'csrf'),
      token: hidden(again, 'token'),
    })
    assert.equal(joined.location, '/account/?done=joined')
    assert.equal((await browser.get('/invitation/join')).status, 404)
    assert.equal((await users.visitor().get('/invitation/join')).status, 404)
  })

  it('works in the query of links that were mailed before', async () => {
    const link = await invited('third@example.org')
    const browser = users.visitor()
    const page = await browser.get(`/invitation?token=${secretIn(link)}`)
    assert.equal(page.status, 200)
    assert.ok(!page.text.includes('?token='))
    const joined = await browser.send('/invitation', {
      ...{ csrf: hidden(page, 'csrf'), token: hidden(page, 'token') },
      ...{ new_password: password, repeat_password: password },
    })
    assert.equal(joined.location, '/account/?done=joined')
  })

  it('is taken out of the address by the script of its page alone', async () => {
    const page = await users.visitor().get('/invitation')
    assert.match(page.text, new RegExp(`<script type="module" src="${linkScriptPath}"></script>`))
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none';.*script-src 'self'$/)
    const script = await users.visitor().get(linkScriptPath)
    assert.deepEqual([script.status, script.text], [200, linkScript])
    assert.match(script.headers.get('content-type') ?? '', /javascript/)
    const done: unknown[] = []
    const form = { elements: { token: { value: '' } }, submit: () => done.push(form.elements.token.value) }
    const run = (hash: string) =>
      runInNewContext(`{${linkScript}}`, {
        URLSearchParams,
        location: { hash, pathname: '/invitation' },
        history: { replaceState: (...to: unknown[]) => done.push(to.at(-1)) },
        document: { getElementById: () => ({ form }) },
      })
    run('')
    assert.deepEqual(done, [])
    run('#token=abc')
    assert.deepEqual(done, ['/invitation', 'abc'])
  })
})
