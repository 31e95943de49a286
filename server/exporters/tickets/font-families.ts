import { readFileSync } from 'node:fs'
import { create, type Font } from 'fontkit'

/** How letters look: as text, as in books, and all of one width, as codes; upright or slanted, and strong. */
type FontStyle = 'sans' | 'serif' | 'code'

/** Letters without serifs have short names, since nearly everything is written in them. */
export type Face =
  | 'regular'
  | 'bold'
  | 'italic'
  | 'bold-italic'
  | `${'serif' | 'code'}-${'regular' | 'bold' | 'italic' | 'bold-italic'}`

/** The face of a style. */
export function faceOf({
  style,
  bold,
  italic,
}: {
  readonly style: FontStyle
  readonly bold: boolean
  readonly italic: boolean
}): Face {
  const form = bold ? (italic ? 'bold-italic' : 'bold') : italic ? 'italic' : 'regular'
  return style === 'sans' ? form : `${style}-${form}`
}

/** The fonts that every reader of PDF has: Western Europe's letters, and nothing to be loaded or put into the file. */
export const standardFonts: Readonly<Record<Face, string>> = {
  ...{ regular: 'Helvetica', bold: 'Helvetica-Bold' },
  ...{ italic: 'Helvetica-Oblique', 'bold-italic': 'Helvetica-BoldOblique' },
  ...{ 'serif-regular': 'Times-Roman', 'serif-bold': 'Times-Bold' },
  ...{ 'serif-italic': 'Times-Italic', 'serif-bold-italic': 'Times-BoldItalic' },
  ...{ 'code-regular': 'Courier', 'code-bold': 'Courier-Bold' },
  ...{ 'code-italic': 'Courier-Oblique', 'code-bold-italic': 'Courier-BoldOblique' },
}

const dejavu = (name: string): string => `dejavu-fonts-ttf/package.json:ttf/DejaVu${name}.ttf`
const [chinese, korean] = [
  '@embedpdf/fonts-sc:../fonts/NotoSansHans',
  '@embedpdf/fonts-kr:../fonts/NotoSansKR',
] as const

/** What is asked for letters that a font does not have: Arabic and Hebrew, Chinese and Japanese, Korean. */
const others = (weight: 'Regular' | 'Bold'): readonly string[] => [
  dejavu(weight === 'Bold' ? 'SansCondensed-Bold' : 'SansCondensed'),
  `${chinese}-${weight}.otf`,
  `${korean}-${weight}.otf`,
]

const [upright, strong] = [others('Regular'), others('Bold')] as const

/** Which fonts are asked for a letter, one after the other. */
export const fontFamilies: Readonly<Record<Face, readonly string[]>> = {
  regular: upright,
  bold: strong,
  italic: [dejavu('SansCondensed-Oblique'), ...upright],
  'bold-italic': [dejavu('SansCondensed-BoldOblique'), ...strong],
  'serif-regular': [dejavu('SerifCondensed'), ...upright],
  'serif-bold': [dejavu('SerifCondensed-Bold'), ...strong],
  'serif-italic': [dejavu('SerifCondensed-Italic'), ...upright],
  'serif-bold-italic': [dejavu('SerifCondensed-BoldItalic'), ...strong],
  'code-regular': [dejavu('SansMono'), ...upright],
  'code-bold': [dejavu('SansMono-Bold'), ...strong],
  'code-italic': [dejavu('SansMono-Oblique'), ...upright],
  'code-bold-italic': [dejavu('SansMono-BoldOblique'), ...strong],
}

/** Fonts that were read: that takes ten times as long as to write a ticket with them. */
const fonts = new Map<string, Font>()

/** A font by the package that gives it out and its file; it is read once for all documents. */
export function openedFont(name: string): Font {
  const known = fonts.get(name)
  if (known) return known
  const [owner = '', file = ''] = name.split(':')
  // Packages of fonts give out a file beside them.
  const read = create(readFileSync(new URL(file, import.meta.resolve(owner))))
  fonts.set(name, read)
  return read
}

/**
 * A font for one document: it shares all that was read, and remembers its own letters, since a font knows of a letter only
 * what it was drawn for first, which need not be a text that is copied or searched.
 */
export const fontForDocument = (name: string): Font =>
  Object.create(openedFont(name), { _glyphs: { value: {}, writable: true } }) as Font
