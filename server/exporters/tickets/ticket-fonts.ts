import { fileURLToPath } from 'node:url'
import type { Face } from './font-families.ts'
import { type Coverage, winAnsi } from './ticket-sheet-text.ts'

/** Chooses a face and a size for what is written next; which characters it has. */
type Pen = (face: Face, size: number) => Coverage

/** The fonts that every reader of PDF has: Western Europe's letters, and nothing to be loaded or put into the file. */
const standard: Readonly<Record<Face, string>> = {
  regular: 'Helvetica',
  bold: 'Helvetica-Bold',
  code: 'Courier',
}

/** A family that has all of Latin, Greek and Cyrillic, and several scripts more, in one file for each face. */
const wide: Readonly<Record<Face, string>> = {
  regular: 'DejaVuSansCondensed.ttf',
  bold: 'DejaVuSansCondensed-Bold.ttf',
  code: 'DejaVuSansMono.ttf',
}

/** What pdfkit keeps of the font that is chosen, beyond what its types say. */
interface WithFont {
  readonly _font: { readonly font: { hasGlyphForCodePoint(code: number): boolean } }
}

/**
 * What some texts are written with: the standard fonts of PDF where these have every letter, else a family with many
 * more, which takes a tenth of a second to load. All texts of a ticket are given, so that it is all in one hand.
 */
export function penFor(document: PDFKit.PDFDocument, texts: readonly (string | null)[]): Pen {
  const characters = [...texts.join(' ').normalize('NFC')]
  if (characters.every((one) => winAnsi(one) || /\s/.test(one)))
    return (face, size) => {
      document.font(standard[face]).fontSize(size)
      return winAnsi
    }
  return (face, size) => {
    const path = fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${wide[face]}`))
    document.registerFont(face, path).font(face).fontSize(size)
    const { font } = (document as PDFKit.PDFDocument & WithFont)._font
    return (character) => [...character].every((one) => font.hasGlyphForCodePoint(one.codePointAt(0) ?? 0))
  }
}
