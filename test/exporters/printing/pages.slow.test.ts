import assert from 'node:assert/strict'
import PDFDocument from 'pdfkit'
import { isBlack } from '../../../server/domain/printers/bitmap.ts'
import { bitmapPng } from '../../../server/exporters/printing/bitmap-png.ts'
import { drawDefaultBadge } from '../../../server/exporters/printing/default-badge.ts'
import { drawLayout } from '../../../server/exporters/printing/layout-drawing.ts'
import { endPageBitmaps, pageBitmaps } from '../../../server/exporters/printing/page-bitmaps.ts'
import { textsIn } from '../../support/ticketing/codes.ts'
import { onePixel } from '../../support/ticketing/pictures.ts'

async function drawn(size: [number, number], draw: (document: PDFKit.PDFDocument) => void) {
  const document = new PDFDocument({ size, margin: 0 })
  const chunks: Uint8Array[] = []
  const finished = new Promise((resolve) => document.on('end', resolve))
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  draw(document)
  document.end()
  await finished
  return Buffer.concat(chunks)
}

const badge = (size: [number, number] = [243.78, 153.07]) =>
  drawn(size, (document) =>
    drawDefaultBadge(document, {
      ...{ event_name: 'Große Gala', attendee_name: 'Maximiliane Freifrau von Löwenstein-Wertheim' },
      ...{
        attendee_company: '山田株式会社',
        itemvar: 'محمد – VIP',
        secret: 'abcdefghjkmnpqrstuvwxyz23456789b',
      },
    }),
  )

describe('pages in dots', () => {
  it('hold a badge whose code is read at 203 dpi, on several sizes of paper', async () => {
    for (const size of [
      [243.78, 153.07],
      [419.53, 297.64],
    ] as [number, number][]) {
      const [page] = await pageBitmaps(await badge(size), { dpi: 203 })
      assert.ok(page)
      assert.deepEqual(await textsIn(bitmapPng(page)), ['abcdefghjkmnpqrstuvwxyz23456789b'])
    }
  })

  it('are as wide as they are asked to be', async () => {
    const [page] = await pageBitmaps(await badge(), { dpi: 203, width: 576 })
    assert.equal(page?.width, 576)
  })

  it('hold every element of a layout where it belongs', async () => {
    const written = { width: '40', fontsize: '12', fontfamily: 'Open Sans', bold: true, italic: false }
    const look = { ...written, align: 'left', color: [0, 0, 0, 1] }
    const pdf = await drawn([283.46, 283.46], (document) =>
      drawLayout(
        document,
        [
          { type: 'textarea', left: '5', bottom: '80', content: 'other', text: 'Hallo {name}', ...look },
          {
            type: 'textarea',
            left: '95',
            bottom: '95',
            content: 'name',
            rotation: '90',
            downward: true,
            ...look,
          },
          {
            type: 'textcontainer',
            left: '5',
            bottom: '60',
            height: '15',
            content: 'long',
            ...look,
            autoresize: true,
          },
          { type: 'barcodearea', left: '5', bottom: '5', size: '40', content: 'secret', nowhitespace: true },
          {
            type: 'imagearea',
            left: '60',
            bottom: '5',
            width: '20',
            height: '20',
            content: 'question_photo',
          },
          { type: 'poweredby', left: '1', bottom: '1', size: '5', content: 'dark' },
        ],
        {
          texts: () => ({ name: 'Zoe', secret: 'SECRET-1', long: 'ein langer Satz '.repeat(12) }),
          pictures: new Map([['question_photo', onePixel.png]]),
          locale: 'de',
        },
      ),
    )
    const [page] = await pageBitmaps(pdf, { dpi: 254 })
    assert.ok(page)
    const blackIn = (left: number, bottom: number, width: number, height: number): number => {
      let count = 0
      for (let x = left * 10; x < (left + width) * 10; x += 1)
        for (let y = 1000 - (bottom + height) * 10; y < 1000 - bottom * 10; y += 1)
          if (isBlack(page, x, y)) count += 1
      return count
    }
    assert.ok(blackIn(5, 80, 40, 8) > 100, 'the text')
    assert.ok(blackIn(85, 70, 10, 25) > 50, 'the turned text')
    assert.ok(blackIn(5, 60, 40, 15) > 100, 'the text in its box')
    assert.equal(blackIn(46, 50, 20, 40), 0)
    assert.deepEqual(await textsIn(bitmapPng(page)), ['SECRET-1'])
  })

  it('say what is wrong with a file that is no page, and go on', async () => {
    const whole = await badge()
    for (const bad of [Buffer.from('nothing'), whole.subarray(0, 200), Buffer.alloc(0)])
      await assert.rejects(pageBitmaps(bad, { dpi: 203 }), /PDF/)
    assert.equal((await pageBitmaps(whole, { dpi: 203 })).length, 1)
  })

  it('are drawn all the same when their thread is ended meanwhile', async () => {
    const whole = await badge()
    const pages = Promise.all([1, 2, 3].map(() => pageBitmaps(whole, { dpi: 203 })))
    await Promise.resolve()
    await endPageBitmaps()
    assert.deepEqual(
      (await pages).map(({ length }) => length),
      [1, 1, 1],
    )
  })
})
