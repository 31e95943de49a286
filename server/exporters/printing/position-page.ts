import { PDFDocument as EditedPdf } from '@cantoo/pdf-lib'
import PDFDocument from 'pdfkit'
import sql from 'sql-template-tag'
import type { PageElement } from '../../../schema/page-elements.ts'
import type { EventFacts } from '../../resource/api.ts'
import { eventById } from '../../services/events/events.ts'
import { fileOf } from '../../services/input/uploads.ts'
import { backgroundOf } from '../../services/layouts/layout-backgrounds.ts'
import { answersByQuestion, imageKey, pdfDataOf } from '../../services/orders/pdf-data.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import { selectPositions } from '../../services/orders/positions.ts'
import { printedTickets } from '../../services/orders/ticket-print.ts'
import { type PageLayout, ticketDocuments } from '../../services/printing/ticket-documents.ts'
import type { Queryable } from '../../storage/database.ts'
import { ticketPdf } from '../tickets/ticket-pdf.ts'
import { drawDefaultBadge } from './default-badge.ts'
import { drawLayout, type LayoutContents, millimetre } from './layout-drawing.ts'
import { UndrawablePdf } from './page-bitmaps.ts'

/** The size of a sheet or label, in millimetres. */
export interface PaperSize {
  readonly width: number
  readonly height: number
}

/** What is printed of a position of an order. */
export interface PrintedPosition {
  readonly organizer: number
  readonly event: number
  readonly position: number
  readonly document: 'ticket' | 'badge'
  /** What it is printed on where its layout has no background, which has a size of its own. */
  readonly paper?: PaperSize
}

/** A layout as it is used for a position. */
interface UsedLayout {
  readonly elements: readonly PageElement[]
  readonly background: Uint8Array | null
}

/** A6 across, and A4. */
const usualPaper = { badge: { width: 148, height: 105 }, ticket: { width: 210, height: 297 } } as const

/**
 * The page of PDF that is printed of a position: in the layout of its item, else in the default one, else in one that
 * needs none. Null where there is no such position, or where its item is to have no badge. Throws UndrawablePdf where a
 * background cannot be used.
 */
export async function positionPage(db: Queryable, wanted: PrintedPosition): Promise<Uint8Array | null> {
  const { organizer, event: id, position, document, paper = usualPaper[document] } = wanted
  const event = await eventById(db, organizer, id)
  const here = sql`p.organizer = ${organizer} AND p.event = ${id} AND p.id = ${position}`
  const [cells] = event ? await selectPositions(db, here, sql`p.positionid`) : []
  if (!event || !cells) return null
  const { look } = (await ticketDocuments(db, { organizer, event }, document))(cells)
  if (look === null) return null
  const layout = look === 'plain' ? null : await usedLayout(db, cells, look)
  if (layout === null && document === 'ticket')
    return ticketPdf(await printedTickets(db, organizer, event, [cells]), 'roll', 'Ticket')
  const contents = await contentsOf(db, event, cells)
  const draw = (page: PDFKit.PDFDocument): void =>
    layout === null ? drawDefaultBadge(page, contents.texts) : drawLayout(page, layout.elements, contents)
  const locale = cells.order_locale
  const size = { width: paper.width * millimetre, height: paper.height * millimetre }
  const background = layout?.background ?? null
  return background === null ? drawnPage(size, locale, draw) : drawnOver(background, locale, draw)
}

type Draw = (document: PDFKit.PDFDocument) => void

function drawnPage({ width, height }: PaperSize, lang: string, draw: Draw): Promise<Uint8Array> {
  const document = new PDFDocument({ size: [width, height], margin: 0, lang })
  const chunks: Uint8Array[] = []
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  document.on('end', () => resolve(Buffer.concat(chunks)))
  document.on('error', reject)
  draw(document)
  document.end()
  return promise
}

async function drawnOver(background: Uint8Array, locale: string, draw: Draw): Promise<Uint8Array> {
  const below = await EditedPdf.load(background).catch(() => null)
  if (!below || below.getPageCount() === 0)
    throw new UndrawablePdf(
      'The background of the layout is damaged or protected. Upload a PDF without a password in its place.',
    )
  const result = await EditedPdf.create()
  const [page] = await result.copyPages(below, [0])
  if (!page) throw new UndrawablePdf('The background of the layout has no page. Upload another PDF.')
  result.addPage(page)
  const box = page.getMediaBox()
  const [above] = await result.embedPdf(await drawnPage(box, locale, draw), [0])
  if (above) page.drawPage(above, { x: box.x, y: box.y })
  return result.save()
}

async function contentsOf(db: Queryable, event: EventFacts, cells: PositionCells): Promise<LayoutContents> {
  const { organizer } = cells
  const site = { origin: '', organizer: '', events: new Map([[event.id, event]]) }
  const [data = { images: {} }] = await pdfDataOf(db, organizer, { event, site }, [cells])
  const texts = Object.entries(data).filter((one): one is [string, string] => typeof one[1] === 'string')
  const questions = await db.all<{ id: number; identifier: string }>(
    sql`SELECT id, identifier FROM question WHERE organizer = ${organizer} AND event = ${event.id} AND "type" = 'F'`,
  )
  const answers = answersByQuestion(cells)
  const pictures = new Map<string, Uint8Array>()
  for (const { id, identifier } of questions) {
    const file = await fileOf(db, organizer, answers.get(id)?.answer ?? '')
    if (file && /^image\/(png|jpeg)$/.test(file.type)) pictures.set(imageKey(identifier), file.bytes)
  }
  return { texts: Object.fromEntries(texts), pictures, locale: cells.order_locale }
}

async function usedLayout(
  db: Queryable,
  { organizer, event }: PositionCells,
  { id, layout, background }: PageLayout,
): Promise<UsedLayout> {
  if (background === null) return { elements: layout, background: null }
  const file = await backgroundOf(db, { organizer, event }, id)
  return { elements: layout, background: file ?? null }
}
