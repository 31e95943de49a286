import assert from 'node:assert/strict'
import { degrees, PDFDocument as EditedPdf, rgb } from '@cantoo/pdf-lib'
import { PNG } from 'pngjs'
import { badgeItem } from '../../../schema/resources/layouts/badge-item.ts'
import { badgeLayout } from '../../../schema/resources/layouts/badge-layout.ts'
import { ticketLayout } from '../../../schema/resources/layouts/ticket-layout.ts'
import { type Bitmap, isBlack } from '../../../server/domain/printers/bitmap.ts'
import type { Run } from '../../../server/exporters/format/exporter.ts'
import { bitmapPng } from '../../../server/exporters/printing/bitmap-png.ts'
import { pageBitmaps } from '../../../server/exporters/printing/page-bitmaps.ts'
import { positionPage } from '../../../server/exporters/printing/position-page.ts'
import { badgeFile } from '../../../server/exporters/reports/badge-file.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { pdfDataOf } from '../../../server/services/orders/pdf-data.ts'
import { readFrom } from '../../../server/storage/reading.ts'
import { textsIn } from '../../support/ticketing/codes.ts'
import { openPrintEvent, type PrintEvent } from '../../support/ticketing/print-event.ts'

const written = { width: '80', fontsize: '14', fontfamily: 'Open Sans', bold: false, italic: false }
const look = { ...written, align: 'left', color: [0, 0, 0, 1] }
const nameAt = (left: number, bottom: number, more: RowData = {}): RowData => ({
  ...{ type: 'textarea', left, bottom, content: 'attendee_name', ...look, ...more },
})
const layout = [
  nameAt(5, 40),
  nameAt(5, 30, { content: 'itemvar', fontfamily: 'Noto Serif', italic: true }),
  { type: 'barcodearea', left: 60, bottom: 5, size: 25 },
]

/** Points in a millimetre, and dots at 254 dpi. */
const mm = 72 / 25.4
const dots = 10

/** A page of 90 by 50 mm with a black bar of 4 mm at its upper edge and one of 2 mm at its left one. */
async function bars({ turned = 0, cropped = false, pages = 1 } = {}): Promise<Uint8Array> {
  const pdf = await EditedPdf.create()
  for (let at = 0; at < pages; at += 1) {
    const isAcross = turned % 180 === 0
    const page = pdf.addPage(isAcross ? [90 * mm, 50 * mm] : [50 * mm, 90 * mm])
    const [width, height] = [page.getWidth(), page.getHeight()]
    if (turned === 0) {
      page.drawRectangle({ x: 0, y: height - 4 * mm, width, height: 4 * mm, color: rgb(0, 0, 0) })
      page.drawRectangle({ x: 0, y: 0, width: 2 * mm, height, color: rgb(0, 0, 0) })
    } else {
      // As it is seen once it is turned to the right.
      page.drawRectangle({ x: 0, y: 0, width: 4 * mm, height, color: rgb(0, 0, 0) })
      page.drawRectangle({ x: 0, y: 0, width, height: 2 * mm, color: rgb(0, 0, 0) })
      page.setRotation(degrees(turned))
    }
    if (cropped) {
      page.setMediaBox(-20, -30, width + 100, height + 100)
      page.setCropBox(0, 0, width, height)
    }
  }
  return pdf.save()
}

/** A page with a picture that cannot be packed. */
async function noise(): Promise<Uint8Array> {
  const picture = new PNG({ width: 200, height: 200 })
  let state = 1
  for (let at = 0; at < picture.data.length; at += 1) {
    state = (state * 48_271) % 2_147_483_647
    picture.data[at] = at % 4 === 3 ? 255 : state & 255
  }
  const pdf = await EditedPdf.create()
  const page = pdf.addPage([90 * mm, 50 * mm])
  page.drawImage(await pdf.embedPng(PNG.sync.write(picture)), { x: 0, y: 0, width: 100, height: 100 })
  return pdf.save()
}

const shareBlack = (page: Bitmap, left: number, top: number, width: number, height: number): number => {
  let count = 0
  for (let x = left * dots; x < (left + width) * dots; x += 1)
    for (let y = top * dots; y < (top + height) * dots; y += 1) if (isBlack(page, x, y)) count += 1
  return count / (width * height * dots * dots)
}

describe('the pages of tickets', () => {
  let world: PrintEvent
  beforeEach(async () => {
    world = await openPrintEvent()
  })
  afterEach(() => world.database.close())

  const badgeOn = async (background: Uint8Array | null, elements: readonly RowData[] = layout) => {
    const named = { name: 'Badge', layout: elements, default: true }
    const id = await world.add(badgeLayout, { ...named, background: background && 'file:bars' })
    if (background) await world.addBackground(id, background)
    return id
  }
  const sellTo = async (attendee_name: string, more: RowData = {}): Promise<number> => {
    const [cells] = await world.sell([{ attendee_name, ...more }])
    assert.ok(cells)
    return cells.id
  }
  async function printed(position: number, document: 'badge' | 'ticket' = 'badge') {
    const pdf = await positionPage(world.database, { ...world.place, position, document })
    assert.ok(pdf)
    return { pdf, pages: await pageBitmaps(pdf, { dpi: 254 }) }
  }
  const only = ([page]: readonly Bitmap[]): Bitmap => {
    assert.ok(page)
    return page
  }

  for (const [how, options] of [
    ['as it is', {}],
    ['turned', { turned: 90 }],
    ['with an edge that is not seen', { cropped: true }],
  ] as const)
    it(`have the background under the texts, ${how}`, async () => {
      await badgeOn(await bars(options), [
        ...layout,
        nameAt(5, 46.5, { color: [255, 255, 255, 1], fontsize: 9 }),
      ])
      const position = await sellTo('Ann Example', { secret: 'SECRET-OF-ANN' })
      const page = only((await printed(position)).pages)
      assert.deepEqual([page.width, page.height], [900, 500])
      const [above, beside] = [shareBlack(page, 40, 0, 48, 4), shareBlack(page, 0, 10, 2, 38)]
      assert.ok(above > 0.98 && beside > 0.98, `the bars are seen: ${above}, ${beside}`)
      const white = shareBlack(page, 5, 0, 25, 4)
      assert.ok(white > 0.5 && white < 0.97, `white letters are over the bar: ${white}`)
      assert.ok(shareBlack(page, 5, 5, 40, 6) > 0.05, 'the name is under it')
      assert.deepEqual(await textsIn(bitmapPng(page)), ['SECRET-OF-ANN'])
    })

  it('are as many as those of the background, each with its own elements', async () => {
    await badgeOn(await bars({ pages: 2 }), [nameAt(5, 40), nameAt(5, 10, { page: 2 })])
    const { pages } = await printed(await sellTo('Ann Example'))
    assert.equal(pages.length, 2)
    const [front, back] = pages
    assert.ok(front && back)
    const seen = (page: Bitmap) => [5, 35].map((top) => shareBlack(page, 5, top, 40, 6) > 0.02)
    assert.deepEqual(
      [seen(front), seen(back)],
      [
        [true, false],
        [false, true],
      ],
    )
  })

  it('are the same in the file of all badges, in every script', async () => {
    await badgeOn(await bars())
    const names = ['Ann Example', '山田 太郎', 'محمد العربي', 'דוד כהן', '김민준', 'Łukasz Ωμέγα']
    const sold: number[] = []
    for (const [at, name] of names.entries()) sold.push(await sellTo(name, { secret: `SECRET-${at}` }))
    const none = await world.addItem('None')
    await world.add(badgeItem, { item: none, layout: null })
    await sellTo('Nobody', { item: none })
    const exported = await exportedBadges()
    for (const [at, position] of sold.entries())
      assert.deepEqual(exported[at], only((await printed(position)).pages), names[at])
    assert.equal(exported.length, names.length)
  })

  it('hold their background once, however many they are', async () => {
    await badgeOn(await noise())
    await sellTo('Ann Example')
    const one = (await exportedFile()).length
    for (let more = 0; more < 19; more += 1) await sellTo('Ann Example')
    const twenty = (await exportedFile()).length
    assert.ok(one > 100_000 && twenty < one * 1.6, `${one}, ${twenty}`)
  })

  it('say that their background is missing or damaged, instead of being without it', async () => {
    const named = { name: 'Badge', layout, default: true, background: 'file:late' }
    const id = await world.add(badgeLayout, named)
    const position = await sellTo('Ann Example')
    const asked = () => positionPage(world.database, { ...world.place, position, document: 'badge' })
    await assert.rejects(asked(), { reason: 'background-missing' })
    await assert.rejects(exportedFile(), { name: 'Error', message: /has not arrived here yet/ })
    await world.addBackground(id, Buffer.from('%PDF-1.7 of a kind'))
    await assert.rejects(asked(), { reason: 'background-damaged' })
    const plain = { ...world.place, position, document: 'badge', plain: true } as const
    assert.ok(await positionPage(world.database, plain))
  })

  it('name what was added, and the days of the event', async () => {
    const [cells] = await world.sell([{}, { addon_to: 0 }, { addon_to: 0 }, { addon_to: 0, canceled: true }])
    assert.ok(cells)
    const event = await world.facts()
    const site = { origin: '', organizer: '', events: new Map([[event.id, event]]) }
    const [data] = await pdfDataOf(world.database, world.place.organizer, { event, site }, [cells])
    assert.deepEqual([data?.addons, data?.event_date_range], ['2x Day ticket', 'June 1, 2030'])
  })

  it('of tickets are drawn over theirs as well', async () => {
    const named = { name: 'Ticket', layout, default: true, background: 'file:bars' }
    await world.addBackground(await world.add(ticketLayout, named), await bars())
    const page = only((await printed(await sellTo('Ann Example'), 'ticket')).pages)
    assert.ok(shareBlack(page, 10, 0, 78, 4) > 0.98)
  })

  async function exportedFile(): Promise<Buffer> {
    const { database, place } = world
    const events = [await world.facts()]
    return readFrom(database, async (db) => {
      const chunks: Buffer[] = []
      const run: Run = {
        ...{ db, level: 'event', events, now: '2030-06-01T10:00:00.000000Z', locale: 'en', origin: '' },
        ...{ organizer: { id: place.organizer, slug: 'acme' }, permissions: new Set() },
        ...{ wishes: { list: null, paid_only: false }, expect: () => {}, advance: () => {} },
      }
      for await (const chunk of badgeFile(run)) chunks.push(chunk)
      return Buffer.concat(chunks)
    })
  }
  const exportedBadges = async () => pageBitmaps(await exportedFile(), { dpi: 254 })
})
