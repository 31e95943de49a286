import PDFDocument from 'pdfkit'
import sql from 'sql-template-tag'
import { eventById } from '../../services/events/events.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import { selectPositions } from '../../services/orders/positions.ts'
import type { Queryable } from '../../storage/database.ts'
import { type DrawnDocuments, positionPages } from './position-pages.ts'

/** What is printed of a position of an order. */
interface PrintedPosition extends Pick<DrawnDocuments, 'document' | 'paper' | 'plain'> {
  readonly organizer: number
  readonly event: number
  readonly position: number
}

/**
 * The pages that are printed of a position, as a PDF. Null where there is no such position, or where its product is to have
 * none. Throws BackgroundFault where the background of its layout is not there.
 */
export async function positionPage(
  db: Queryable,
  { organizer, event: id, position, ...wanted }: PrintedPosition,
): Promise<Uint8Array | null> {
  const event = await eventById(db, organizer, id)
  const here = sql`p.organizer = ${organizer} AND p.event = ${id} AND p.id = ${position}`
  const [cells] = event ? await selectPositions(db, here, sql`p.positionid`) : []
  return event && cells ? pagesOf(db, { organizer, event, ...wanted }, cells) : null
}

/** The pages of one ticket, as a PDF; see positionPage. */
export async function pagesOf(
  db: Queryable,
  wanted: DrawnDocuments,
  cells: PositionCells,
): Promise<Uint8Array | null> {
  const pages = await positionPages(db, wanted)
  const document = new PDFDocument({ margin: 0, autoFirstPage: false, lang: cells.order_locale })
  const chunks: Uint8Array[] = []
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  document.on('end', () => resolve(Buffer.concat(chunks)))
  document.on('error', reject)
  if ((await pages.draw(document, [cells])) === 0) return null
  document.end()
  return promise
}
