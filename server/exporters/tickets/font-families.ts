import { readFileSync } from 'node:fs'
import { create, type Font } from 'fontkit'

/** How letters look: as text, as what is important, and all of one width, as codes. */
export type Face = 'regular' | 'bold' | 'code'

/** The fonts that every reader of PDF has: Western Europe's letters, and nothing to be loaded or put into the file. */
export const standardFonts: Readonly<Record<Face, string>> = {
  regular: 'Helvetica',
  bold: 'Helvetica-Bold',
  code: 'Courier',
}

const dejavu = 'dejavu-fonts-ttf/package.json:ttf'
const [chinese, korean] = [
  '@embedpdf/fonts-sc:../fonts/NotoSansHans',
  '@embedpdf/fonts-kr:../fonts/NotoSansKR',
] as const

/** Which fonts are asked for a letter, one after the other: Europe and the Near East, Chinese and Japanese, Korean. */
export const fontFamilies: Readonly<Record<Face, readonly string[]>> = {
  regular: [`${dejavu}/DejaVuSansCondensed.ttf`, `${chinese}-Regular.otf`, `${korean}-Regular.otf`],
  bold: [`${dejavu}/DejaVuSansCondensed-Bold.ttf`, `${chinese}-Bold.otf`, `${korean}-Bold.otf`],
  code: [
    `${dejavu}/DejaVuSansMono.ttf`,
    `${dejavu}/DejaVuSansCondensed.ttf`,
    `${chinese}-Regular.otf`,
    `${korean}-Regular.otf`,
  ],
}

/** Fonts that were opened, by their names: the large ones take longer to read than all that is written with them. */
const opened = new Map<string, Font>()

function openedFont(name: string): Font {
  const known = opened.get(name)
  if (known) return known
  const [owner = '', file = ''] = name.split(':')
  // Packages of fonts give out a file beside them.
  const font = create(readFileSync(new URL(file, import.meta.resolve(owner))))
  opened.set(name, font)
  return font
}

/** What pdfkit takes as a font beyond what its types say. */
interface TakesOpenedFonts {
  registerFont(name: string, font: Font): unknown
}

/** Makes a font of a package one of a document, by a name; it is read once and then kept for all documents. */
export function registerFont(document: PDFKit.PDFDocument, font: string, name = font): void {
  const taking = document as PDFKit.PDFDocument & TakesOpenedFonts
  // Glyphs know the letters that they were first drawn for, which are different ones in each document: p is also Cyrillic.
  taking.registerFont(name, Object.create(openedFont(font), { _glyphs: { value: {} } }))
}
