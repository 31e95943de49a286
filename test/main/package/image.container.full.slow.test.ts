import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../support/servers/nodes.ts'
import { makeBaseImage } from './support/container-base.ts'
import { type Demo, scanAtMainEntrance } from './support/demo-scan.ts'

const name = `gatehouse-test-${randomBytes(4).toString('hex')}`

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64e6 }).trim()

/** How podman runs where it may not raise limits. */
const bounded = ['--runtime', 'runc', 'run', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024']

/** Runs something of the image to its end. */
const runOnce = (...args: readonly string[]) =>
  spawnSync('podman', [...bounded, '--rm', '--network', 'none', '--read-only', ...args], { encoding: 'utf8' })

const inside = (...args: readonly string[]) =>
  spawnSync('podman', ['--runtime', 'runc', 'exec', name, ...args], { encoding: 'utf8' })

/** Serves with the image as its documentation says: nothing of it can be written but the folder of the data. */
async function serve(data: string): Promise<string> {
  run('podman', [
    ...[...bounded, '--detach', '--name', name, '--network', 'host', '--read-only', '--tmpfs', '/tmp'],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--volume', `${data}:/data`],
    ...['gatehouse', 'serve', '--port', '0'],
  ])
  let url = ''
  await until('the container says where it is', () => {
    url = /"url":"(http:[^"]+)"/.exec(run('podman', ['logs', name]))?.[1] ?? ''
    return url !== ''
  })
  return url
}

describe('the image for containers', function () {
  this.timeout(400_000)
  let data: string

  before(() => {
    makeBaseImage()
    run('buildah', [
      ...['bud', '--quiet', '--pull=never', '--isolation', 'chroot', '--network', 'host'],
      ...['--tag', 'gatehouse', '.'],
    ])
    data = mkdtempSync(join(tmpdir(), 'gatehouse-volume-'))
    chownSync(data, 10_001, 10_001)
    chmodSync(data, 0o700)
  })
  after(() => {
    spawnSync('podman', ['rm', '--force', name])
    rmSync(data, { recursive: true, force: true })
  })

  it('serves as a user without rights from a root that cannot be written, admits a guest and keeps that', async () => {
    const url = await serve(data)
    assert.equal(inside('node', '/app/server/cli.js', 'health', '--server', url).status, 0)
    assert.equal(inside('sh', '-c', 'id -u').stdout.trim(), '10001')
    assert.match(inside('sh', '-c', 'touch /app/x').stderr, /Read-only file system/)
    const demo: Demo = JSON.parse(inside('node', '/app/server/cli.js', 'demo', '--json').stdout)
    const [ticket] = demo.tickets
    assert.ok(ticket)
    assert.equal(await scanAtMainEntrance(url, demo, ticket.code), 'ok')
    run('podman', ['kill', '--signal', 'KILL', name])
    run('podman', ['wait', name])
    run('podman', ['rm', name])
    const again = await serve(data)
    assert.equal(await scanAtMainEntrance(again, demo, ticket.code), 'error: already_redeemed')
    assert.equal(statSync(join(data, 'gatehouse.sqlite')).uid, 10_001)
    run('podman', ['stop', name])
    assert.equal(run('podman', ['wait', name]), '0')
  })

  it('says that it is not well where nothing answers', () => {
    const { status, stderr } = runOnce('gatehouse', 'health')
    assert.equal(status, 1)
    assert.match(stderr, /does not answer\. Start it/)
  })

  it('has the program, nothing that makes or tests it, and fits into 200 MB as it is sent', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-image-'))
    try {
      run('buildah', ['push', '--quiet', 'gatehouse', `dir:${folder}`])
      const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
      assert.ok(bytes < 200e6, `${bytes}`)
    } finally {
      rmSync(folder, { recursive: true })
    }
    const ours = ['/app/server', '/app/main', '/app/schema']
    assert.equal(runOnce('--entrypoint', 'find', 'gatehouse', ...ours, '-name', '*.ts').stdout, '')
    const installed = runOnce('--entrypoint', 'ls', 'gatehouse', '/app/node_modules').stdout.split('\n')
    assert.ok(installed.includes('koa'))
    assert.deepEqual(
      ['vite', 'mocha', 'typescript', 'electron', 'node'].filter((tool) => installed.includes(tool)),
      [],
    )
    const { version }: { readonly version: string } = JSON.parse(readFileSync('package.json', 'utf8'))
    assert.equal(runOnce('gatehouse', '--version').stdout.trim(), version)
  })
})
