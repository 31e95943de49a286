import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import {
  made,
  printed,
  refused,
  runCli,
  type Served,
  serveCli,
  temporaryFolders,
} from '../support/servers/cli.ts'
import { terminalPicture, textsIn } from '../support/ticketing/codes.ts'

const folder = temporaryFolders('gatehouse devices')

describe('device create', () => {
  const data = folder()
  const create = ['device', 'create', '--data', data, '--organizer', 'acme', '--name', 'Gate 1']
  let served: Served
  let token: unknown

  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(served.url + path, {
      method,
      headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const shown: unknown = await answer.json()
    return { status: answer.status, body: shown as Record<string, unknown> }
  }

  before(async () => {
    const at = ['--data', data]
    await made(['organizer', 'create', 'acme', '--name', 'Acme', ...at])
    const rights = ['--all-permissions', '--all-events']
    const team = await made(['team', 'create', '--organizer', 'acme', '--name', 'All', ...rights, ...at])
    const made1 = await made([
      ...['token', 'create', '--organizer', 'acme', '--team', String(team.id), '--name', 't'],
      ...at,
    ])
    token = made1.token
    served = await serveCli(at)
    const gala = { name: { en: 'Gala' }, slug: 'gala', date_from: '2030-01-01T10:00:00Z' }
    assert.equal((await call('POST', '/api/v1/organizers/acme/events/', gala)).status, 201)
  })

  after(() => served.stop())

  it('prints the device as the API shows it, and a code to pair it with that scans', async () => {
    const done = await runCli([...create, '--all-events', '--url', 'https://gate.example.org/'])
    const row = printed(done)
    const shown = await call('GET', `/api/v1/organizers/acme/devices/${row.device_id}/`)
    // The code is shown where the device was made, and nowhere else.
    assert.match(String(row.initialization_token), /^[a-z0-9]{16}$/)
    assert.deepEqual(shown, { status: 200, body: { ...row, initialization_token: null } })
    assert.deepEqual([row.name, row.all_events, row.security_profile], ['Gate 1', true, 'full'])
    const lines = stripVTControlCharacters(done.err)
      .split('\n')
      .filter((line) => /[█▀▄]/.test(line))
    const [text = ''] = await textsIn(terminalPicture(lines))
    assert.deepEqual(JSON.parse(text), {
      handshake_version: 1,
      url: 'https://gate.example.org',
      token: row.initialization_token,
    })
  })

  it('makes a device that can be set up with its token, once', async () => {
    const { initialization_token, unique_serial } = await made([...create, '--profile', 'scan', '--json'])
    const about = { hardware_brand: 'b', hardware_model: 'm', software_brand: 's', software_version: '1' }
    const body = { token: initialization_token, ...about }
    const first = await call('POST', '/api/v1/device/initialize', body)
    assert.equal(first.status, 200)
    assert.equal(first.body.unique_serial, unique_serial)
    assert.equal(first.body.security_profile, 'pretixscan')
    assert.equal((await call('POST', '/api/v1/device/initialize', body)).status, 400)
  })

  it('shows nothing but the device with --json, and this machine as the address without --url', async () => {
    const quiet = await runCli([...create, '--event', 'gala', '--json'])
    assert.deepEqual(printed(quiet).limit_events, ['gala'])
    assert.equal(quiet.err, '')
    const { err } = await runCli(create)
    assert.ok(err.includes(`address http://${hostname().toLowerCase()}:8000, token `), err)
    assert.match(err, /may not enter any event/)
  })

  it('puts the device at a gate', async () => {
    const gate = await call('POST', '/api/v1/organizers/acme/gates/', { name: 'North', identifier: 'n' })
    assert.equal(gate.status, 201)
    const row = await made([...create, '--all-events', '--gate', String(gate.body.id), '--json'])
    assert.equal(row.gate, gate.body.id)
  })

  const mistakes: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an unknown event', ['--event', 'none'], /limit_events: Object with slug=none does not exist/],
    ['an unknown gate', ['--gate', '99'], /gate: Invalid pk "99"/],
    ['an unknown profile', ['--profile', 'spy'], /security_profile: "spy" is not a valid choice/],
    ['an address that is none', ['--url', 'gate.example.org:8000'], /http:\/\/… or https:\/\/…/],
  ]
  for (const [what, args, words] of mistakes)
    it(`refuses ${what} with a sentence`, async () => {
      await refused([...create, ...args], words)
    })
})
