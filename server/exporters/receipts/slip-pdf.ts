import PDFDocument from 'pdfkit'
import { commands, transform } from 'receiptline'
import { TextWriter } from '../tickets/text-writer.ts'
import { paperWidth, type Slip, spelledSlip } from './slip.ts'

/** Paper of 80 mm, in points, whose printers leave four millimetres on both sides. */
const paper = { width: 226.77, margin: 11.34 } as const

/** How wide a letter of the fonts of one width is, and how high its line, of the size of the font. */
const letter = { width: 0.6025, height: 1.2 } as const

/** A slip as text, in lines of at most as many columns as the paper has. */
export const slipText = ({ lines, columns }: Slip): string =>
  transform(lines.join('\n'), {
    ...{ cpl: columns, encoding: 'multilingual', spacing: false },
    command: { ...commands.text, measureText: paperWidth },
  })

/** A slip as a file of one page that is as long as it has lines; the same file each time. */
export function slipPdf(slip: Slip, margin: number = paper.margin): Promise<Buffer> {
  const size = (paper.width - 2 * margin) / (slip.columns * letter.width)
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
  const writer = new TextWriter(document, slip.lines)
  const lines = slipText(spelledSlip(slip, writer.covers('code-regular')))
    .trimEnd()
    .split('\n')
  const height = Math.ceil(lines.length * step + 2 * margin)
  document.addPage({ size: [paper.width, height], margin: 0 })
  // What stands in columns begins where its column does, however wide its letters are.
  for (const [index, line] of lines.entries())
    for (const { 0: text, index: at } of line.matchAll(/\S+(?: \S+)*/g)) {
      const left = margin + paperWidth(line.slice(0, at)) * letter.width * size
      writer.line(text, { left, top: margin + index * step, face: 'code-regular', size })
    }
  document.end()
  return finished
}
