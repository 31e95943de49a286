import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM_FOLDER } from '../../../main/common/program-files.ts'
import { buildDebianPackage, type DebianPackage } from '../../../main/package/debian-package.ts'
import { DebianMachine, type MachineServer, type Ran } from './support/debian-machine.ts'
import { type Demo, scanAtMainEntrance } from './support/demo-scan.ts'

const arch = process.arch === 'arm64' ? 'arm64' : 'x64'

function ok(ran: Ran): string {
  assert.equal(ran.code, 0, `${ran.err}${ran.out}`)
  return ran.out
}

/** What the unit starts, by its user, as systemd would: that does not run on every machine that tests. */
const unitStart = `sh -c ". /etc/default/gatehouse
  line=\\$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/gatehouse.service)
  eval exec setpriv --reuid=gatehouse --regid=gatehouse --init-groups \\$line"`

describe('the packages for Debian', function () {
  this.timeout(400_000)
  let output: string
  const files = new Map<string, string>()
  const machines: DebianMachine[] = []
  const servers: MachineServer[] = []

  const build = (name: DebianPackage, version: string): string => {
    const file = buildDebianPackage({
      ...{ name, from: PROGRAM_FOLDER, output, version, node: process.execPath },
      target: { platform: 'linux', arch },
    })
    files.set(`${name} ${version}`, file)
    return file
  }
  const file = (name: DebianPackage, version: string): string =>
    files.get(`${name} ${version}`) ?? build(name, version)
  const machine = (): DebianMachine => {
    const made = new DebianMachine()
    machines.push(made)
    return made
  }
  const serve = async (on: DebianMachine, script: string): Promise<MachineServer> => {
    const server = await on.serve(script)
    servers.push(server)
    return server
  }

  before(() => {
    output = mkdtempSync(join(tmpdir(), 'gatehouse-packages-'))
  })
  after(async () => {
    for (const server of servers) await server.stop()
    for (const made of machines) made.remove()
    rmSync(output, { recursive: true })
  })

  for (const name of ['gatehouse-server', 'gatehouse-station'] as const)
    it(`${name} holds the program and nothing that only makes or tests it`, () => {
      const listed = execFileSync('dpkg-deb', ['-c', file(name, '1.0.0')], {
        encoding: 'utf8',
        maxBuffer: 64e6,
      })
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/))
      const paths = listed.map(([, , , , , path = '']) => path.slice(1))
      const app = `/usr/lib/${name}/app/`
      for (const needed of [
        'server/cli.js',
        'main/start.js',
        'schema/database/0001-foundation.sql',
        'LICENSE',
        'bill-of-materials.json',
      ])
        assert.ok(paths.includes(`${app}${needed}`), needed)
      assert.ok(
        paths.some((path) => path.startsWith(`${app}renderer/dist/assets/`) && path.endsWith('.wasm')),
      )
      const dependencies: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
        readFileSync(join(PROGRAM_FOLDER, 'package.json'), 'utf8'),
      )
      for (const dependency of Object.keys(dependencies.dependencies))
        assert.ok(paths.includes(`${app}node_modules/${dependency}/package.json`), dependency)
      const own = paths.filter((path) => path.startsWith(app) && !path.startsWith(`${app}node_modules/`))
      assert.deepEqual(
        own.filter((path) => /\.(c?ts|tsx|map)$|\/test\/|\/package\/./.test(path)),
        [],
      )
      const tools = /node_modules\/(mocha|typescript|electron|electron-builder|playwright-core|vite|node)\//
      assert.deepEqual(
        paths.filter((path) => tools.test(path)),
        [],
      )
      assert.deepEqual(
        paths.filter((path) => /(darwin|win32|musl)[^/]*\.node$/.test(path)),
        [],
      )
      assert.deepEqual([...new Set(listed.map(([, owner]) => owner))], ['root/root'])
      const writable = listed.filter(([mode = '']) => !mode.startsWith('l') && /^.{5}w|^.{8}w|s/.test(mode))
      assert.deepEqual(writable, [])
    })

  it('gatehouse-server is installed, serves, keeps what is there when it is upgraded, and is removed', async () => {
    const debian = machine()
    ok(debian.run(`dpkg -i ${file('gatehouse-server', '1.0.0')}`))
    assert.match(ok(debian.run('gatehouse --version')), /1\.0\.0/)
    assert.equal(ok(debian.run('stat -c "%U %a" /var/lib/gatehouse')).trim(), 'gatehouse 700')
    assert.equal(ok(debian.run('stat -c "%U %a" /etc/default/gatehouse')).trim(), 'root 600')
    const demo: Demo = JSON.parse(ok(debian.run('gatehouse demo')).trim().split('\n').at(-1) ?? '')
    assert.equal(ok(debian.run('find /var/lib/gatehouse ! -user gatehouse')), '')

    ok(debian.run(`sed -i 's/--port 8000/--port 0/' /etc/default/gatehouse`))
    const first = await serve(debian, unitStart)
    assert.equal((await fetch(`${first.url}/readyz`)).status, 200)
    const ticket = demo.tickets.find(({ note }) => note === 'Main entrance: admitted')
    assert.ok(ticket)
    assert.equal(await scanAtMainEntrance(first.url, demo, ticket.code), 'ok')
    assert.equal(await first.stop(), 0)

    ok(debian.run(`dpkg -i ${file('gatehouse-server', '1.0.1')}`))
    assert.match(ok(debian.run('gatehouse --version')), /1\.0\.1/)
    assert.match(ok(debian.run('cat /etc/default/gatehouse')), /--port 0/)
    const second = await serve(debian, unitStart)
    assert.equal(await scanAtMainEntrance(second.url, demo, ticket.code), 'error: already_redeemed')
    assert.equal(await second.stop(), 0)

    ok(debian.run('dpkg -r gatehouse-server'))
    assert.notEqual(debian.run('test -e /usr/bin/gatehouse -o -e /usr/lib/gatehouse-server').code, 0)
    ok(debian.run('test -s /var/lib/gatehouse/gatehouse.sqlite'))
    const purged = debian.run('dpkg -P gatehouse-server')
    ok(purged)
    assert.match(purged.err + purged.out, /the data stays in \/var\/lib\/gatehouse/)
    ok(debian.run('test ! -e /etc/default/gatehouse'))
    ok(debian.run('test -s /var/lib/gatehouse/gatehouse.sqlite'))
  })

  it('gatehouse-server says what to do when its folder cannot be made, and is set up once it can', () => {
    const debian = machine()
    ok(debian.run('touch /var/lib/gatehouse'))
    const failed = debian.run(`dpkg -i ${file('gatehouse-server', '1.0.0')}`)
    assert.notEqual(failed.code, 0)
    assert.match(failed.err, /\/var\/lib\/gatehouse could not be made; .*dpkg --configure gatehouse-server/)
    ok(debian.run('rm /var/lib/gatehouse && dpkg --configure gatehouse-server'))
    ok(debian.run('gatehouse organizer create acme --name Acme'))
  })

  it('gatehouse-station needs Chromium, starts at login, and admits a ticket', async () => {
    const debian = machine()
    assert.match(
      execFileSync('dpkg-deb', ['-f', file('gatehouse-station', '1.0.0'), 'Depends'], { encoding: 'utf8' }),
      /chromium/,
    )
    ok(debian.run(`dpkg -i ${file('gatehouse-station', '1.0.0')}`))
    for (const entry of ['/etc/xdg/autostart', '/usr/share/applications'])
      assert.match(ok(debian.run(`cat ${entry}/gatehouse-station.desktop`)), /^Exec=gatehouse-station$/m)
    ok(debian.run('test -s /usr/share/icons/hicolor/scalable/apps/gatehouse-station.svg'))
    ok(debian.run('useradd --create-home door'))
    const cli = '/usr/lib/gatehouse-station/node /usr/lib/gatehouse-station/app/server/cli.js'
    const made = ok(debian.run(`runuser -u door -- ${cli} demo`))
    const demo: Demo = JSON.parse(made.trim().split('\n').at(-1) ?? '')
    const station = await serve(
      debian,
      'setpriv --reuid=door --regid=door --init-groups env HOME=/home/door gatehouse-station --shell none',
    )
    const { origin } = new URL(station.url)
    const page = await (await fetch(`${origin}/`)).text()
    assert.match(page, /assets\/index-/)
    const ticket = demo.tickets.find(({ note }) => note === 'Main entrance: admitted')
    assert.ok(ticket)
    assert.equal(await scanAtMainEntrance(origin, demo, ticket.code), 'ok')
    assert.equal(await station.stop(), 0)
    ok(debian.run('dpkg -P gatehouse-station'))
    ok(debian.run('test -s /home/door/.local/share/gatehouse/gatehouse.sqlite'))
  })

  it('gatehouse-station brings a session that is the station and nothing else', async () => {
    const debian = machine()
    ok(debian.run(`dpkg -i ${file('gatehouse-station', '1.0.0')}`))
    assert.match(
      ok(debian.run('cat /usr/share/xsessions/gatehouse-kiosk.desktop')),
      /^Exec=gatehouse-kiosk$/m,
    )
    const screen = spawn('/usr/bin/Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [display] = await once(screen.stdout, 'data')
    const managers = () =>
      debian.run('pgrep -fx "openbox --config-file /usr/share/gatehouse-station/openbox.xml"').out
    try {
      const kiosk = await serve(debian, `env HOME=/root DISPLAY=:${String(display).trim()} gatehouse-kiosk`)
      assert.equal((await fetch(`${new URL(kiosk.url).origin}/readyz`)).status, 200)
      assert.notEqual(managers(), '')
      assert.equal(await kiosk.stop(), 0)
      assert.equal(managers(), '')
    } finally {
      screen.kill()
      await once(screen, 'exit')
    }
  })

  it('leaves nothing behind where it was put together', () => {
    assert.ok(existsSync(file('gatehouse-server', '1.0.0')))
    assert.equal(existsSync(join(output, 'gatehouse-server-tree')), false)
  })
})
