import { inWords } from '../../services/orders/ticket-print.ts'
import { NothingToExport, type Run } from '../format/exporter.ts'
import { pdfFile } from '../format/pdf-file.ts'
import type { Face } from '../tickets/font-families.ts'
import { TextWriter } from '../tickets/text-writer.ts'
import { answerColumns } from './answer-columns.ts'
import { type ListedPosition, type ListedPositions, listedPositions } from './checkin-list-rows.ts'
import { seatText } from './order-list-positions.ts'

/** A4 in points. */
const page = { width: 595.28, height: 841.89, margin: 36, heading: 44 } as const
const row = { height: 26, box: 11 } as const
const perPage = Math.floor((page.height - 2 * page.margin - page.heading) / row.height)
/** Where columns begin, from the left margin. */
const places = { box: 0, order: 20, name: 88, product: 290, answers: 420 } as const

interface Line {
  readonly order: string
  readonly name: string
  readonly product: string
  readonly answers: string
  readonly came: string | null
}

/** Draws the check-in list that is wished for. */
export async function* checkinListFile(run: Run): AsyncGenerator<Buffer> {
  const listed = await listedPositions(run)
  if (listed.total === 0) throw new NothingToExport('There is nobody on this list.')
  run.expect(listed.total)
  const { event } = listed.words
  const title = `${listed.name} – ${event.slug.toUpperCase()}`
  const made = inWords(run.now, event.timezone, event.locale, { dateStyle: 'medium', timeStyle: 'short' })
  const options = { size: 'A4', lang: event.locale, info: { Title: title } } as const
  yield* pdfFile(options, async function* (document) {
    let drawn = 0
    const pages = Math.ceil(listed.total / perPage)
    for await (const lines of linesOf(run, listed)) {
      for (const line of lines) {
        const place = drawn % perPage
        if (place === 0) drawHeading(document, title, `${made} – ${drawn / perPage + 1}/${pages}`)
        drawLine(document, line, page.margin + page.heading + place * row.height)
        drawn += 1
      }
      run.advance(lines.length)
      yield
    }
  })
}

async function* linesOf(run: Run, { words, pages }: ListedPositions): AsyncGenerator<readonly Line[]> {
  const asked = run.wishes.questions as readonly number[]
  const questions = answerColumns([words], ({ id }) => asked.includes(id), true)
  const lineOf = ({ cells, name, came }: ListedPosition): Line => {
    const product = [words.items.get(cells.item), words.variations.get(cells.variation)]
    const answers = questions
      .cells(cells.answers)
      .flatMap((answer) => (answer === null ? [] : [String(answer)]))
    const seat = seatText(cells.seat)
    return {
      order: `${cells.code}-${cells.positionid}`,
      name: name ?? '',
      product: product.filter(Boolean).join(' – '),
      answers: [...(seat === null ? [] : [seat]), ...answers].join(', '),
      came: words.clock(came)?.replace('T', ' ').slice(0, 16) ?? null,
    }
  }
  // A page of rows takes a while to draw, and what is drawn is to be given away.
  for await (const rows of pages())
    for (let first = 0; first < rows.length; first += 100) yield rows.slice(first, first + 100).map(lineOf)
}

function drawHeading(document: PDFKit.PDFDocument, title: string, place: string): void {
  document.addPage()
  const width = page.width - 2 * page.margin
  const writer = new TextWriter(document, [title, place])
  const line = { left: page.margin, lines: 1 }
  writer.box(title, { ...line, face: 'bold', size: 14, top: page.margin, width: width - 170 })
  writer.box(place, { ...line, face: 'regular', size: 8, top: page.margin + 5, width, align: 'right' })
}

function drawLine(document: PDFKit.PDFDocument, line: Line, top: number): void {
  const left = page.margin
  const right = page.width - page.margin
  document.lineWidth(0.3).strokeColor('#999999').moveTo(left, top).lineTo(right, top).stroke()
  document
    .lineWidth(0.8)
    .strokeColor('black')
    .rect(left, top + 6, row.box, row.box)
    .stroke()
  if (line.came !== null) {
    const middle = top + 6 + row.box / 2
    document
      .moveTo(left + 2, middle)
      .lineTo(left + row.box / 2 - 1, top + 4 + row.box)
      .lineTo(left + row.box - 1, top + 8)
      .stroke()
  }
  const writer = new TextWriter(document, [line.order, line.name, line.product, line.answers])
  const put = (text: string, face: Face, [from, until]: readonly [number, number], below = 0): void => {
    if (text === '') return
    writer.box(text, {
      ...{ face, size: below === 0 ? 9 : 7, lines: 1, align: 'left' },
      ...{ left: left + from, top: top + 6 + below, width: until - from - 6 },
    })
  }
  put(line.order, 'regular', [places.order, places.name])
  put(line.name, 'bold', [places.name, places.product])
  if (line.came !== null) put(line.came, 'regular', [places.name, places.product], 10)
  put(line.product, 'regular', [places.product, places.answers])
  put(line.answers, 'regular', [places.answers, right - left])
}
