import sql, { empty, type Sql } from 'sql-template-tag'
import type { EventFacts } from '../../resource/api.ts'
import type { Cells } from '../../storage/database.ts'
import { type CatalogueWords, wordsOf } from '../format/event-catalogue.ts'
import { pageSize } from '../format/event-pages.ts'
import { NothingToExport, type Run } from '../format/exporter.ts'
import { pdfFile } from '../format/pdf-file.ts'
import { penFor } from '../tickets/ticket-fonts.ts'
import { drawQr } from '../tickets/ticket-sheet.ts'
import { printable } from '../tickets/ticket-sheet-text.ts'
import { attendeeListing } from './attendees.ts'
import { seatText } from './order-list-positions.ts'

/** A6 across, in points. */
const badge = { width: 419.53, height: 297.64, margin: 24, qr: 110 } as const

/** Draws the badges that are wished for. */
export async function* badgeFile(run: Run): AsyncGenerator<Buffer> {
  const [event] = run.events
  if (!event) throw new NothingToExport('There is no event to make badges for.')
  const words = await wordsOf(run.db, run.organizer.id, event)
  const { columns, from, order } = attendeeListing(run)(event)
  const wished = run.wishes.list === null ? empty : sql` AND p.id IN (${ofList(run)})`
  const counted = await run.db.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${from}${wished}`)
  const total = counted?.count ?? 0
  if (total === 0) throw new NothingToExport('There is nobody to make badges for.')
  run.expect(total)
  const title = `${event.slug.toUpperCase()} badges`
  const options = { size: [badge.width, badge.height] as [number, number], info: { Title: title } }
  const name = await nameOf(run, event)
  yield* pdfFile(options, async function* (document) {
    const statement = sql`SELECT ${columns} FROM ${from}${wished} ORDER BY ${order}`
    for await (const page of run.db.pages<Cells>(statement, pageSize))
      for (let first = 0; first < page.length; first += 20) {
        const some = page.slice(first, first + 20)
        for (const cells of some) drawBadge(document, name, cells, words)
        run.advance(some.length)
        yield
      }
  })
}

/** Those who have come in through a list. */
const ofList = (
  run: Run,
): Sql => sql`SELECT c."position" FROM checkin c WHERE c.organizer = ${run.organizer.id}
  AND c.list = ${Number(run.wishes.list)} AND c.successful = 1 AND c."type" = 'entry'`

async function nameOf(run: Run, event: EventFacts): Promise<string> {
  const found = await run.db.get<{ name: string }>(
    sql`SELECT name FROM event WHERE organizer = ${run.organizer.id} AND id = ${event.id}`,
  )
  const names: Record<string, string> = JSON.parse(found?.name ?? '{}')
  return names[event.locale] ?? Object.values(names)[0] ?? event.slug
}

function drawBadge(document: PDFKit.PDFDocument, event: string, cells: Cells, words: CatalogueWords): void {
  document.addPage()
  const name = String(cells.attendee_name || cells.parent_name || '')
  const company = String(cells.company || cells.parent_company || '')
  const product = [words.items.get(cells.item), words.variations.get(cells.variation)]
  const seat = seatText(cells.seat)
  const line = [...product, seat].filter(Boolean).join(' – ')
  const date = words.dates.get(cells.subevent)?.name ?? ''
  const code = `${cells.code}-${cells.positionid}`
  const pen = penFor(document.fillColor('black'), [event, name, company, line, date, code])
  const width = badge.width - 2 * badge.margin
  const put = (
    text: string,
    [face, size]: readonly ['regular' | 'bold', number],
    { top, lines, across }: { readonly top: number; readonly lines: number; readonly across: number },
  ) => {
    if (text === '') return
    const covers = pen(face, size)
    const height = lines * document.currentLineHeight(true) + 1
    document.text(printable(text, covers), badge.margin, top, { width: across, height, ellipsis: '…' })
  }
  put(event, ['regular', 12], { top: badge.margin, lines: 2, across: width })
  put(name, ['bold', 30], { top: 66, lines: 2, across: width })
  put(company, ['regular', 16], { top: 142, lines: 1, across: width })
  put(line, ['regular', 12], { top: 186, lines: 2, across: width - badge.qr })
  put(date, ['regular', 10], { top: 222, lines: 1, across: width - badge.qr })
  put(code, ['regular', 9], { top: badge.height - badge.margin - 12, lines: 1, across: width - badge.qr })
  const side = badge.qr
  drawQr(document, String(cells.secret), {
    left: badge.width - badge.margin - side,
    top: badge.height - badge.margin - side,
    side,
  })
}
