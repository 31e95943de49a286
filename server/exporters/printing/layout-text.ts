import type { PageElement } from '../../../schema/page-elements.ts'
import { type Face, faceOf } from '../tickets/font-families.ts'
import type { Letters, TextWriter } from '../tickets/text-writer.ts'

/** Points in a millimetre. */
export const millimetre = 72 / 25.4

/** A measure of an element. */
export const measured = (element: PageElement, name: string, otherwise = 0): number =>
  Number(element[name] ?? otherwise) || otherwise

/** The colour of an element, black where it has none. */
export const colourOf = (element: PageElement): [number, number, number] => {
  const [red = 0, green = 0, blue = 0] = Array.isArray(element.color) ? element.color.map(Number) : []
  return [red, green, blue]
}

/** Letters of Europe, nearest to those of the family that a layout names; all its families are not at every printer. */
const nearestFace = ({ fontfamily, bold, italic }: PageElement): Face =>
  faceOf({
    style: styleOf(String(fontfamily ?? '')),
    bold: bold === true,
    italic: italic === true,
  })

const styleOf = (family: string): 'sans' | 'serif' | 'code' => {
  if (/mono|courier|consol|typewriter|\bcode\b/i.test(family)) return 'code'
  if (/sans/i.test(family)) return 'sans'
  return /serif|times|roman|georgia|garamond|vollkorn|playfair|merriweather|slab|\blora\b|bitter|crimson|baskerville/i.test(
    family,
  )
    ? 'serif'
    : 'sans'
}

/** A text of a layout, and its lower left corner, counted from the upper edge of the page. */
interface PlacedText {
  readonly element: PageElement
  readonly text: string
  readonly left: number
  readonly bottom: number
}

/** Lines of layouts with a height of their own are that many times so far from each other, in sizes of the letters. */
const lineFactor = 1.15

/** Draws a text of a layout: one that begins at its corner, or one in a box. */
export function drawTextElement(
  writer: TextWriter,
  document: PDFKit.PDFDocument,
  { element, text, left, bottom }: PlacedText,
): void {
  if (text.trim() === '') return
  const isBox = element.type === 'textcontainer'
  const room = {
    width: measured(element, 'width', 50) * millimetre,
    height: measured(element, 'height') * millimetre,
    spacingOf: (letters: Letters): number =>
      isBox || element.lineheight !== undefined
        ? (measured(element, 'lineheight', 1) * lineFactor * letters.size) / writer.lineHeight(letters)
        : 1,
    breaks: element.splitlongwords !== false,
  }
  const wished: Letters = {
    face: nearestFace(element),
    size: measured(element, 'fontsize', 12),
    color: colourOf(element),
  }
  const letters = isBox && element.autoresize === true ? shrunk(writer, text, wished, room) : wished
  const lines = writer.wrap(text, room.width, letters, room.breaks)
  const spacing = room.spacingOf(letters)
  const tall = lines.length * writer.lineHeight(letters) * spacing
  const top = isBox ? bottom - room.height : element.downward === true ? bottom : bottom - tall
  const free = room.height - tall
  const below = isBox ? ({ middle: free / 2, bottom: free }[String(element.verticalalign)] ?? 0) : 0
  document.save()
  document.rotate(measured(element, 'rotation'), { origin: [left, top] })
  writer.lines(lines, {
    ...{ ...letters, text, left, top: top + below, width: room.width, spacing },
    align: element.align === 'center' || element.align === 'right' ? element.align : 'left',
  })
  document.restore()
}

/** What a text is to fit into. */
interface Room {
  readonly width: number
  readonly height: number
  readonly spacingOf: (letters: Letters) => number
  readonly breaks: boolean
}

/** The smallest letters that anybody reads. */
const smallest = 4

/** The largest size up to the one wished for in which a text fits into a box, without a word that is torn apart. */
function shrunk(writer: TextWriter, text: string, wished: Letters, room: Room): Letters {
  for (let letters = wished; ; letters = { ...letters, size: letters.size * 0.96 }) {
    const lines = writer.wrap(text, room.width, letters, false)
    const tall = lines.length * writer.lineHeight(letters) * room.spacingOf(letters)
    const fits = tall <= room.height + 0.1 && lines.every((line) => writer.width(line, letters) <= room.width)
    if (fits || letters.size <= smallest) return letters
  }
}
