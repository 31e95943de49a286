import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ippTransport } from '../../../server/station/printing/transports/ipp.ts'
import { freePort } from '../../crash/bad-days/own-postgres.ts'
import { until } from '../../support/servers/nodes.ts'
import { placeOf, printout, worldWith } from './transports/printout.ts'

/** Names are announced nowhere but on this machine. */
const announcing = `[server]
allow-interfaces=lo
use-ipv6=no
[wide-area]
enable-wide-area=no
[publish]
disable-publishing=yes
`

describe("a printer of CUPS's own tests", function () {
  this.timeout(120_000)
  const started: ChildProcess[] = []
  let folder: string
  let address: string
  const start = (command: string, args: readonly string[]): ChildProcess => {
    const env = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${folder}/bus` }
    const child = spawn(command, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    started.push(child)
    return child
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-ipp-'))
    mkdirSync(join(folder, 'printed'))
    writeFileSync(join(folder, 'avahi.conf'), announcing)
    const bus = ['--session', '--nofork', `--address=unix:path=${folder}/bus`, '--print-address=1']
    const talking = start('dbus-daemon', bus)
    if (talking.stdout) await once(talking.stdout, 'data')
    start('avahi-daemon', ['--no-drop-root', '--no-chroot', '--no-rlimits', '-f', join(folder, 'avahi.conf')])
    const port = await freePort()
    address = `ipp://localhost:${port}/ipp/print`
    const formats = ['-f', 'application/pdf', '-d', join(folder, 'printed'), '-k']
    const place = placeOf('ipp', address)
    await until('the printer answers', async () => {
      // It ends where the announcing is not ready yet.
      const last = started.at(-1)
      if (started.length < 3 || (last && last.exitCode !== null))
        start('ippeveprinter', ['-r', 'off', '-p', String(port), '-n', 'localhost', ...formats, 'Test'])
      return (await ippTransport.look(worldWith(), place)) === null
    })
  })
  after(async () => {
    for (const child of started.toReversed())
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill()
        await ended
      }
    rmSync(folder, { recursive: true, force: true })
  })

  it('is asked how it is, sent a page, and followed until that is printed', async () => {
    const ending = await ippTransport.print(worldWith(), placeOf('ipp', address), printout())
    assert.deepEqual(ending, { kind: 'printed' })
    const [file = ''] = readdirSync(join(folder, 'printed'))
    assert.equal(readFileSync(join(folder, 'printed', file), 'utf8'), '%PDF document')
  })
})
