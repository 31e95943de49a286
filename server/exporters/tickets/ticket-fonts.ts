import { type Face, fontFamilies, registerFont, standardFonts } from './font-families.ts'
import { type Coverage, winAnsi } from './ticket-sheet-text.ts'

/** Chooses a face and a size for what is written next; which characters it has. */
type Pen = (face: Face, size: number) => Coverage

/** What pdfkit keeps of the font that is chosen, beyond what its types say. */
interface WithFont {
  readonly _font: { readonly font: { hasGlyphForCodePoint(code: number): boolean } }
}

/**
 * What some texts are written with: the standard fonts of PDF where these have every letter, else a family with many
 * more, which is kept once it was loaded. All texts of a ticket are given, so that it is all in one hand.
 */
export function penFor(document: PDFKit.PDFDocument, texts: readonly (string | null)[]): Pen {
  const characters = [...texts.join(' ').normalize('NFC')]
  if (characters.every((one) => winAnsi(one) || /\s/.test(one)))
    return (face, size) => {
      document.font(standardFonts[face]).fontSize(size)
      return winAnsi
    }
  return (face, size) => {
    registerFont(document, fontFamilies[face][0] ?? standardFonts[face], face)
    document.font(face).fontSize(size)
    const { font } = (document as PDFKit.PDFDocument & WithFont)._font
    return (character) => [...character].every((one) => font.hasGlyphForCodePoint(one.codePointAt(0) ?? 0))
  }
}
