import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { permissions } from '../../schema/permissions.ts'
import { typedSecret } from '../../server/commands/ask-password.ts'
import {
  made,
  printed,
  proposed,
  refused,
  runCli,
  type Served,
  serveCli,
  temporaryFolders,
} from '../support/servers/cli.ts'

const folder = temporaryFolders('gatehouse accounts')

const get = (served: Served, path: string, token: unknown) =>
  fetch(served.url + path, { headers: { Authorization: `Token ${token}` } })

describe('account commands', () => {
  const data = folder()
  const at = ['--data', data]
  const team = ['team', 'create', ...at, '--organizer', 'acme', '--name', 'Door']
  const token = ['token', 'create', ...at, '--organizer', 'acme', '--name', 'script']
  let served: Served

  before(async () => {
    await made(['organizer', 'create', 'acme', '--name', 'Acme', ...at])
    served = await serveCli(at)
  })

  after(() => served.stop())

  it('takes no other database for a folder', () =>
    refused(
      ['organizer', 'create', 'x', '--name', 'X', '--database', 'postgress://localhost/x'],
      /Write it as postgres:\/\//,
    ))

  it('makes an organizer, and prints it as one line of JSON', async () => {
    const quiet = await runCli(['organizer', 'create', 'quiet.one', '--name', 'Ünï ', '--json', ...at])
    const { id, ...rest } = printed(quiet)
    assert.deepEqual(rest, { slug: 'quiet.one', name: 'Ünï ' })
    assert.equal(typeof id, 'number')
    assert.equal(quiet.err, '')
    const talking = await runCli(['organizer', 'create', 'talking', '--name', 'T', ...at])
    assert.equal(printed(talking).slug, 'talking')
    assert.match(talking.err, /^The organizer talking is made\. /)
    const event = await runCli(proposed(talking.err))
    assert.equal(event.code, 0, event.err)
  })

  it('lets a token into a running server at once, with what its team may do', async () => {
    const { id } = await made([...team, '--all-events', '--permission', 'can_create_events'])
    const { token: text, ...shown } = await made([...token, '--team', String(id)])
    assert.deepEqual(Object.keys(shown).sort(), ['active', 'id', 'name'])
    assert.equal((await get(served, '/api/v1/organizers/acme/', text)).status, 200)
    assert.equal((await get(served, '/api/v1/organizers/acme/devices/', text)).status, 403)
    assert.equal((await get(served, '/api/v1/organizers/quiet.one/', text)).status, 403)
    const body = { name: { en: 'Gala' }, slug: 'gala', date_from: '2030-01-01T10:00:00Z' }
    const made2 = await fetch(`${served.url}/api/v1/organizers/acme/events/`, {
      method: 'POST',
      headers: { Authorization: `Token ${text}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(made2.status, 201, await made2.clone().text())
  })

  it('proposes a command line after a team that gives it a token', async () => {
    const { err } = await runCli([...team, '--all-permissions', '--all-events'])
    const { token: text } = await made(proposed(err))
    assert.equal((await get(served, '/api/v1/organizers/acme/', text)).status, 200)
  })

  it('makes teams for all or some permissions and events', async () => {
    const all = await made([...team, '--all-permissions', '--all-events'])
    assert.ok(permissions.every((one) => all[one] === true))
    assert.deepEqual([all.all_events, all.limit_events], [true, []])
    const some = await made([
      ...team,
      '--permission',
      'can_view_orders',
      '--permission',
      'can_checkin_orders',
      '--event',
      'gala',
    ])
    assert.deepEqual(
      permissions.filter((one) => some[one] === true),
      permissions.filter((one) => ['can_view_orders', 'can_checkin_orders'].includes(one)),
    )
    assert.deepEqual([some.all_events, some.limit_events], [false, ['gala']])
  })

  it('makes users with a password given, or the first line of a pipe', async () => {
    const user = ['user', 'create', ...at]
    const given = await made([...user, 'Anna@Example.org', '--password', 'long enough'])
    assert.equal(given.email, 'Anna@Example.org')
    assert.ok(!JSON.stringify(given).includes('long enough'))
    for (const [email, input] of [
      ['b@example.org', 'grün und lang\n'],
      ['c@example.org', 'with a return\r\nand more\n'],
    ] as const)
      assert.equal((await made([...user, email], input)).email, email)
    await refused([...user, 'e@example.org'], /at least 8 characters/, 'seven77\n')
    await refused([...user, 'e@example.org', '--password', ''], /at least 8 characters/)
    await refused([...user, 'anna@example.ORG', '--password', 'long enough'], /There is a user with/)
  })

  it('refuses passwords that are guessed first', async () => {
    const user = ['user', 'create', ...at, 'f@example.org', '--password']
    await refused([...user, 'Password1'], /guessed first/)
    await refused([...user, '12345678'], /simple pattern/)
  })

  it('puts a user into a team, gives them another password, closes and opens the account, and registers an application', async () => {
    const { id } = await made([...team, '--name', 'Desk', '--all-permissions', '--all-events'])
    const email = 'desk@example.org'
    const create = ['user', 'create', ...at, email, '--password', 'long enough']
    await refused([...create, '--team', String(id)], /--organizer and --team together/)
    await refused([...create, '--organizer', 'acme', '--team', '999'], /no team 999/)
    const user = await made([...create, '--organizer', 'acme', '--team', String(id)])
    const again = await made(['user', 'password', ...at, email, '--password', 'even longer now'])
    assert.deepEqual(again, { id: user.id, email })
    await refused(
      ['user', 'password', ...at, 'x@example.org', '--password', 'even longer now'],
      /no user with/,
    )
    const disabled = await made(['user', 'disable', ...at, email])
    assert.deepEqual(disabled, { id: user.id, email, disabled: true })
    await refused(
      ['user', 'password', ...at, email, '--password', 'even longer now'],
      /closed\. Open it with: user enable desk@/,
    )
    await refused(['user', 'disable', ...at, 'x@example.org'], /no user with/)
    const enabled = await made(['user', 'enable', ...at, email])
    assert.deepEqual(enabled, { ...disabled, disabled: false })
    const application = [
      'application',
      'create',
      ...at,
      '--user',
      email,
      '--name',
      'Badges',
      '--redirect-uri',
    ]
    const secret = await made([
      ...application,
      'https://app.example/back',
      '--redirect-uri',
      'http://localhost:1/',
    ])
    assert.match(String(secret.client_id), /^[a-z0-9]{40}$/)
    assert.match(String(secret.client_secret), /^gatehouse_client_[a-z0-9]{68}$/)
    const open = await made([...application, 'com.example.app:/back', '--public'])
    assert.equal(open.client_secret, null)
    await refused([...application, 'http://app.example/'], /is not an address to send people back to/)
  })

  const mistakes: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a slug that is taken', ['organizer', 'create', 'acme', '--name', 'A', ...at], /"acme" already/],
    ['a missing name', ['organizer', 'create', 'x', ...at], /--name <name>' not specified/],
    ['an unknown permission', [...team, '--permission', 'can_fly'], /Choose from can_create_events, /],
    ['all events and one', [...team, '--all-events', '--event', 'gala'], /cannot be used with/],
    ['an unknown team', [...token, '--team', '999'], /no team 999/],
    ['an unknown option', ['organizer', 'create', 'x', '--name', 'A', '--jsno'], /Did you mean --json/],
    ['an unknown command', ['organiser', 'create'], /Did you mean organizer/],
    [
      'an unknown organizer',
      ['team', 'create', ...at, '--organizer', 'none', '--name', 'T'],
      /no organizer "none". Make it with: organizer create none --name NAME/,
    ],
  ]
  for (const [what, args, words] of mistakes)
    it(`refuses ${what} with a sentence`, async () => {
      await refused(args, words)
    })
})

describe('a typed password', () => {
  const cases: readonly (readonly [keys: readonly string[], password: string | undefined])[] = [
    [['g', 'e', 'h', '\r'], 'geh'],
    [['pasted whole\r'], 'pasted whole'],
    [['ab', '\u007f', 'c\n', 'later'], 'ac'],
    [['\b', 'a', '\u007f\u007f', 'b\r'], 'b'],
    [['🔑x', '\u007f\u007f', 'y\r'], 'y'],
    [['abc', '\u0003'], undefined],
    [['no return'], 'no return'],
    [[], ''],
  ]
  for (const [keys, password] of cases)
    it(`is ${JSON.stringify(password)} after ${JSON.stringify(keys.join(' '))}`, async () => {
      assert.equal(await typedSecret(Readable.from(keys)), password)
    })
})
