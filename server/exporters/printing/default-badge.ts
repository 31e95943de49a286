import { TextWriter } from '../tickets/text-writer.ts'
import { drawQr } from '../tickets/ticket-sheet.ts'

/** What a badge says where nobody has drawn a layout. */
export type BadgeTexts = Readonly<Record<string, string>>

/** Draws a badge that needs no layout on a page of any size: the name as large as it fits, company, product and code. */
export function drawDefaultBadge(document: PDFKit.PDFDocument, texts: BadgeTexts): void {
  const { width: whole, height } = document.page
  const { event_name = '', attendee_name = '', attendee_company = '', itemvar = '', secret = '' } = texts
  const writer = new TextWriter(document, [event_name, attendee_name, attendee_company, itemvar])
  const margin = Math.min(whole, height) * 0.08
  const side = Math.min(height * 0.42, whole * 0.3)
  const width = whole - 2 * margin
  const unit = height / 100
  const put = (
    text: string,
    top: number,
    room: { size: number; lines: number; width: number; isBold?: boolean },
  ) => {
    const letters = { face: room.isBold ? 'bold' : 'regular', size: room.size } as const
    const size = writer.fittingSize(text, { ...letters, ...room })
    if (text !== '') writer.box(text, { ...letters, ...room, size, left: margin, top })
  }
  put(event_name, margin, { size: 4.5 * unit, lines: 1, width })
  put(attendee_name, 18 * unit, { size: 14 * unit, lines: 2, width, isBold: true })
  const beside = width - side - margin / 2
  put(attendee_company, 56 * unit, { size: 7 * unit, lines: 1, width: beside })
  put(itemvar, 68 * unit, { size: 5.5 * unit, lines: 2, width: beside })
  if (secret !== '')
    drawQr(document, secret, { left: whole - margin / 2 - side, top: height - margin / 2 - side, side })
}
