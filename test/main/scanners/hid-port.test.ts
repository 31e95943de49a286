import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { HIDAsync } from 'node-hid'
import { type HidLibrary, loadHidPort } from '../../../main/scanners/hid-port.ts'

class FakeDevice extends EventEmitter {
  readonly sent: (number[] | Buffer)[] = []
  closed = false
  async sendFeatureReport(report: number[] | Buffer): Promise<number> {
    this.sent.push(report)
    return report.length
  }
  async close(): Promise<void> {
    this.closed = true
  }
}

function fakeLibrary(device: FakeDevice): HidLibrary {
  return {
    getHidapiVersion: () => '0.15.0',
    devicesAsync: async () => [{ vendorId: 1, productId: 2, release: 0, interface: 0, path: '/dev/hidraw0' }],
    HIDAsync: { open: async () => device as EventEmitter as HIDAsync },
  }
}

describe('the port to HID devices', () => {
  it('is missing with a message where the library is missing', async () => {
    const logged: string[] = []
    const load = () => Promise.reject(new Error('Cannot find package node-hid'))
    assert.equal(await loadHidPort((line) => void logged.push(line), load), null)
    assert.match(logged.join(), /are not read.*Cannot find package node-hid/)
  })

  it('is missing with advice where the system’s library is missing', async () => {
    const logged: string[] = []
    const library = fakeLibrary(new FakeDevice())
    const port = await loadHidPort(
      (line) => void logged.push(line),
      async () => ({
        ...library,
        getHidapiVersion() {
          throw new Error('libusb-1.0.so.0: cannot open shared object file')
        },
      }),
    )
    assert.equal(port, null)
    assert.match(logged.join(), /apt install libusb-1\.0-0/)
  })

  it('lists, opens, hears and closes', async () => {
    const device = new FakeDevice()
    const port = await loadHidPort(assert.fail, async () => fakeLibrary(device))
    assert(port !== null)
    assert.equal((await port.devices())[0]?.path, '/dev/hidraw0')
    const connection = await port.open('/dev/hidraw0')
    const heard: unknown[] = []
    connection.onReport((report) => void heard.push(report))
    connection.onError((error) => void heard.push(error.message))
    device.emit('data', Buffer.of(2, 1))
    device.emit('error', new Error('could not read from HID device'))
    await connection.sendFeatureReport([0xfe, 1])
    await connection.close()
    assert.deepEqual(heard, [Buffer.of(2, 1), 'could not read from HID device'])
    assert.deepEqual(device.sent, [[0xfe, 1]])
    assert(device.closed)
  })

  it('has no description of what is not there', async () => {
    const port = await loadHidPort(assert.fail, async () => fakeLibrary(new FakeDevice()))
    assert.equal(await port?.descriptor('/dev/hidraw9999'), null)
  })

  it('can be asked for hints and stop them', async () => {
    const port = await loadHidPort(assert.fail, async () => fakeLibrary(new FakeDevice()))
    assert.equal(port?.onHint(() => assert.fail('nothing was plugged in'))(), undefined)
  })

  it('works with the real library, or says why not', async () => {
    const logged: string[] = []
    const port = await loadHidPort((line) => void logged.push(line))
    if (port === null) assert.match(logged.join(), /node-hid cannot be loaded: ./)
    else await assert.rejects(port.open('/dev/no-such-device'), /cannot open device/)
  })
})
