import sql from 'sql-template-tag'
import type { profileNamed } from '../../../schema/bodies/printer-profiles.ts'
import type { PageElement } from '../../../schema/page-elements.ts'
import type { EventFacts } from '../../resource/api.ts'
import { fileOf } from '../../services/input/uploads.ts'
import { backgroundOf } from '../../services/layouts/layout-backgrounds.ts'
import { answersByQuestion, imageKey, pdfDataOf } from '../../services/orders/pdf-data.ts'
import type { PositionCells } from '../../services/orders/position-rows.ts'
import { printedTickets } from '../../services/orders/ticket-print.ts'
import { type PageLayout, ticketDocuments } from '../../services/printing/ticket-documents.ts'
import type { Queryable } from '../../storage/database.ts'
import { drawTicketPage } from '../tickets/ticket-pdf.ts'
import { drawDefaultBadge } from './default-badge.ts'
import { drawLayout, type PageTexts } from './layout-drawing.ts'
import { millimetre } from './layout-text.ts'
import { type BackgroundPage, backgroundPages } from './page-background.ts'

/** The size of a sheet or label, in millimetres. */
interface PaperSize {
  readonly width: number
  readonly height: number
}

/** The shape of a badge where a roll has no labels. */
const badgeShape = 105 / 148

/** The paper of a kind of printer; undefined for those who have any. */
export function paperOf({
  dialect,
  dots,
  dpi,
  labelLength,
}: ReturnType<typeof profileNamed>): PaperSize | undefined {
  if (dialect === 'pdf') return undefined
  const width = (dots / dpi) * 25.4
  return { width, height: labelLength ?? width * badgeShape }
}

/** Whose pages are drawn, and which. */
export interface DrawnDocuments {
  readonly organizer: number
  readonly event: EventFacts
  readonly document: 'ticket' | 'badge'
  /** What is printed on where nobody has drawn a layout, so that all of it is on it. */
  readonly paper?: PaperSize | undefined
  /** Whether layouts are drawn without what they are printed on, where somebody has said so. */
  readonly plain?: boolean
}

/** The background of a layout has not arrived here, or cannot be read: the page would not be what somebody has drawn. */
export class BackgroundFault extends Error {
  readonly reason: 'background-missing' | 'background-damaged'

  constructor(reason: BackgroundFault['reason']) {
    super(
      reason === 'background-missing'
        ? 'The background of the layout has not arrived here yet. It comes by itself once the server is reached.'
        : 'The background of the layout cannot be read: it is damaged or protected. Upload a PDF without a password in its place.',
    )
    this.reason = reason
  }
}

/** A6 across, and A4, for layouts that have no background with a size of its own, and where any paper will do. */
const usualPaper = { badge: { width: 148, height: 105 }, ticket: { width: 210, height: 297 } } as const

/**
 * Draws documents of an event on the pages of a PDF: in the layout of each ticket's product, over its background, else in
 * one that needs none. What is printed, shown before it is, and exported is drawn here.
 */
export async function positionPages(db: Queryable, wanted: DrawnDocuments) {
  const { organizer, event, document: kind, paper, plain = false } = wanted
  const documentOf = await ticketDocuments(db, { organizer, event }, kind)
  const backgrounds = new Map<number, readonly BackgroundPage[]>()
  const sheet = inPoints(usualPaper[kind])
  const label = inPoints(paper ?? usualPaper.badge)

  async function sheetsFor({
    id,
    background,
  }: PageLayout): Promise<readonly (BackgroundPage | typeof sheet)[]> {
    if (background === null || plain) return [sheet]
    const known = backgrounds.get(id)
    if (known) return known
    const file = await backgroundOf(db, { organizer, event: event.id }, id)
    if (!file) throw new BackgroundFault('background-missing')
    const pages = await backgroundPages(file)
    if (!pages) throw new BackgroundFault('background-damaged')
    backgrounds.set(id, pages)
    return pages
  }

  async function drawBy(
    document: PDFKit.PDFDocument,
    cells: PositionCells,
    { look, texts }: { readonly look: PageLayout | 'plain'; readonly texts: PageTexts },
  ): Promise<void> {
    if (look === 'plain') {
      document.addPage({ size: [label.width, label.height], margin: 0 })
      drawDefaultBadge(document, texts(null))
      return
    }
    const sheets = await sheetsFor(look)
    const pictures = look.layout.some(({ type }) => type === 'imagearea')
      ? await picturesOf(db, event, cells)
      : new Map<string, Uint8Array>()
    for (const [index, page] of sheets.entries()) {
      document.addPage({ size: [page.width, page.height], margin: 0 })
      if ('drawOn' in page) page.drawOn(document)
      const elements = look.layout.filter((one) => Number(one.page ?? 1) === index + 1)
      drawLayout(document, elements, { texts, pictures, locale: cells.order_locale })
    }
  }

  return {
    /** Adds the pages of tickets, but of those whose product is to have none; of how many. Throws BackgroundFault. */
    async draw(document: PDFKit.PDFDocument, positions: readonly PositionCells[]): Promise<number> {
      const drawn = positions.flatMap((cells) => {
        const { look } = documentOf(cells)
        return look === null ? [] : [{ cells, look }]
      })
      const elements = drawn.flatMap(({ look }) => (look === 'plain' ? [] : look.layout))
      const textsOf = await textsFor(db, event, positions, elements)
      for (const { cells, look } of drawn)
        if (kind === 'ticket' && look === 'plain')
          for (const ticket of await printedTickets(db, organizer, event, [cells]))
            drawTicketPage(document, ticket, { paper: 'roll', widest: paper && inPoints(paper).width })
        else await drawBy(document, cells, { look, texts: textsOf(cells) })
      return drawn.length
    },
  }
}

const inPoints = ({ width, height }: PaperSize): PaperSize => ({
  width: width * millimetre,
  height: height * millimetre,
})

/** What can be printed of tickets, in the languages of their orders and in those that elements have of their own. */
async function textsFor(
  db: Queryable,
  event: EventFacts,
  positions: readonly PositionCells[],
  elements: readonly PageElement[],
): Promise<(cells: PositionCells) => PageTexts> {
  type Texts = Readonly<Record<string, string>>
  const site = { origin: '', organizer: '', events: new Map([[event.id, event]]) }
  const load = async (some: readonly PositionCells[]): Promise<ReadonlyMap<number, Texts>> => {
    const data = some[0] ? await pdfDataOf(db, some[0].organizer, { event, site }, some) : []
    return new Map(some.map(({ id }, at) => [id, onlyTexts(data[at] ?? {})]))
  }
  const own = await load(positions)
  const foreign = new Map<string, ReadonlyMap<number, Texts>>()
  for (const { locale } of elements)
    if (typeof locale === 'string' && locale !== '' && !foreign.has(locale))
      foreign.set(locale, await load(positions.map((cells) => ({ ...cells, order_locale: locale }))))
  return ({ id }) =>
    (locale) =>
      foreign.get(locale ?? '')?.get(id) ?? own.get(id) ?? {}
}

const onlyTexts = (data: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(data).filter((one): one is [string, string] => typeof one[1] === 'string'),
  )

async function picturesOf(
  db: Queryable,
  event: EventFacts,
  cells: PositionCells,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { organizer } = cells
  const questions = await db.all<{ id: number; identifier: string }>(
    sql`SELECT id, identifier FROM question WHERE organizer = ${organizer} AND event = ${event.id} AND "type" = 'F'`,
  )
  const answers = answersByQuestion(cells)
  const pictures = new Map<string, Uint8Array>()
  for (const { id, identifier } of questions) {
    const file = await fileOf(db, organizer, answers.get(id)?.answer ?? '')
    if (file && /^image\/(png|jpeg)$/.test(file.type)) pictures.set(imageKey(identifier), file.bytes)
  }
  return pictures
}
