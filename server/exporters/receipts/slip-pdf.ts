import PDFDocument from 'pdfkit'
import { penFor } from '../tickets/ticket-fonts.ts'
import { type Slip, spelledSlip } from './slip.ts'

/** Paper of 80 mm, in points, whose printers leave four millimetres on both sides. */
const paper = { width: 226.77, margin: 11.34 } as const

/** How wide a letter of the fonts of one width is, and how high its line, of the size of the font. */
const letter = { width: 0.6025, height: 1.2 } as const

/** A slip as a file of one page that is as long as it has lines; the same file each time. */
export function slipPdf(slip: Slip, textOf: (slip: Slip) => string): Promise<Buffer> {
  const size = (paper.width - 2 * paper.margin) / (slip.columns * letter.width)
  const step = size * letter.height
  const written = new Date(slip.written)
  const document = new PDFDocument({
    ...{ autoFirstPage: false, lang: slip.locale },
    info: { Title: slip.title, CreationDate: written, ModDate: written },
  })
  const chunks: Uint8Array[] = []
  const finished = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  const pen = penFor(document, slip.lines)
  const lines = textOf(spelledSlip(slip, pen('code', size)))
    .trimEnd()
    .split('\n')
  const height = Math.ceil(lines.length * step + 2 * paper.margin)
  document.addPage({ size: [paper.width, height], margin: 0 })
  pen('code', size)
  for (const [index, line] of lines.entries())
    document.text(line, paper.margin, paper.margin + index * step, { lineBreak: false })
  document.end()
  return finished
}
