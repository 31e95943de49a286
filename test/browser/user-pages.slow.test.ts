import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oauth from 'oauth4webapi'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openUsersServer, type UsersServer } from '../routes/accounts/users-server.ts'
import { addProgram, authorizePath, issuerOf, type Program, plain } from '../support/servers/oauth.ts'
import { codeOf, password } from '../support/servers/visitors.ts'
import { narrow, openBrowser, patience, wide } from './support/browser.ts'
import { canBeRead, canBeWorked } from './support/everybody.ts'
import { picture } from './support/pictures.ts'

/** A site of somebody else: what it shows, and which addresses of it were asked for. */
async function openSite() {
  const asked: URL[] = []
  const pages = new Map<string, string>()
  const server: Server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://site.invalid')
    asked.push(address)
    response.setHeader('Content-Type', 'text/html')
    response.end(pages.get(address.pathname) ?? '<!doctype html><title>site</title><p>Here you are.</p>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    pages,
    asked,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

describe('users at their browsers', function () {
  this.timeout(90_000)
  let users: UsersServer
  let browser: Browser
  let site: Awaited<ReturnType<typeof openSite>>
  let program: Program

  before(async () => {
    users = await openUsersServer()
    browser = await openBrowser()
    site = await openSite()
    const maker = await users.somebody()
    program = await addProgram(users.server, maker.id, { redirectUris: [`${site.url}/back`] })
  })
  after(async () => {
    await browser.close()
    await site.close()
    await users.server.close()
  })

  /** A browser window; without scripts, which no page needs. */
  async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: wide,
      locale: 'en-GB',
      javaScriptEnabled: false,
      ...options,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(patience)
    return page
  }

  async function logIn(page: Page, email: string): Promise<void> {
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
  }

  it('open a link from a mail, with scripts by itself and else by its field', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { email } = await users.somebody()
      await users.visitor().fill('/password/forgotten', { email })
      const link = (await users.mailedLink(email)).replace('?token=', '#token=')
      const page = await openPage({ javaScriptEnabled })
      await page.goto(link)
      if (!javaScriptEnabled) {
        await page.getByLabel('Copy the link from the mail').fill(link)
        await page.getByRole('button', { name: 'Open' }).click()
      }
      await page.getByRole('button', { name: 'Set the password' }).waitFor()
      assert.equal(page.url(), `${users.server.url}/password/reset/open`)
      await page.context().close()
    }
  })

  /** Somebody who is logged in, and the page. */
  async function inside(options: BrowserContextOptions = {}) {
    const person = await users.somebody()
    const page = await openPage(options)
    await page.goto(`${users.server.url}/account/`)
    await logIn(page, person.email)
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    return { ...person, page }
  }

  const url = () => users.server.url

  it('lets somebody register a program and another connect it, without any script', async () => {
    const { page: maker } = await inside()
    await maker.getByRole('link', { name: 'Applications' }).click()
    await maker.getByLabel('Name').fill('Door <counter>')
    await maker.getByLabel('Redirect URLs').fill(`${site.url}/counter`)
    await maker.getByRole('button', { name: 'Register an application' }).click()
    await maker.getByRole('heading', { name: 'Door <counter> is registered' }).waitFor()
    const client = { client_id: await maker.locator('#client_id').innerText() }
    const secret = await maker.locator('#client_secret').innerText()
    await maker.goto(`${url()}/account/applications/`)
    assert.ok(!(await maker.content()).includes(secret), 'the secret is shown once')

    const registered = {
      ...program,
      client,
      secret,
      auth: oauth.ClientSecretBasic(secret),
      redirectUri: `${site.url}/counter`,
    }
    const verifier = oauth.generateRandomCodeVerifier()
    const somebody = await users.somebody()
    const page = await openPage()
    await page.goto(url() + (await authorizePath(registered, { verifier })))
    assert.match(await page.locator('main').innerText(), /Log in to go on to Door <counter>/)
    await logIn(page, somebody.email)
    await page.getByRole('heading', { name: 'Connect Door <counter>?' }).waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Here you are.').waitFor()
    const back = new URL(page.url())
    assert.equal(back.origin + back.pathname, `${site.url}/counter`)

    const issuer = issuerOf(users.server)
    const parameters = oauth.validateAuthResponse(issuer, client, back, 'the-state')
    const answer = await oauth.authorizationCodeGrantRequest(
      issuer,
      client,
      registered.auth,
      parameters,
      registered.redirectUri,
      verifier,
      plain,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(issuer, client, answer)
    const me = await users.server.call('GET', '/api/v1/me', undefined, {
      Authorization: `Bearer ${tokens.access_token}`,
    })
    assert.equal((me.body as { email: string }).email, somebody.email)

    await page.goto(`${url()}/account/applications/`)
    await page.getByRole('button', { name: 'Stop: Door <counter>' }).click()
    await page.getByText('cannot act in your name any more').waitFor()
    const late = await users.server.call('GET', '/api/v1/me', undefined, {
      Authorization: `Bearer ${tokens.access_token}`,
    })
    assert.equal(late.status, 401)
  })

  it('comes back to the program when somebody denies', async () => {
    const { page } = await inside()
    await page.goto(url() + (await authorizePath(program)))
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Here you are.').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
  })

  it('gives a new secret, and deletes a program only after a question', async () => {
    const { page } = await inside()
    await page.goto(`${url()}/account/applications/`)
    await page.getByLabel('Name').fill('Badges')
    await page.getByLabel('Redirect URLs').fill('https://badges.example/back')
    await page.getByRole('button', { name: 'Register an application' }).click()
    const first = await page.locator('#client_secret').innerText()
    await page.goto(`${url()}/account/applications/`)
    await page.getByRole('button', { name: 'New secret: Badges' }).click()
    const second = await page.locator('#client_secret').innerText()
    assert.match(second, /^gatehouse_client_/)
    assert.notEqual(first, second)
    await page.goto(`${url()}/account/applications/`)
    await page.getByRole('button', { name: 'Delete: Badges' }).click()
    await page.getByRole('heading', { name: 'Delete Badges?' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Applications', exact: true }).waitFor()
    assert.ok(!(await page.content()).includes('Badges'))
  })

  it('asks for the second factor once it is set up, which a telephone can scan', async () => {
    const { page, email } = await inside()
    await page.getByRole('link', { name: 'Set up' }).click()
    const secret = await page.locator('[name=secret]').inputValue()
    const { textsIn } = await import('../support/ticketing/codes.ts')
    const [scanned = ''] = await textsIn(await page.locator('svg.qr').screenshot())
    assert.equal(new URL(scanned).searchParams.get('secret'), secret)
    await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.locator('.codes li').nth(7).waitFor()
    assert.equal(await page.locator('.codes li').count(), 8)
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByText('You are logged out.').waitFor()
    await logIn(page, email)
    await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, 1))
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('a code of your authenticator app is asked for as well').waitFor()
  })

  it('shows no page inside of another site', async () => {
    const { page } = await inside({ javaScriptEnabled: true })
    const consent = url() + (await authorizePath(program))
    site.pages.set(
      '/frame',
      `<!doctype html><title>frame</title><iframe name="a" src="${url()}/account/"></iframe><iframe name="b" src="${consent.replaceAll('&', '&amp;')}"></iframe>`,
    )
    await page.goto(`${site.url}/frame`, { waitUntil: 'load' })
    const shown = await Promise.all(
      ['a', 'b'].map(async (name) => {
        const frame = page.frame({ name })
        return frame ? frame.content().catch(() => '') : ''
      }),
    )
    assert.equal(shown.length, 2)
    for (const text of shown) assert.ok(text !== '' && !/csrf|Badge printer/.test(text), text.slice(0, 300))
  })

  it('takes no form that another site sends, though the browser sends the cookie', async () => {
    const { page, email } = await inside({ javaScriptEnabled: true })
    const own = (await page.context().cookies()).find(({ name }) => name === 'gatehouse_session')
    assert.deepEqual([own?.httpOnly, own?.sameSite], [true, 'Lax'])
    const attack = async (action: string, fields: Record<string, string>): Promise<number> => {
      const inputs = Object.entries(fields).map(
        ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
      )
      site.pages.set(
        '/attack',
        `<!doctype html><title>attack</title><form method="post" action="${action.replaceAll('&', '&amp;')}">${inputs.join('')}<button>Win a prize</button></form>`,
      )
      await page.goto(`${site.url}/attack`)
      // Another port is another origin but the same site, so the cookie goes along: what refuses is the server.
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.getByRole('button').click()
      const answer = await answered
      assert.match((await answer.request().allHeaders()).cookie ?? '', /gatehouse_session=/)
      return answer.status()
    }
    const before = site.asked.length
    assert.equal(
      await attack(`${url()}/account/profile`, { fullname: 'Mallory', locale: 'de', timezone: 'UTC' }),
      403,
    )
    assert.equal(
      await attack(url() + (await authorizePath(program)), {
        allow: 'yes',
        organizers: String(users.server.organizer),
      }),
      403,
    )
    assert.equal(await attack(`${url()}/logout`, {}), 403)
    assert.equal(
      site.asked.slice(before).some(({ pathname }) => pathname === '/back'),
      false,
    )
    await page.goto(`${url()}/account/`)
    const text = await page.locator('main').innerText()
    assert.ok(text.includes(email) && !text.includes('Mallory'))
  })

  it('goes on with no cookie that was there before the login', async () => {
    const person = await users.somebody()
    const page = await openPage()
    const planted = { name: 'gatehouse_session', value: 'planted', url: url() }
    await page.context().addCookies([planted])
    await page.goto(`${url()}/login`)
    await logIn(page, person.email)
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    const thief = await openPage()
    await thief.context().addCookies([planted])
    await thief.goto(`${url()}/account/`)
    await thief.getByRole('heading', { name: 'Log in' }).waitFor()
  })

  it('keeps a program from being asked for with another address', async () => {
    const { page } = await inside()
    const path = await authorizePath(program, { extra: { redirect_uri: `${site.url}/elsewhere` } })
    await page.goto(url() + path)
    await page.getByText('an address that it has not registered').waitFor()
    assert.equal(
      site.asked.some(({ pathname }) => pathname === '/elsewhere'),
      false,
    )
  })

  it('can be read and worked by everybody, on every page', async () => {
    const { page } = await inside({ javaScriptEnabled: true })
    const consent = await authorizePath(program, { scope: 'read write profile' })
    const places: readonly (readonly [name: string, path: string, least: number])[] = [
      ['account', '/account/', 12],
      ['applications', '/account/applications/', 7],
      ['second-factor', '/account/second-factor', 6],
      ['consent', consent, 5],
      ['not-there', '/account/applications/1/delete', 3],
    ]
    for (const [name, path, least] of places) {
      await page.goto(url() + path)
      await canBeWorked(page, least)
      await canBeRead(page, `users-${name}`)
    }
    await page.context().clearCookies()
    for (const [name, path, least] of [
      ['login', '/login', 4],
      ['forgotten', '/password/forgotten', 3],
    ] as const) {
      await page.goto(url() + path)
      await canBeWorked(page, least)
      await canBeRead(page, `users-${name}`)
    }
  })

  it('fits on a telephone, also with large letters', async () => {
    const { page } = await inside({ viewport: narrow, javaScriptEnabled: true, deviceScaleFactor: 2 })
    for (const path of [
      '/account/',
      '/account/applications/',
      '/account/second-factor',
      await authorizePath(program),
    ]) {
      await page.goto(url() + path)
      for (const width of [narrow.width, 320, 260]) {
        await page.setViewportSize({ width, height: narrow.height })
        const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.ok(Number(wider) <= 0, `${path} at ${width} is ${wider} pixels too wide`)
      }
    }
    await page.setViewportSize(narrow)
    await picture(page, 'users-consent-narrow')
  })
})
