import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readUpdateState } from '../../../main/updates/update-notes.ts'
import { until } from '../../support/servers/nodes.ts'
import { addTable, type BuiltVersions, buildVersions, endAfterMigrations } from './support/built-versions.ts'

describe('a server that updates itself', function () {
  this.timeout(300_000)
  let versions: BuiltVersions
  let data: string
  let running: ChildProcess | null = null

  before(() => {
    versions = buildVersions()
    data = join(versions.folder, 'data')
  })
  afterEach(async () => {
    if (running?.exitCode !== null || running.signalCode !== null) return
    running.kill('SIGTERM')
    await once(running, 'exit')
  })
  after(() => versions.remove())

  /** Starts the installed package's server; each address that it prints is one start of a version. */
  function serve() {
    const child = spawn(
      process.execPath,
      [
        join(versions.base, 'main/command.js'),
        'serve',
        '--data',
        data,
        '--port',
        '0',
        '--updates',
        versions.updates,
        '--update-itself',
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH } },
    )
    running = child
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    const addresses: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => addresses.push(JSON.parse(line).url))
    return { addresses, said: () => said }
  }

  const command = (...args: readonly string[]): Record<string, unknown> =>
    JSON.parse(
      execFileSync(process.execPath, [join(versions.base, 'main/command.js'), ...args, '--data', data], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )

  const versionOf = async (url: string): Promise<string> => {
    const made = command(
      'team',
      'create',
      '--organizer',
      'acme',
      '--name',
      'Office',
      '--all-permissions',
      '--all-events',
    )
    const { token } = command(
      'token',
      'create',
      '--organizer',
      'acme',
      '--team',
      String(made.id),
      '--name',
      'API',
    )
    const answer = await fetch(`${url}/api/v1/version`, { headers: { Authorization: `Token ${token}` } })
    const { gatehouse } = (await answer.json()) as { gatehouse: string }
    return gatehouse
  }

  it('installs a version that changes the database, and takes things in once it is found to be good', async () => {
    await versions.publish('0.2.0', (program) => addTable(program, '9001-added'))
    const { addresses, said } = serve()
    await until('a first address', () => addresses.length > 0)
    command('organizer', 'create', 'acme', '--name', 'Acme')
    await until('0.2.0', () => readUpdateState(data).current === '0.2.0').catch(() => assert.fail(said()))
    const url = addresses.at(-1) ?? ''
    await until(
      'the end of the trial',
      async () => (await fetch(`${url}/api/v1/version`).catch(() => null))?.status !== 503,
    )
    assert.equal(await versionOf(url), '0.2.0')
    assert.equal(existsSync(join(data, 'updates', 'before-update.sqlite')), false)
  })

  it('goes back from one that ends, with the database of before and all that was acknowledged', async () => {
    await versions.publish('0.3.0', (program) => {
      addTable(program, '9001-added')
      addTable(program, '9002-added')
      endAfterMigrations(program)
    })
    const { addresses, said } = serve()
    await until('a first address', () => addresses.length > 0)
    command('organizer', 'create', 'later', '--name', 'Acknowledged before the update')
    await until('the failure', () => readUpdateState(data).failed !== null).catch(() => assert.fail(said()))
    await until('a second address', () => addresses.length > 1)
    const state = readUpdateState(data)
    assert.deepEqual(
      [state.current, state.failed?.version, state.failed?.reason],
      ['0.2.0', '0.3.0', 'ended'],
    )
    assert.ok(existsSync(join(data, 'gatehouse.sqlite.of-failed-update')))
    // It is there: the same name is refused.
    assert.throws(() => command('organizer', 'create', 'later', '--name', 'Again'))
    assert.equal(await versionOf(addresses.at(-1) ?? ''), '0.2.0')
  })
})
