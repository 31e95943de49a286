import PDFDocument from 'pdfkit'
import type { Face } from '../tickets/font-families.ts'
import { TextWriter } from '../tickets/text-writer.ts'
import { printable } from '../tickets/ticket-sheet-text.ts'

/** A page of A4, in points. */
export const sheet = { width: 595.28, height: 841.89, left: 62, right: 48, top: 48, bottom: 96 } as const

/** How something is written: by letters of a size, in a column of the sheet. */
export interface Style {
  readonly face?: Face
  readonly size?: number
  readonly left?: number
  readonly width?: number
  readonly align?: 'left' | 'right' | 'center'
  readonly color?: string
}

const column = sheet.width - sheet.left - sheet.right

/**
 * Pages that are written from top to bottom, line by line, with a new one where there is no room; what is the same on
 * all of them is drawn at the end.
 */
export class Paper {
  readonly #document: PDFKit.PDFDocument
  readonly #writer: TextWriter
  readonly #finished: Promise<Uint8Array>
  #heading: (() => void) | null = null
  y: number = sheet.top

  /** All texts are given, so that letters are chosen that have them all; the moment is that of the document. */
  constructor(options: {
    readonly title: string
    readonly locale: string
    readonly created: Date
    readonly texts: readonly (string | null)[]
  }) {
    const { title, locale, created, texts } = options
    this.#document = new PDFDocument({
      ...{
        size: [sheet.width, sheet.height],
        margin: 0,
        autoFirstPage: false,
        bufferPages: true,
        lang: locale,
      },
      info: { Title: title, CreationDate: created, ModDate: created },
    })
    const chunks: Uint8Array[] = []
    this.#finished = new Promise((resolve, reject) => {
      this.#document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      this.#document.on('end', () => resolve(Buffer.concat(chunks)))
      this.#document.on('error', reject)
    })
    this.#writer = new TextWriter(this.#document, texts)
    this.#document.addPage()
  }

  /** What is repeated at the top of a new page, while something goes on there. */
  repeat(heading: (() => void) | null): void {
    this.#heading = heading
  }

  /** Begins a new page where there is no room for so much. */
  room(height: number): void {
    if (this.y + height <= sheet.height - sheet.bottom) return
    this.#document.addPage()
    this.y = sheet.top
    this.#heading?.()
  }

  /** The lines of a text in a column. */
  lines(text: string, { face = 'regular', size = 10, width = column }: Style = {}): string[] {
    return this.#writer.wrap(text, width, { face, size })
  }

  /** Writes one line at a height, without going on. */
  put(text: string, y: number, style: Style = {}): void {
    const {
      face = 'regular',
      size = 10,
      left = sheet.left,
      width = column,
      align = 'left',
      color = 'black',
    } = style
    const letters = { face, size, color }
    const shown = printable(text, this.#writer.covers(face))
    const free = align === 'left' ? 0 : width - this.#writer.width(shown, letters)
    this.#writer.line(shown, { left: left + (align === 'center' ? free / 2 : free), top: y, ...letters })
  }

  /** Writes a text and goes on below it. */
  write(text: string, style: Style = {}): void {
    const { size = 10 } = style
    for (const line of this.lines(text, style)) {
      this.room(size * 1.3)
      this.put(line, this.y, style)
      this.y += size * 1.3
    }
  }

  /** A line across the sheet. */
  rule(color = '#888888'): void {
    this.#document
      .moveTo(sheet.left, this.y)
      .lineTo(sheet.width - sheet.right, this.y)
      .lineWidth(0.5)
      .strokeColor(color)
      .stroke()
  }

  /** A text in a frame, as a stamp is put on paper. */
  stamp(text: string, left: number, y: number): void {
    const width = this.#writer.width(text, { face: 'bold', size: 14 }) + 16
    this.#document
      .roundedRect(left - width, y - 5, width, 25, 3)
      .lineWidth(1.2)
      .strokeColor('#1b7f3b')
      .stroke()
    this.put(text, y, {
      face: 'bold',
      size: 14,
      left: left - width,
      width,
      align: 'center',
      color: '#1b7f3b',
    })
  }

  /** Draws on each page what all have, and closes the file. */
  async finish(draw: (number: number, of: number) => void): Promise<Uint8Array> {
    const { count } = this.#document.bufferedPageRange()
    for (let number = 1; number <= count; number += 1) {
      this.#document.switchToPage(number - 1)
      draw(number, count)
    }
    this.#document.end()
    return this.#finished
  }
}
