import { readFileSync } from 'node:fs'

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

/** Fonts that were read from the disk; the large ones take longer to read than to use. */
const files = new Map<string, Buffer>()

/** The file of a font. */
export function fileOfFont(name: string): Buffer {
  const known = files.get(name)
  if (known) return known
  const [owner = '', file = ''] = name.split(':')
  // Packages of fonts give out a file beside them.
  const read = readFileSync(new URL(file, import.meta.resolve(owner)))
  files.set(name, read)
  return read
}
