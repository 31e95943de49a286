import { setImmediate as letOthersWork } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { serverTranslator } from '../../../schema/texts/server.ts'
import type { PrintedTicket } from '../../services/orders/ticket-print.ts'
import type { Face } from './font-families.ts'
import { TextWriter } from './text-writer.ts'
import { codeInGroups, drawQr } from './ticket-sheet.ts'

/** On what tickets are printed: a page of A4 for each, or a piece of roll paper of 80 mm. */
export type TicketPaper = 'page' | 'roll'

interface Paper {
  readonly width: number
  readonly height: number
  readonly margin: number
  readonly qr: number
  /** By how much letters are larger than those on the roll. */
  readonly scale: number
}

/** In points; printers for roll paper leave four millimetres on both sides. */
const papers: Readonly<Record<TicketPaper, Paper>> = {
  page: { width: 595.28, height: 841.89, margin: 60, qr: 220, scale: 1.6 },
  roll: { width: 226.77, height: 470, margin: 11.34, qr: 150, scale: 1 },
}

/**
 * A PDF of tickets, one to a page. The letters of Europe, the Near East and East Asia are written as they are; others lose
 * their accents or are spelled as in passports, and what cannot be written is `?`. The code is drawn whatever the texts are.
 */
export async function ticketPdf(
  tickets: readonly PrintedTicket[],
  paper: TicketPaper,
  title: string,
): Promise<Uint8Array> {
  const document = new PDFDocument({
    ...{ margin: 0, autoFirstPage: false },
    ...{ lang: tickets[0]?.locale ?? 'en', info: { Title: title } },
  })
  const chunks: Uint8Array[] = []
  const finished = new Promise<Uint8Array>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  for (const ticket of tickets) {
    drawTicketPage(document, ticket, { paper })
    await letOthersWork()
  }
  document.end()
  return finished
}

const narrowMargin = 4

/** Adds the page of a ticket to a document; one that is wider than `widest` is drawn narrower. */
export function drawTicketPage(
  document: PDFKit.PDFDocument,
  ticket: PrintedTicket,
  { paper, widest }: { readonly paper: TicketPaper; readonly widest?: number | undefined },
): void {
  const { width: usual, height, scale, ...wished } = papers[paper]
  const whole = Math.min(usual, widest ?? usual)
  // What prints less of the paper leaves the margins by itself.
  const margin = whole < usual ? narrowMargin : wished.margin
  const qr = Math.min(wished.qr, whole - 2 * margin)
  document.addPage({ size: [whole, height], margin: 0 })
  const t = serverTranslator(ticket.locale)
  const width = whole - 2 * margin
  const { event, when, where, name, product, seat } = ticket
  const writer = new TextWriter(document, [
    event,
    when,
    where,
    name,
    product,
    seat,
    ticket.order,
    ticket.code,
  ])
  let y = margin
  const write = (text: string | null, face: Face, size: number, lines: number): void => {
    if (text === null || text === '') return
    const box = { face, size: size * scale, left: margin, top: y, width, lines, align: 'center' } as const
    y = writer.box(text, box) + 4 * scale
  }
  write(event, 'bold', 14, 3)
  write(when, 'regular', 9, 2)
  write(where, 'regular', 9, 3)
  drawQr(document, ticket.code, { left: (whole - qr) / 2, top: y, side: qr })
  y += qr + 4 * scale
  write(name, 'bold', 13, 3)
  write(product, 'regular', 11, 3)
  write(seat === null ? null : t('ticket.seat', { seat }), 'bold', 11, 2)
  write(t('ticket.order', { order: ticket.order }), 'regular', 9, 1)
  write(codeInGroups(ticket.code), 'code-regular', 7, 3)
}
