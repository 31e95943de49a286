import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readServerAddress, type ServerAddress } from '../../../main/common/server-address.ts'
import { forkNodeServer } from '../../../main/server/node-server.ts'
import { keepServer, type ServerOptions, serverArguments } from '../../../main/server/server-process.ts'
import { makeHandClock } from '../common/hand-clock.ts'
import { makeInbox } from '../common/inbox.ts'
import { GOOD_SERVER, isAlive, makeTestFolder, type TestFolder, watchServer } from '../common/scripts.ts'

describe('the server’s process', function () {
  this.timeout(180_000)
  let folder: TestFolder
  before(() => {
    folder = makeTestFolder()
  })
  const stops: (() => Promise<void>)[] = []
  after(() => folder.remove())
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })

  function startServer(source: string, more: Partial<ServerOptions> = {}) {
    const script = folder.write(`server-${stops.length}.mjs`, source)
    const clock = makeHandClock()
    const ready = makeInbox<ServerAddress>()
    const down = makeInbox<true>()
    const failed = makeInbox<string>()
    const logged = makeInbox<string>()
    let said = ''
    const pids: number[] = []
    const forkServer = forkNodeServer(script)
    const kept = keepServer({
      fork(args) {
        const child = forkServer(args)
        if (child.pid !== undefined) pids.push(child.pid)
        return child
      },
      dataFolder: folder.path,
      clock,
      log: logged.put,
      forward(text) {
        said += text
      },
      onReady: ready.put,
      onDown: () => down.put(true),
      onFailed: failed.put,
      ...more,
    })
    // The hand clock would never kill a child that does not stop: the test's own time limit tells.
    stops.push(kept.stop)
    return { clock, ready, down, failed, logged, kept, pids, said: () => said }
  }

  it('is started for a station on this machine alone', () => {
    assert.deepEqual(serverArguments('/data', 0), [
      ...['serve', '--station', '--data', '/data', '--host', '127.0.0.1', '--port', '0'],
    ])
  })

  it('is ready when it has printed its address, whatever else it prints', async () => {
    const { ready, kept, said, clock } = startServer(GOOD_SERVER)
    const address = await ready.next()
    const answer = await fetch(address.url)
    assert.match(await answer.text(), /--station --data .* --host 127\.0\.0\.1 --port 0$/)
    assert.deepEqual(clock.planned(), [])
    await kept.stop()
    assert.match(said(), /some other line\n(?:.|\n)*request GET \/\n(?:.|\n)*stopped in order\n/)
  })

  it('is started again after a crash, on its old port', async () => {
    const { ready, down, clock, logged } = startServer(GOOD_SERVER)
    const first = await ready.next()
    await assert.rejects(fetch(`${first.url}/crash`))
    await down.next()
    assert.equal(await logged.next(), 'The server ended with code 3; it is started again in 0.5 s')
    clock.advance(500)
    const second = await ready.next()
    assert.equal(second.url, first.url)
    assert.notEqual(second.key, first.key)
  })

  it('takes another port when its old one is taken meanwhile', async () => {
    const { ready, down, clock, logged } = startServer(GOOD_SERVER)
    const first = await ready.next()
    await assert.rejects(fetch(`${first.url}/crash`))
    await down.next()
    await logged.next()
    const thief = createServer()
    await new Promise<void>((resolve) => thief.listen(Number(new URL(first.url).port), '127.0.0.1', resolve))
    const taken = (thief.address() as AddressInfo).port
    clock.advance(500)
    assert.match(await logged.next(), /ended with code 1; it is started again in 1 s/)
    clock.advance(1000)
    const second = await ready.next()
    assert.notEqual(Number(new URL(second.url).port), taken)
    await new Promise((resolve) => thief.close(resolve))
  })

  it('is killed and started again when it is not ready in time', async () => {
    const { clock, logged, pids } = startServer('setInterval(() => {}, 1000)', { readyWithin: 5000 })
    clock.advance(5000)
    assert.equal(await logged.next(), 'The server was not ready within 5 s and is started again')
    assert.equal(await logged.next(), 'The server was ended by SIGKILL; it is started again in 0.5 s')
    clock.advance(500)
    assert.equal(pids.length, 2)
  })

  it('is given up when it never becomes ready, with its last words and what to do', async () => {
    const { clock, failed, logged, pids } = startServer('console.error("no space left"); process.exit(1)')
    for (const pause of [500, 1000, 2000]) {
      assert.match(await logged.next(), /ended with code 1/)
      clock.advance(pause)
    }
    const message = await failed.next()
    assert(message.includes('did not start in 4 tries'))
    assert(
      message.includes(folder.path) && message.includes('--data DIR') && message.includes('no space left'),
    )
    assert.equal(pids.length, 4)
    assert.deepEqual(clock.planned(), [])
  })

  it('is given up when its script is missing', async () => {
    const { clock, failed, logged } = startServer('', { fork: forkNodeServer('/no/such/script.mjs') })
    for (const pause of [500, 1000, 2000]) {
      await logged.next()
      clock.advance(pause)
    }
    assert.match(await failed.next(), /Cannot find module/)
  })

  it('is never given up once it has been ready', async () => {
    const { ready, clock, logged, failed } = startServer(GOOD_SERVER)
    for (let round = 0; round < 5; round++) {
      const { url } = await ready.next()
      await assert.rejects(fetch(`${url}/crash`))
      await logged.next()
      clock.advance(30_000)
    }
    await ready.next()
    assert.deepEqual(failed.rest(), [])
  })

  it('stops in order', async () => {
    const { ready, kept, pids } = startServer(GOOD_SERVER)
    await ready.next()
    await kept.stop()
    assert.deepEqual(pids.map(isAlive), [false])
  })

  it('is killed when it does not stop', async () => {
    const deaf = GOOD_SERVER.replace('server.close(() => process.exit(0))', '').replace(
      'server.closeAllConnections()',
      '',
    )
    const { ready, kept, pids, clock, logged } = startServer(deaf, { stopWithin: 2000 })
    await ready.next()
    const stopped = kept.stop()
    clock.advance(2000)
    await stopped
    assert.equal(await logged.next(), 'The server did not stop within 2 s and is killed')
    assert.deepEqual(pids.map(isAlive), [false])
  })

  it('ends in order when its parent dies suddenly', async () => {
    const mark = join(folder.path, 'stopped')
    const source = GOOD_SERVER.replace(
      "console.error('stopped in order')",
      `(await import('node:fs')).writeFileSync(${JSON.stringify(mark)}, '')`,
    ).replace("'SIGTERM', () =>", "'SIGTERM', async () =>")
    const module = new URL('../../../main/server/node-server.ts', import.meta.url).href
    const parent = folder.write(
      'parent.mjs',
      `const { forkNodeServer } = await import(${JSON.stringify(module)})
       forkNodeServer(${JSON.stringify(folder.write('followed.mjs', source))})(['--port', '0']).stdout.pipe(process.stdout)`,
    )
    const shell = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: shell.stdout })
    const address = await new Promise<ServerAddress>((resolve) => {
      lines.on('line', (line) => {
        const read = readServerAddress(line)
        if (read !== null) resolve(read)
      })
    })
    const { gone } = await watchServer(address.url)
    shell.kill('SIGKILL')
    await gone
    assert(existsSync(mark))
  })
})
