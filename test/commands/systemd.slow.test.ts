import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveCli, temporaryFolders } from '../support/servers/cli.ts'
import { until } from '../support/servers/nodes.ts'

describe('a server that systemd runs', () => {
  const folder = temporaryFolders('gatehouse-systemd')

  /** A program in the place of systemd's own, which writes down what it is to tell. */
  function standIn(end: string) {
    const place = folder()
    const said = join(place, 'said')
    const program = join(place, 'systemd-notify')
    writeFileSync(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> '${said}'\n${end}\n`)
    chmodSync(program, 0o755)
    return {
      env: { PATH: `${place}:${process.env.PATH}`, NOTIFY_SOCKET: '/run/systemd/notify' },
      lines: () => (existsSync(said) ? readFileSync(said, 'utf8').trim().split('\n') : []),
    }
  }

  it('says when it is ready, again and again that it moves, and when it stops', async () => {
    const { env, lines } = standIn('')
    const served = await serveCli(['--data', folder()], { env: { ...env, WATCHDOG_USEC: '100000' } })
    await until('it moves', () => lines().filter((line) => line.endsWith('WATCHDOG=1')).length >= 3)
    assert.ok(lines().includes('/run/systemd/notify READY=1'), lines().join('\n'))
    assert.equal((await served.stop()).code, 0)
    await until('it stops', () => lines().includes('/run/systemd/notify STOPPING=1'))
  })

  it('says nothing of moving where another program is watched', async () => {
    const { env, lines } = standIn('')
    const served = await serveCli(['--data', folder()], {
      env: { ...env, WATCHDOG_USEC: '1000', WATCHDOG_PID: '1' },
    })
    await until('it is ready', () => lines().includes('/run/systemd/notify READY=1'))
    await served.stop()
    await until('it stops', () => lines().includes('/run/systemd/notify STOPPING=1'))
    assert.ok(!lines().some((line) => line.endsWith('WATCHDOG=1')))
  })

  it('serves also where systemd cannot be told, and says so once', async () => {
    const { env, lines } = standIn('exit 1')
    const served = await serveCli(['--data', folder()], { env: { ...env, WATCHDOG_USEC: '100000' } })
    await until('it was tried', () => lines().length >= 4)
    assert.equal((await fetch(`${served.url}/healthz`)).status, 200)
    const { code, err } = await served.stop()
    assert.equal(code, 0)
    assert.equal(err.match(/systemd not told/g)?.length, 1, err)
  })
})
