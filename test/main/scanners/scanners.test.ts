import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { type HidScan, LAYOUT_A, LAYOUT_B } from '../../../main/scanners/hid-report.ts'
import { type ScannerState, watchScanners } from '../../../main/scanners/scanners.ts'
import { makeHandClock } from '../common/hand-clock.ts'
import { makeFakeHid } from './fake-hid.ts'
import { scannerDescriptor, splitScan } from './hid-samples.ts'

function startWatching(hid = makeFakeHid()) {
  const clock = makeHandClock()
  const logged: string[] = []
  const scans: HidScan[] = []
  const changes: (readonly ScannerState[])[] = []
  const stop = watchScanners({
    port: hid.port,
    clock,
    log: (message) => void logged.push(message),
    onScan: (scan) => void scans.push(scan),
    onChange: (scanners) => void changes.push(scanners),
  })
  // Everything the fakes promise is settled when the next turn of the event loop begins.
  const settle = () => setImmediate()
  return {
    hid,
    clock,
    logged,
    scans,
    changes,
    stop,
    settle,
    async wait(milliseconds: number) {
      clock.advance(milliseconds)
      await settle()
    },
  }
}

describe('scanners', () => {
  it('are found when plugged in later, by looking again and again', async () => {
    const { hid, changes, settle, wait } = startWatching()
    await settle()
    assert.equal(hid.looks(), 1)
    await wait(2500)
    assert.equal(hid.looks(), 2)
    const scanner = hid.plugIn('/dev/hidraw3', { product: 'HR32' })
    await wait(2500)
    assert.equal(scanner.opened, 1)
    assert.deepEqual(changes, [[{ name: 'HR32', connected: true }]])
  })

  it('are looked for more slowly while one is open', async () => {
    const hid = makeFakeHid()
    hid.plugIn('/dev/hidraw0')
    const { wait, settle } = startWatching(hid)
    await settle()
    await wait(9999)
    assert.equal(hid.looks(), 1)
    await wait(1)
    assert.equal(hid.looks(), 2)
  })

  it('are found soon after a hint', async () => {
    const { hid, settle, wait } = startWatching()
    await settle()
    const scanner = hid.plugIn('/dev/hidraw0')
    hid.hint()
    hid.hint()
    await wait(300)
    assert.equal(scanner.opened, 1)
    assert.equal(hid.looks(), 2)
  })

  it('are looked for again when a hint comes during a look', async () => {
    const { hid, settle, clock, wait } = startWatching()
    hid.hint()
    await settle()
    assert.deepEqual(clock.planned(), [300])
    await wait(300)
    assert.equal(hid.looks(), 2)
  })

  it('give complete scans, each scanner its own', async () => {
    const hid = makeFakeHid()
    const one = hid.plugIn('/dev/hidraw0')
    const two = hid.plugIn('/dev/hidraw1')
    const { scans, settle } = startWatching(hid)
    await settle()
    const [first, last] = splitScan(LAYOUT_B, 'x'.repeat(60))
    assert(first && last)
    one.send(first)
    for (const report of splitScan(LAYOUT_A, 'TICKET', { aim: ']Q1' })) two.send(report)
    one.send(last)
    assert.deepEqual(scans, [
      { code: 'TICKET', symbology: ']Q1' },
      { code: 'x'.repeat(60), symbology: null },
    ])
  })

  it('are read by their own description where there is one', async () => {
    const hid = makeFakeHid()
    const scanner = hid.plugIn('/dev/hidraw0')
    hid.describe('/dev/hidraw0', scannerDescriptor(7))
    const { scans, settle } = startWatching(hid)
    await settle()
    for (const report of splitScan({ ...LAYOUT_A, reportId: 7 }, 'T1', { aim: ']Q1' })) scanner.send(report)
    assert.deepEqual(scans, [{ code: 'T1', symbology: ']Q1' }])
  })

  it('of Honeywell are told to report in this mode', async () => {
    const hid = makeFakeHid()
    const honeywell = hid.plugIn('/dev/hidraw0', { vendorId: 0x0c2e })
    const other = hid.plugIn('/dev/hidraw1')
    const { settle } = startWatching(hid)
    await settle()
    assert.deepEqual(honeywell.featureReports, [[0xfe, 0x01]])
    assert.deepEqual(other.featureReports, [])
  })

  it('are closed at an error, shown as gone, and opened again', async () => {
    const hid = makeFakeHid()
    const scanner = hid.plugIn('/dev/hidraw0', { product: 'HR32' })
    const { changes, logged, settle, wait } = startWatching(hid)
    await settle()
    scanner.fail('could not read from HID device')
    await settle()
    assert.equal(scanner.closed, 1)
    assert.deepEqual(changes.at(-1), [{ name: 'HR32', connected: false }])
    await wait(2500)
    assert.equal(scanner.opened, 2)
    assert.deepEqual(changes.at(-1), [{ name: 'HR32', connected: true }])
    assert(logged.includes('Scanner HR32 cannot be read: could not read from HID device'))
  })

  it('are closed when they vanish without an error', async () => {
    const hid = makeFakeHid()
    const scanner = hid.plugIn('/dev/hidraw0', { product: 'HR32' })
    const { changes, settle, wait } = startWatching(hid)
    await settle()
    hid.pullOut('/dev/hidraw0')
    await wait(10_000)
    assert.equal(scanner.closed, 1)
    assert.deepEqual(changes.at(-1), [{ name: 'HR32', connected: false }])
  })

  it('that cannot be opened are complained about once and tried again', async () => {
    const hid = makeFakeHid()
    const scanner = hid.plugIn('/dev/hidraw0', { product: 'HR32' })
    hid.refuse('open', 'permission denied')
    const { logged, settle, wait } = startWatching(hid)
    await settle()
    await wait(2500)
    await wait(2500)
    assert.equal(logged.filter((line) => line.includes('permission denied')).length, 1)
    hid.refuse('open', null)
    await wait(2500)
    assert.equal(scanner.opened, 1)
  })

  it('that cannot be listed are complained about once and looked for again', async () => {
    const hid = makeFakeHid()
    hid.refuse('devices', 'no such library')
    const { logged, settle, wait } = startWatching(hid)
    await settle()
    await wait(2500)
    assert.equal(logged.length, 1)
    hid.refuse('devices', null)
    const scanner = hid.plugIn('/dev/hidraw0')
    await wait(2500)
    assert.equal(scanner.opened, 1)
  })

  it('name junk once and lost scans each time', async () => {
    const hid = makeFakeHid()
    const scanner = hid.plugIn('/dev/hidraw0', { product: 'HR32' })
    const { logged, scans, clock, settle } = startWatching(hid)
    await settle()
    scanner.send(Uint8Array.of(9, 9, 9))
    scanner.send(Uint8Array.of(9, 9, 9))
    const [half] = splitScan(LAYOUT_B, 'x'.repeat(60))
    assert(half)
    for (const _ of [1, 2]) {
      scanner.send(half)
      clock.advance(600)
      for (const report of splitScan(LAYOUT_B, 'ok')) scanner.send(report)
    }
    assert.equal(logged.filter((line) => line.includes('no scan')).length, 1)
    assert.equal(logged.filter((line) => line.includes('unfinished')).length, 2)
    assert.deepEqual(
      scans.map(({ code }) => code),
      ['ok', 'ok'],
    )
  })

  it('are closed and not looked for any more after the stop', async () => {
    const hid = makeFakeHid()
    const scanner = hid.plugIn('/dev/hidraw0')
    const { clock, stop, settle } = startWatching(hid)
    await settle()
    await stop()
    assert.equal(scanner.closed, 1)
    assert.deepEqual(clock.planned(), [])
    assert(hid.hintsEnded())
  })

  it('are not left open by a stop while one is being opened', async () => {
    const hid = makeFakeHid()
    const scanner = hid.plugIn('/dev/hidraw0')
    const opening = Promise.withResolvers<void>()
    const { stop, settle } = startWatching({
      ...hid,
      port: {
        ...hid.port,
        async open(path) {
          await opening.promise
          return hid.port.open(path)
        },
      },
    })
    await settle()
    const stopped = stop()
    opening.resolve()
    await stopped
    assert.deepEqual([scanner.opened, scanner.closed], [1, 1])
  })
})
