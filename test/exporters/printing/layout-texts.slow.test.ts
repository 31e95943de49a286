import assert from 'node:assert/strict'
import PDFDocument from 'pdfkit'
import type { PageElement } from '../../../schema/page-elements.ts'
import { type Bitmap, isBlack } from '../../../server/domain/printers/bitmap.ts'
import { bitmapPng } from '../../../server/exporters/printing/bitmap-png.ts'
import { drawLayout } from '../../../server/exporters/printing/layout-drawing.ts'
import { pageBitmaps } from '../../../server/exporters/printing/page-bitmaps.ts'
import { openedFont } from '../../../server/exporters/tickets/font-families.ts'
import { TextWriter } from '../../../server/exporters/tickets/text-writer.ts'
import { textsIn } from '../../support/ticketing/codes.ts'

const long = 'Donaudampfschifffahrtsgesellschaft'
const values = { name: 'Zoe', secret: 'SECRET-1', order: 'ABC12', item: 'Ticket', long, two: 'one\ntwo' }
const inLanguage = { de: { ...values, item: 'Karte' } }

async function pdfOf(draw: (document: PDFKit.PDFDocument) => void): Promise<Buffer> {
  const document = new PDFDocument({ size: [283.465, 283.465], margin: 0 })
  const chunks: Uint8Array[] = []
  const finished = new Promise((resolve) => document.on('end', resolve))
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  draw(document)
  document.end()
  await finished
  return Buffer.concat(chunks)
}

/** A page of 100 by 100 mm with elements of a layout. */
const drawn = (...elements: PageElement[]) =>
  pdfOf((document) =>
    drawLayout(document, elements, {
      texts: (locale) => (locale === 'de' ? inLanguage.de : values),
      pictures: new Map([['question_photo', Buffer.from('no picture')]]),
      locale: 'en',
    }),
  )

const usual = { left: 20, bottom: 50, width: 40, content: 'name', align: 'left', color: [0, 0, 0, 1] }
const letters = { fontsize: 12, fontfamily: 'Open Sans', bold: false, italic: false }
const area = (more: object): PageElement => ({ type: 'textarea', ...usual, ...letters, ...more })
const box = (more: object): PageElement => ({
  ...{ type: 'textcontainer', ...usual, ...letters, height: 20, verticalalign: 'top', ...more },
})

/** Where something black is, in millimetres from the upper left corner. */
function inkIn(page: Bitmap) {
  const ink = { left: 100, top: 100, right: 0, bottom: 0, count: 0 }
  for (let x = 0; x < page.width; x += 1)
    for (let y = 0; y < page.height; y += 1)
      if (isBlack(page, x, y)) {
        ink.left = Math.min(ink.left, x / 10)
        ink.top = Math.min(ink.top, y / 10)
        ink.right = Math.max(ink.right, (x + 1) / 10)
        ink.bottom = Math.max(ink.bottom, (y + 1) / 10)
        ink.count += 1
      }
  return ink
}

type Ink = ReturnType<typeof inkIn>

async function inkOf(...elements: PageElement[]): Promise<Ink> {
  const [page] = await pageBitmaps(await drawn(...elements), { dpi: 254 })
  assert.ok(page)
  return inkIn(page)
}

const near = (one: number, other: number, by = 1): boolean => Math.abs(one - other) <= by
const isWithin = ({ left, right, top, bottom }: Ink): boolean =>
  left >= 19.5 && right <= 60.5 && top >= 29.5 && bottom <= 50.5

/** What stands on a page with an element, and what of it is seen. */
const places: readonly [what: string, element: PageElement, holds: (ink: Ink) => boolean][] = [
  ['begins at the left', area({}), ({ left, bottom }) => near(left, 20) && near(bottom, 49, 1.5)],
  ['ends at the right', area({ align: 'right' }), ({ right }) => near(right, 60)],
  ['stands in the middle', area({ align: 'center' }), ({ left, right }) => near((left + right) / 2, 40)],
  ['goes up from its corner', area({ content: 'two' }), ({ top, bottom }) => top < 43 && bottom < 50],
  ['goes down', area({ content: 'two', downward: true }), ({ top, bottom }) => top > 50 && bottom > 57],
  ['is turned', area({ rotation: '90' }), (ink) => ink.bottom - ink.top > ink.right - ink.left],
  ['stands at the upper edge of its box', box({}), ({ top }) => near(top, 31, 1.5)],
  ['stands in the middle of it', box({ verticalalign: 'middle' }), (i) => near((i.top + i.bottom) / 2, 40)],
  ['stands at its lower edge', box({ verticalalign: 'bottom' }), ({ bottom }) => near(bottom, 49, 1.5)],
  [
    'tears long words',
    box({ content: 'long', fontsize: 24 }),
    ({ right, bottom }) => right < 61 && bottom > 45,
  ],
  [
    ...(['leaves them whole', box({ content: 'long', fontsize: 24, splitlongwords: false })] as const),
    ({ right, bottom }) => right > 80 && bottom < 42,
  ],
  ['becomes smaller', box({ content: 'long', fontsize: 24, autoresize: true }), isWithin],
  ['becomes no larger', box({ fontsize: 8, autoresize: true }), ({ right }) => right < 30],
  ['is left out where it is empty', area({ content: 'nothing' }), ({ count }) => count === 0],
]

/** Which of the fonts at hand is taken for a family. */
const families: readonly [family: string, more: object, font: string][] = [
  ['Open Sans', {}, 'Helvetica'],
  ['Open Sans', { bold: true }, 'Helvetica-Bold'],
  ['Open Sans', { italic: true }, 'Helvetica-Oblique'],
  ['Roboto', { bold: true, italic: true }, 'Helvetica-BoldOblique'],
  ['Noto Sans Serif', {}, 'Helvetica'],
  ['Noto Serif', {}, 'Times-Roman'],
  ['Times New Roman', { bold: true }, 'Times-Bold'],
  ['Vollkorn', { italic: true }, 'Times-Italic'],
  ['Roboto Slab', { bold: true, italic: true }, 'Times-BoldItalic'],
  ['Roboto Mono', {}, 'Courier'],
  ['Courier', { bold: true }, 'Courier-Bold'],
  ['Inconsolata', { bold: true, italic: true }, 'Courier-BoldOblique'],
  ['Nobody knows', {}, 'Helvetica'],
]

const chinese = '@embedpdf/fonts-sc:../fonts/NotoSansHans-Regular.otf'

describe('the texts of a layout', () => {
  for (const [what, element, holds] of places)
    it(`are drawn so that one ${what}`, async () => {
      const ink = await inkOf(element)
      assert.ok(holds(ink), JSON.stringify(ink))
    })

  for (const [family, more, font] of families)
    it(`have ${font} for ${family} ${JSON.stringify(more)}`, async () => {
      const pdf = (await drawn(area({ fontfamily: family, ...more }))).toString('latin1')
      assert.deepEqual(pdf.match(/(?<=\/BaseFont \/)[\w-]+/g), [font])
    })

  it('have slanted and strong letters beyond Western Europe too', async () => {
    const greek = (more: object) => area({ content: 'other', text: 'Ωμέγα', ...more })
    const named = async (more: object) =>
      (await drawn(greek(more))).toString('latin1').match(/(?<=\+)DejaVu[\w-]+/)?.[0]
    assert.deepEqual(
      [
        await named({}),
        await named({ bold: true, italic: true }),
        await named({ fontfamily: 'Noto Serif', italic: true }),
        await named({ fontfamily: 'Roboto Mono', bold: true }),
      ],
      [
        'DejaVuSansCondensed',
        'DejaVuSansCondensed-BoldOblique',
        'DejaVuSerifCondensed-Italic',
        'DejaVuSansMono-Bold',
      ],
    )
  })

  it('have their lines so far from each other as it says', async () => {
    const heightOf = async (lineheight: string) => {
      const { top, bottom } = await inkOf(box({ content: 'two', lineheight }))
      return bottom - top
    }
    const step = ((await heightOf('2.0')) - (await heightOf('1.0'))) / 12 / (25.4 / 72)
    assert.ok(near(step, 1.15, 0.05), String(step))
  })

  it('are in the language of their element', async () => {
    const widthOf = async (element: PageElement) => (await inkOf(element)).right
    const own = area({ content: 'other_i18n', text_i18n: { en: 'i', de: 'WWWWWWWW' } })
    assert.ok((await widthOf({ ...own, locale: 'de' })) > (await widthOf(own)) + 10)
    assert.notEqual(
      await widthOf(area({ content: 'item', locale: 'de' })),
      await widthOf(area({ content: 'item' })),
    )
  })

  it('are in codes as well, the secret where nothing is said', async () => {
    const place = { type: 'barcodearea', bottom: 10, size: 30 }
    const codes = [
      { ...place, left: 5 },
      { ...place, left: 40, content: 'order' },
      { ...place, left: 5, bottom: 60, content: 'other', text: 'https://example.org/{order}-{meta:color}' },
    ]
    const [page] = await pageBitmaps(await drawn(...codes), { dpi: 254 })
    assert.ok(page)
    const read = await textsIn(bitmapPng(page))
    assert.deepEqual(read.toSorted(), ['ABC12', 'SECRET-1', 'https://example.org/ABC12-{meta:color}'])
  })

  it('keep no page back where a code or picture cannot be drawn, which is seen', async () => {
    const code = {
      type: 'barcodearea',
      left: 20,
      bottom: 50,
      size: 30,
      content: 'other',
      text: 'x'.repeat(4000),
    }
    const photo = {
      type: 'imagearea',
      left: 20,
      bottom: 50,
      width: 30,
      height: 30,
      content: 'question_photo',
    }
    for (const element of [code, photo]) {
      const { left, right, top, bottom, count } = await inkOf(element)
      assert.ok(
        [near(left, 20), near(right, 50), near(top, 20), near(bottom, 50), count > 500].every(Boolean),
      )
    }
  })
})

/** What pdfkit keeps of the font that is chosen. */
interface WithFont {
  readonly _font: { readonly font: object }
}

describe('the fonts of East Asia', () => {
  const write = (text: string, pages: number) =>
    pdfOf((document) => {
      for (let page = 0; page < pages; page += 1) {
        if (page > 0) document.addPage()
        const place = { face: 'regular', size: 12, left: 10, top: 10, width: 200, lines: 2 } as const
        new TextWriter(document, [text]).box(text, place)
      }
    })

  it('are read once for all documents, each of which is the same as the first', async () => {
    const [before] = await pageBitmaps(await write('山田太郎 音楽祭', 1), { dpi: 203 })
    await write('株式会社 入場券', 1)
    const [after] = await pageBitmaps(await write('山田太郎 音楽祭', 1), { dpi: 203 })
    assert.deepEqual(after, before)
    assert.ok(before && inkIn(before).count > 500)
    const used = new Set<unknown>()
    for (const text of ['音楽祭', '入場券'])
      await pdfOf((document) => {
        new TextWriter(document, [text]).line(text, { face: 'regular', size: 12, left: 10, top: 10 })
        used.add(Object.getPrototypeOf((document as PDFKit.PDFDocument & WithFont)._font.font))
      })
    assert.deepEqual(used, new Set([openedFont(chinese)]))
  })

  it('are in a file of fifty tickets once', async () => {
    const one = (await write('山田太郎 音楽祭', 1)).length
    const fifty = (await write('山田太郎 音楽祭', 50)).length
    assert.ok(fifty < 2 * one, `${one}, ${fifty}`)
  })
})
