import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import { type Bitmap, isBlack } from '../../../server/domain/printers/bitmap.ts'
import { pageBitmaps } from '../../../server/exporters/printing/page-bitmaps.ts'
import { slipPen } from '../../../server/exporters/receipts/slip.ts'
import { slipBytes } from '../../../server/exporters/receipts/slip-bytes.ts'
import { printerPlace } from '../../../server/services/devices/printer-places.ts'
import type { QueuedPrint } from '../../../server/services/printing/print-jobs.ts'
import { jobContent } from '../../../server/station/printing/job-content.ts'
import { decodedZpl } from '../../support/ticketing/printed-bitmaps.ts'
import { decodedReceipt } from '../../support/ticketing/printed-receipts.ts'
import { type Desk, openDesk } from '../desk.ts'

/** Part of a picture, in dots. */
interface Area {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The smallest area with all that is black in an area. */
function inkIn(bitmap: Bitmap, within: Area): Area {
  const ink = { left: Infinity, top: Infinity, right: -1, bottom: -1 }
  for (let y = within.top; y < within.bottom; y += 1)
    for (let x = within.left; x < within.right; x += 1)
      if (isBlack(bitmap, x, y)) {
        ink.left = Math.min(ink.left, x)
        ink.right = Math.max(ink.right, x + 1)
        ink.top = Math.min(ink.top, y)
        ink.bottom = Math.max(ink.bottom, y + 1)
      }
  assert.ok(ink.right > 0, 'nothing is drawn')
  return ink
}

const wholeOf = ({ width, height }: Bitmap): Area => ({ left: 0, top: 0, right: width, bottom: height })

/** The letters in an area from left to right: where a column is white one ends. */
function lettersIn(bitmap: Bitmap, within: Area): Area[] {
  const ink = inkIn(bitmap, within)
  const letters: { from: number; to: number }[] = []
  for (let x = ink.left; x < ink.right; x += 1) {
    let isInk = false
    for (let y = ink.top; y < ink.bottom && !isInk; y += 1) isInk = isBlack(bitmap, x, y)
    const last = letters.at(-1)
    if (isInk && last?.to === x) last.to = x + 1
    else if (isInk) letters.push({ from: x, to: x + 1 })
  }
  return letters.map(({ from, to }) => inkIn(bitmap, { ...ink, left: from, right: to }))
}

const grid = 24

/** How dark a letter is in each field of a grid over it, whatever its size is. */
function shapeOf(bitmap: Bitmap, { left, top, right, bottom }: Area): number[] {
  const [dark, all] = [Array<number>(grid * grid).fill(0), Array<number>(grid * grid).fill(0)]
  // Each dot is looked at in sixteen places, so that small letters fill the grid as well.
  const [across, down] = [(right - left) * 4, (bottom - top) * 4]
  for (let y = 0; y < down; y += 1)
    for (let x = 0; x < across; x += 1) {
      const field = Math.floor((y * grid) / down) * grid + Math.floor((x * grid) / across)
      all[field] = (all[field] ?? 0) + 1
      if (isBlack(bitmap, left + (x >> 2), top + (y >> 2))) dark[field] = (dark[field] ?? 0) + 1
    }
  return dark.map((count, field) => count / Math.max(1, all[field] ?? 1))
}

/** How much two letters differ: nothing is 0, everything is 1. */
const difference = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, dark, field) => sum + Math.abs(dark - (other[field] ?? 0)), 0) / one.length

const dejavu = 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed'
const fonts = {
  regular: import.meta.resolve(`${dejavu}.ttf`),
  bold: import.meta.resolve(`${dejavu}-Bold.ttf`),
  code: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'),
  chinese: new URL('../fonts/NotoSansHans-Regular.otf', import.meta.resolve('@embedpdf/fonts-sc')).href,
  'chinese bold': new URL('../fonts/NotoSansHans-Bold.otf', import.meta.resolve('@embedpdf/fonts-sc')).href,
} as const

/** What a letter looks like that is drawn alone, straight from its font. */
async function drawnAlone(letter: string, font: string): Promise<number[]> {
  const document = new PDFDocument({ size: [200, 200], margin: 0 })
  const chunks: Uint8Array[] = []
  const finished = new Promise((resolve) => document.on('end', resolve))
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  document.font(fileURLToPath(font)).fontSize(60).text(letter, 50, 50, { lineBreak: false })
  document.end()
  await finished
  const [page] = await pageBitmaps(Buffer.concat(chunks), { dpi: 203 })
  assert.ok(page)
  return shapeOf(page, inkIn(page, wholeOf(page)))
}

/** The lines in a picture from above: where so many rows are white one ends. */
function linesIn(bitmap: Bitmap, gap = 10): Area[] {
  const whole = wholeOf(bitmap)
  const lines: { from: number; to: number }[] = []
  for (let y = 0; y < bitmap.height; y += 1) {
    let isInk = false
    for (let x = 0; x < bitmap.width && !isInk; x += 1) isInk = isBlack(bitmap, x, y)
    const last = lines.at(-1)
    if (isInk && last && y - last.to < gap) last.to = y + 1
    else if (isInk) lines.push({ from: y, to: y + 1 })
  }
  return lines.map(({ from, to }) => inkIn(bitmap, { ...whole, top: from, bottom: to }))
}

const tall = 200

/** Where the name stands: the second line of a badge, and the one below the code of a ticket. */
function nameIn(bitmap: Bitmap, document: 'badge' | 'ticket'): Area {
  const lines = linesIn(bitmap)
  const at = document === 'badge' ? 1 : lines.findIndex(({ top, bottom }) => bottom - top > tall) + 1
  const name = lines[at]
  assert.ok(name, `${lines.length} lines`)
  return name
}

/** What is drawn differs a little from what is drawn in another size; other letters differ more. */
const alike = 0.2

async function isLetter(bitmap: Bitmap, area: Area, letter: string, fontsOfIt: readonly string[]) {
  const shape = shapeOf(bitmap, area)
  const differences = await Promise.all(
    fontsOfIt.map(async (font) => difference(shape, await drawnAlone(letter, font))),
  )
  const mark = difference(shape, await drawnAlone('?', fonts.bold))
  assert.ok(Math.min(...differences) < alike, `${letter}: ${differences}`)
  assert.ok(mark > 2 * Math.min(...differences), `${letter}: ${differences}, and of a question mark ${mark}`)
}

describe('letters on paper', function () {
  this.timeout(60_000)
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await desk.setUp()
  })
  after(() => desk.close())

  let sold = 0
  async function printed(document: 'badge' | 'ticket', attendee_name: string): Promise<Bitmap> {
    sold += 1
    const subject = await desk.sell(`secret-${sold}`, { attendee_name })
    const job: QueuedPrint = {
      ...{ ...desk.place, id: 'print-01', document, subject, note: null, copy: 0, title: '', locale: 'en' },
      ...{
        pulse: 'none',
        created: '2030-06-01T09:00:00.000000Z',
        state: 'waiting',
        reason: null,
        printer: null,
      },
    }
    const place = printerPlace({ way: 'tcp', address: 'printer.local', profile: 'zpl-300' })
    return decodedZpl(await jobContent(desk.transactions.database, job, place).commands())
  }

  for (const document of ['badge', 'ticket'] as const)
    it(`are those of the guest’s name on a ${document}, also from right to left`, async () => {
      const european = await printed(document, 'ЖŠ€')
      const three = lettersIn(european, nameIn(european, document))
      assert.equal(three.length, 3)
      for (const [at, letter] of ['Ж', 'Š', '€'].entries())
        await isLetter(european, three[at] ?? wholeOf(european), letter, [fonts.bold])
      const chinese = await printed(document, '漢')
      await isLetter(chinese, nameIn(chinese, document), '漢', [fonts['chinese bold']])
      const hebrew = await printed(document, 'שע')
      const two = lettersIn(hebrew, nameIn(hebrew, document))
      assert.equal(two.length, 2)
      for (const [at, letter] of ['ע', 'ש'].entries())
        await isLetter(hebrew, two[at] ?? wholeOf(hebrew), letter, [fonts.bold])
      const arabic = await printed(document, 'ع')
      await isLetter(arabic, nameIn(arabic, document), 'ع', [fonts.bold])
      const joined = await printed(document, 'ععع')
      assert.equal(lettersIn(joined, nameIn(joined, document)).length, 1)
    })

  it('are those of a receipt, from the pages of the printer or as pictures among its lines', async () => {
    const pen = slipPen({ timezone: 'Europe/Berlin', locale: 'en', columns: 42 }, [])
    const lines = [...pen.wholeWidth(), ...['12 €', 'Šárka', 'Жук', '漢', 'שע', 'ع'].flatMap(pen.said)]
    const slip = { title: '', locale: 'en', columns: 42, written: '2030-01-01T00:00:00Z', lines }
    const receipt = decodedReceipt(await slipBytes(slip, { dots: 576 }))
    assert.deepEqual(
      receipt.lines.flatMap((line) => ('text' in line ? [line.text] : [])),
      ['12 €', 'Šárka', 'Жук'],
    )
    const pictures = receipt.lines.flatMap((line) => ('picture' in line ? [line.picture] : []))
    const rows = pictures.flatMap((picture) => linesIn(picture, 3).map((area) => ({ picture, area })))
    assert.equal(rows.length, 3)
    const [chinese, hebrew, arabic] = rows
    assert.ok(chinese && hebrew && arabic)
    await isLetter(chinese.picture, chinese.area, '漢', [fonts.chinese])
    const two = lettersIn(hebrew.picture, hebrew.area)
    assert.equal(two.length, 2)
    for (const [at, letter] of ['ע', 'ש'].entries())
      await isLetter(hebrew.picture, two[at] ?? hebrew.area, letter, [fonts.regular, fonts.code])
    await isLetter(arabic.picture, arabic.area, 'ع', [fonts.regular, fonts.code])
  })
})
