import { setImmediate as letOthersWork } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { serverTranslator, type TranslateServer } from '../../../schema/texts/server.ts'
import { qrModules, quietZone } from './barcode.ts'
import type { Face } from './font-families.ts'
import { TextWriter } from './text-writer.ts'

/** One ticket to print. */
export interface Ticket {
  /** What the scanner reads. */
  readonly code: string
  readonly name: string | null
  /** Product and variation, in the sheet's language. */
  readonly product: string
  /** Order code and position, as staff look it up: `ABC12-1`. */
  readonly order: string
  /** What to expect or to know, printed first; null: nothing. */
  readonly note: string | null
}

/** How a sheet is headed, and the language of its few words (`en`, `de`; others get English). */
interface SheetLook {
  readonly title: string
  readonly locale: string
}

/** A4 in points: two columns of six tickets between a heading and the lower edge. */
const page = { width: 595.28, height: 841.89, margin: 30, heading: 30, columns: 2, rows: 6 } as const
const cell = {
  width: (page.width - 2 * page.margin) / page.columns,
  height: (page.height - 2 * page.margin - page.heading) / page.rows,
  padding: 8,
} as const
const perPage = page.columns * page.rows
const longestShownCode = 64

/**
 * A PDF of tickets, twelve to an A4 page with lines to cut along; without tickets the one page is empty.
 * A code takes milliseconds to draw, so scans and other requests are served between the pages.
 */
export async function ticketSheetPdf(tickets: readonly Ticket[], look: SheetLook): Promise<Uint8Array> {
  const info = { Title: look.title }
  const document = new PDFDocument({ size: 'A4', margin: 0, autoFirstPage: false, lang: look.locale, info })
  const chunks: Uint8Array[] = []
  const finished = new Promise<Uint8Array>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  await drawPages(document, tickets, look)
  document.end()
  return finished
}

async function drawPages(
  document: PDFKit.PDFDocument,
  tickets: readonly Ticket[],
  { title, locale }: SheetLook,
): Promise<void> {
  const t = serverTranslator(locale)
  const pages = Math.max(1, Math.ceil(tickets.length / perPage))
  for (let number = 0; number < pages; number += 1) {
    document.addPage()
    drawHeading(document, title, t('ticket.page', { page: number + 1, pages }))
    const shown = tickets.slice(number * perPage, (number + 1) * perPage)
    drawCutLines(document, Math.ceil(shown.length / page.columns))
    shown.forEach((ticket, place) => {
      const left = page.margin + (place % page.columns) * cell.width
      const top = page.margin + page.heading + Math.floor(place / page.columns) * cell.height
      drawTicket(document, ticket, { left, top }, t)
    })
    await letOthersWork()
  }
}

function drawHeading(document: PDFKit.PDFDocument, title: string, place: string): void {
  const width = page.width - 2 * page.margin
  const writer = new TextWriter(document, [title, place])
  const line = { left: page.margin, lines: 1 }
  writer.box(title, { ...line, face: 'bold', size: 13, top: page.margin, width: width - 80 })
  writer.box(place, { ...line, face: 'regular', size: 9, top: page.margin + 3, width, align: 'right' })
}

function drawCutLines(document: PDFKit.PDFDocument, rows: number): void {
  const top = page.margin + page.heading
  document.lineWidth(0.5).dash(3, { space: 3 }).strokeColor('#999999')
  for (let row = 0; row <= rows && rows > 0; row += 1) {
    const y = top + row * cell.height
    document
      .moveTo(page.margin, y)
      .lineTo(page.width - page.margin, y)
      .stroke()
  }
  for (let column = 0; column <= page.columns; column += 1) {
    const x = page.margin + column * cell.width
    document
      .moveTo(x, top)
      .lineTo(x, top + rows * cell.height)
      .stroke()
  }
  document.undash()
}

function drawTicket(
  document: PDFKit.PDFDocument,
  ticket: Ticket,
  { left, top }: { readonly left: number; readonly top: number },
  t: TranslateServer,
): void {
  const side = cell.height - 2 * cell.padding
  drawQr(document, ticket.code, { left: left + cell.padding, top: top + cell.padding, side })
  const x = left + side + 2 * cell.padding
  const width = left + cell.width - cell.padding - x
  const writer = new TextWriter(document, [
    ticket.note,
    ticket.name,
    ticket.product,
    ticket.order,
    ticket.code,
  ])
  let y = top + cell.padding + 4
  const write = (text: string | null, face: Face, size: number, lines: number): void => {
    if (text === null || text === '') return
    y = writer.box(text, { face, size, left: x, top: y, width, lines }) + 3
  }
  write(ticket.note, 'bold', 9, 2)
  write(ticket.name, 'regular', 12, 2)
  write(ticket.product, 'regular', 9, 2)
  write(t('ticket.order', { order: ticket.order }), 'regular', 9, 1)
  write(codeInGroups(ticket.code), 'code-regular', 7.5, 3)
}

/** Where a code is drawn with its quiet zone. */
interface QrPlace {
  readonly left: number
  readonly top: number
  readonly side: number
  readonly color?: PDFKit.Mixins.ColorValue
}

/** Draws the code's modules as one filled shape, so that no hairlines show between them. */
export function drawQr(
  document: PDFKit.PDFDocument,
  code: string,
  { left, top, side, color = 'black' }: QrPlace,
): void {
  const modules = qrModules(code)
  const unit = side / (modules.length + 2 * quietZone)
  for (const [row, darkness] of modules.entries()) {
    for (const { start, length } of darkRuns(darkness)) {
      const x = left + (start + quietZone) * unit
      document.rect(x, top + (row + quietZone) * unit, length * unit, unit)
    }
  }
  document.fill(color)
}

/** The stretches of dark modules in a row. */
export function darkRuns(row: readonly boolean[]): { readonly start: number; readonly length: number }[] {
  return row.flatMap((dark, start) => {
    if (!dark || row[start - 1]) return []
    const end = row.indexOf(false, start)
    return [{ start, length: (end === -1 ? row.length : end) - start }]
  })
}

/** A code in groups of four, so that it can be read aloud and typed; a very long one is cut, nobody types it. */
export function codeInGroups(code: string): string {
  const shown = code.length > longestShownCode ? `${code.slice(0, longestShownCode / 2)}…` : code
  return shown.match(/.{1,4}/gsu)?.join(' ') ?? ''
}
