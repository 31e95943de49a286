import sql, { empty, join, type Sql } from 'sql-template-tag'
import { selectPositions } from '../../services/orders/positions.ts'
import type { Cells } from '../../storage/database.ts'
import { idsIn, pageSize } from '../format/event-pages.ts'
import { NothingToExport, type Run } from '../format/exporter.ts'
import { pdfFile } from '../format/pdf-file.ts'
import { BackgroundFault, positionPages } from '../printing/position-pages.ts'
import { attendeeListing } from './attendees.ts'

/** Draws the badges that are wished for, as a printer would print them; products without a badge are left out. */
export async function* badgeFile(run: Run): AsyncGenerator<Buffer> {
  const [event] = run.events
  if (!event) throw new NothingToExport('There is no event to make badges for.')
  const { from, order } = attendeeListing(run)(event)
  const wished = sql`${from}${run.wishes.list === null ? empty : sql` AND p.id IN (${ofList(run)})`}`
  const counted = await run.db.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${wished}`)
  const total = counted?.count ?? 0
  if (total === 0) throw new NothingToExport('There is nobody to make badges for.')
  run.expect(total)
  const { id: organizer } = run.organizer
  const pages = await positionPages(run.db, { organizer, event, document: 'badge' })
  const title = `${event.slug.toUpperCase()} badges`
  yield* pdfFile({ info: { Title: title }, lang: event.locale }, async function* (document) {
    let drawn = 0
    for await (const page of run.db.pages<Cells>(sql`SELECT p.id FROM ${wished} ORDER BY ${order}`, pageSize))
      for (let first = 0; first < page.length; first += 20) {
        const part = page.slice(first, first + 20)
        const ids = idsIn(part, 'id')
        const some = await selectPositions(
          run.db,
          sql`p.organizer = ${organizer} AND p.id IN (${join(ids)})`,
          sql`p.id`,
        )
        const inOrder = some.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
        drawn += await pages.draw(document, inOrder).catch((cause: unknown) => {
          throw cause instanceof BackgroundFault ? new NothingToExport(cause.message) : cause
        })
        run.advance(part.length)
        yield
      }
    if (drawn === 0) throw new NothingToExport('The products of these tickets are to have no badge.')
  })
}

/** Those who have come in through a list. */
const ofList = (run: Run): Sql =>
  sql`SELECT c."position" FROM checkin c WHERE c.organizer = ${run.organizer.id}
      AND c.list = ${Number(run.wishes.list)} AND c.successful = 1 AND c."type" = 'entry'`
