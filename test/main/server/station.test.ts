import assert from 'node:assert/strict'
import type { ServerAddress } from '../../../main/common/server-address.ts'
import { LAYOUT_A } from '../../../main/scanners/hid-report.ts'
import { forkNodeServer } from '../../../main/server/node-server.ts'
import { readPort, startStation } from '../../../main/server/station.ts'
import { makeHandClock } from '../common/hand-clock.ts'
import { makeInbox } from '../common/inbox.ts'
import { GOOD_SERVER, makeTestFolder, type TestFolder } from '../common/scripts.ts'
import { makeFakeHid } from '../scanners/fake-hid.ts'
import { splitScan } from '../scanners/hid-samples.ts'

describe('a station', function () {
  this.timeout(180_000)
  let folder: TestFolder
  before(() => {
    folder = makeTestFolder()
  })
  after(() => folder.remove())

  it('brings a scan to its server, also one that was read while the server was down', async () => {
    const clock = makeHandClock()
    const ready = makeInbox<ServerAddress>()
    const logged = makeInbox<string>()
    const requests = makeInbox<string>()
    const hid = makeFakeHid()
    const scanner = hid.plugIn('/dev/hidraw0', { product: 'HR32' })
    const station = startStation({
      dataFolder: folder.path,
      fork: forkNodeServer(folder.write('server.mjs', GOOD_SERVER)),
      clock,
      log: logged.put,
      forward(text) {
        for (const line of text.split('\n')) if (line.startsWith('request ')) requests.put(line.slice(8))
      },
      loadHid: async () => hid.port,
      onReady: ready.put,
      onFailed: assert.fail,
    })
    const scan = (code: string) => {
      for (const report of splitScan(LAYOUT_A, code, { aim: ']Q1' })) scanner.send(report)
    }
    const { url } = await ready.next()
    assert.equal(await requests.next(), 'PUT /api/v1/station/scanners/')
    scan('one')
    assert.equal(await requests.next(), 'POST /api/v1/station/scan/')

    await assert.rejects(fetch(`${url}/crash`))
    for (let line = ''; !line.startsWith('The server ended'); ) line = await logged.next()
    scan('two')
    assert.equal(await logged.next(), 'The server is away; scans waiting: 1')
    clock.advance(500)
    await ready.next()
    assert.equal(await requests.next(), 'PUT /api/v1/station/scanners/')
    assert.equal(await requests.next(), 'POST /api/v1/station/scan/')

    await station.stop()
    assert.equal(scanner.closed, 1)
    await assert.rejects(fetch(url))
  })

  it('answers on its old port after it was started again', async () => {
    const urls: string[] = []
    for (const _ of [1, 2]) {
      const ready = makeInbox<ServerAddress>()
      const station = startStation({
        dataFolder: folder.path,
        fork: forkNodeServer(folder.write('server.mjs', GOOD_SERVER)),
        clock: makeHandClock(),
        log: assert.fail,
        forward: () => {},
        loadHid: async () => null,
        onReady: ready.put,
        onFailed: assert.fail,
      })
      urls.push((await ready.next()).url)
      await station.stop()
    }
    assert.equal(urls[0], urls[1])
  })

  for (const damaged of ['', 'x', '0', '80', '-5', '70000', '4711.5']) {
    it(`takes any port when the remembered one is ${JSON.stringify(damaged)}`, () => {
      folder.write('port', damaged)
      assert.equal(readPort(folder.path), 0)
    })
  }

  it('works without any access to scanners', async () => {
    const ready = makeInbox<ServerAddress>()
    const station = startStation({
      dataFolder: folder.path,
      fork: forkNodeServer(folder.write('server.mjs', GOOD_SERVER)),
      clock: makeHandClock(),
      log: () => {},
      forward: () => {},
      loadHid: async () => null,
      onReady: ready.put,
      onFailed: assert.fail,
    })
    assert.equal((await fetch((await ready.next()).url)).status, 200)
    await station.stop()
  })
})
