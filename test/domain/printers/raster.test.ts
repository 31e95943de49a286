import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Bitmap, blackAndWhite, bytesPerRow, isBlack } from '../../../server/domain/printers/bitmap.ts'
import { encoders } from '../../../server/domain/printers/raster-encoders.ts'
import { decodedEpl, decodedEscpos, decodedZpl, sameBlack } from '../../support/ticketing/printed-bitmaps.ts'

const bitmaps = fc
  .record({ width: fc.integer({ min: 1, max: 70 }), height: fc.integer({ min: 1, max: 450 }) })
  .chain(({ width, height }) =>
    fc
      .array(fc.oneof(fc.constantFrom(0, 255), fc.nat(255)), { minLength: 1, maxLength: 40 })
      .map((some): Bitmap => {
        const across = bytesPerRow(width)
        const used = width % 8 === 0 ? 0xff : (0xff00 >> (width % 8)) & 0xff
        const rows = Uint8Array.from(
          { length: across * height },
          (_, at) =>
            (some[(at * 7 + (at >> 5)) % some.length] ?? 0) & (at % across === across - 1 ? used : 0xff),
        )
        return { width, height, rows }
      }),
  )

describe('pictures for printers', () => {
  for (const [dialect, decode] of [
    ['escpos', decodedEscpos],
    ['zpl', decodedZpl],
    ['epl', decodedEpl],
  ] as const)
    it(`are the same dots again when a printer reads ${dialect}`, () => {
      fc.assert(
        fc.property(bitmaps, fc.boolean(), (bitmap, cut) => {
          assert.ok(sameBlack(decode(encoders[dialect](bitmap, { cut })), bitmap))
        }),
        { numRuns: 200 },
      )
    })

  it('are sent to printers of receipts in strips of at most 200 rows', () => {
    const { strips } = decodedEscpos(encoders.escpos({ width: 8, height: 450, rows: new Uint8Array(450) }))
    assert.deepEqual(strips, [200, 200, 50])
  })

  it('keep the edges of letters sharp, and show grey areas as so many dots', () => {
    const edge = Uint8Array.from([0, 0, 100, 255, 255, 0, 0, 160, 255, 255])
    const letters = blackAndWhite({ width: 5, height: 2, pixels: edge })
    const drawn = [0, 1].map((y) => [0, 1, 2, 3, 4].map((x) => isBlack(letters, x, y)))
    assert.deepEqual(drawn, [
      [true, true, true, false, false],
      [true, true, false, false, false],
    ])
    for (const grey of [64, 128, 192]) {
      const area = blackAndWhite({ width: 64, height: 64, pixels: new Uint8Array(64 * 64).fill(grey) })
      const black = area.rows.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
      assert.ok(Math.abs(black / 4096 - (255 - grey) / 255) < 0.03, `${grey}: ${black}`)
    }
  })
})
