import PDFDocument from 'pdfkit'
import type { profileNamed } from '../../../schema/bodies/printer-profiles.ts'
import { serverTranslator } from '../../../schema/texts/server.ts'
import { inWords } from '../../services/orders/ticket-print.ts'
import { TextWriter } from '../tickets/text-writer.ts'
import { drawQr } from '../tickets/ticket-sheet.ts'

/** What stands on a test page. */
interface TestFacts {
  readonly name: string
  readonly printed: string
  readonly timezone: string
  readonly locale: string
}

const inch = 72
const millimetre = inch / 25.4

/** What printers of pages have: A6, in millimetres. */
const sheet = { width: 105, height: 148 } as const

const letters = 'äöüß éèêñç ąćęłńóśźż ŠŽČřő Привет Ελλάδα € £ §'

/** A page that shows what a printer can: how wide it prints, where its edges are, its letters, and a code to be scanned. */
export function testPage(
  { name, printed, timezone, locale }: TestFacts,
  { dialect, dots, dpi, labelLength }: ReturnType<typeof profileNamed>,
): Promise<Uint8Array> {
  const [width, height] =
    dialect === 'pdf'
      ? [sheet.width * millimetre, sheet.height * millimetre]
      : [(dots / dpi) * inch, (labelLength ?? 60) * millimetre]
  const t = serverTranslator(locale)
  const document = new PDFDocument({ size: [width, height], margin: 0, info: { Title: t('printer.test') } })
  const chunks: Uint8Array[] = []
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  document.on('end', () => resolve(Buffer.concat(chunks)))
  document.on('error', reject)
  const margin = 3 * millimetre
  document
    .rect(1, 1, width - 2, height - 2)
    .lineWidth(1)
    .stroke('black')
  for (let at = 0; at * millimetre < width - margin; at += 1)
    document
      .moveTo(margin + at * millimetre, 1)
      .lineTo(margin + at * millimetre, (at % 10 === 0 ? 4 : at % 5 === 0 ? 3 : 2) * millimetre)
  document.lineWidth(0.5).stroke('black')
  const lines = [
    t('printer.test'),
    name,
    inWords(printed, timezone, locale, { dateStyle: 'short', timeStyle: 'medium' }),
    letters,
  ]
  const writer = new TextWriter(document, lines)
  const side = Math.min(height / 2.5, width / 3)
  for (const [index, line] of lines.entries())
    writer.box(line, {
      ...{ face: index === 0 ? 'bold' : 'regular', size: 10, lines: index < lines.length - 1 ? 1 : 3 },
      ...{ left: margin, top: 5 * millimetre + index * 13, width: width - 2 * margin },
    })
  drawQr(document, 'GATEHOUSE', { left: width - margin - side, top: height - margin - side, side })
  document.end()
  return promise
}
