import assert from 'node:assert/strict'
import fc from 'fast-check'
import { layoutFromDescriptor } from '../../../main/scanners/hid-descriptor.ts'
import { LAYOUT_A, receiveReport } from '../../../main/scanners/hid-report.ts'
import { KEYBOARD_DESCRIPTOR, scannerDescriptor, splitScan } from './hid-samples.ts'

const FROM_DESCRIPTOR = { ...LAYOUT_A, letterAt: null }

describe('HID report descriptors', () => {
  it('give the layout of scanned data', () => {
    assert.deepEqual(layoutFromDescriptor(scannerDescriptor()), FROM_DESCRIPTOR)
  })

  it('give the id that the device has chosen', () => {
    const layout = layoutFromDescriptor(scannerDescriptor(9))
    assert.deepEqual(layout, { ...FROM_DESCRIPTOR, reportId: 9 })
    const [report] = splitScan({ ...LAYOUT_A, reportId: 9 }, 'ABC', { aim: ']Q1' })
    assert(report)
    assert.deepEqual(receiveReport(null, report, 0, layout).scan, { code: 'ABC', symbology: ']Q1' })
  })

  it('give a layout without id where reports are not numbered', () => {
    const layout = layoutFromDescriptor(scannerDescriptor(null))
    assert.deepEqual(layout, {
      ...FROM_DESCRIPTOR,
      reportId: null,
      lengthAt: 0,
      aimAt: 1,
      dataAt: 4,
      more: { at: 62, bit: 0 },
    })
  })

  it('give nothing for a keyboard', () => {
    assert.equal(layoutFromDescriptor(KEYBOARD_DESCRIPTOR), null)
  })

  it('give nothing when cut off before the data', () => {
    for (let length = 0; length < 40; length++) {
      assert.equal(layoutFromDescriptor(scannerDescriptor().subarray(0, length)), null)
    }
  })

  it('give no field a place beyond the longest report', () => {
    // Size 255, count 4294967295: a device that makes this up must not cost memory or time.
    const huge = Uint8Array.of(0x05, 0x8c, 0x09, 0xfe, 0x75, 0xff, 0x97, 0xff, 0xff, 0xff, 0xff, 0x81, 0x02)
    assert.equal(layoutFromDescriptor(huge), null)
  })

  it('do no harm, whatever their bytes', () => {
    const damaged = fc
      .tuple(fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 8 }), fc.uint8Array({ maxLength: 200 }))
      .map(([changes, random]) => {
        if (changes.length === 0) return random
        const bytes = scannerDescriptor()
        for (const [at, value] of changes) bytes[at] = value
        return bytes
      })
    fc.assert(
      fc.property(damaged, (bytes) => {
        const layout = layoutFromDescriptor(bytes)
        if (layout === null) return
        assert(layout.dataAt >= 0 && layout.dataAt + layout.dataSize <= 4097)
        receiveReport(null, new Uint8Array(64).fill(0x41), 0, layout)
      }),
      { seed: 11, numRuns: 5000 },
    )
  })
})
