import type { PageElement } from '../../../schema/page-elements.ts'
import { qrModules, quietZone } from '../tickets/barcode.ts'
import { type Letters, type TextBox, TextWriter } from '../tickets/text-writer.ts'
import { drawQr } from '../tickets/ticket-sheet.ts'

/** What is put into the elements of a layout, in the language of a reader. */
export interface LayoutContents {
  readonly texts: Readonly<Record<string, string>>
  /** PNG or JPEG files by the names of their variables. */
  readonly pictures: ReadonlyMap<string, Uint8Array>
  readonly locale: string
}

/** Points in a millimetre. */
export const millimetre = 72 / 25.4

const measured = (element: PageElement, name: string, otherwise = 0): number =>
  Number(element[name] ?? otherwise) || otherwise

/** The text of an element: its own, with what stands in braces replaced, or that of a variable. */
function textOf(element: PageElement, { texts, locale }: LayoutContents): string {
  const { content = '', text, text_i18n: translated } = element
  if (content !== 'other' && content !== 'other_i18n') return texts[content] ?? ''
  const byLanguage = (content === 'other_i18n' && translated ? translated : {}) as Readonly<
    Record<string, string>
  >
  const own =
    byLanguage[locale] ?? byLanguage[locale.split('-')[0] ?? ''] ?? Object.values(byLanguage)[0] ?? text
  return String(own ?? '').replaceAll(/\{(\w+)\}/g, (whole, name: string) => texts[name] ?? whole)
}

/** Draws the elements of a layout on the page of a PDF. */
export function drawLayout(
  document: PDFKit.PDFDocument,
  elements: readonly PageElement[],
  contents: LayoutContents,
): void {
  const said = elements.map((element) => textOf(element, contents))
  const writer = new TextWriter(document, said)
  for (const [at, element] of elements.entries()) {
    // Layouts may have several pages; what is printed here has one.
    if (measured(element, 'page', 1) !== 1) continue
    const left = measured(element, 'left') * millimetre
    const bottom = document.page.height - measured(element, 'bottom') * millimetre
    const text = said[at] ?? ''
    if (element.type === 'barcodearea') drawBarcode(document, element, text, { left, bottom })
    else if (element.type === 'imagearea') drawPicture(document, element, contents, { left, bottom })
    else if (element.type === 'textarea' || element.type === 'textcontainer')
      drawTextElement(document, writer, { element, text, left, bottom })
  }
}

interface Corner {
  readonly left: number
  /** From the upper edge of the page. */
  readonly bottom: number
}

function drawBarcode(
  document: PDFKit.PDFDocument,
  element: PageElement,
  text: string,
  { left, bottom }: Corner,
): void {
  if (text === '') return
  const size = measured(element, 'size') * millimetre
  const modules = qrModules(text).length
  const quiet = element.nowhitespace === true ? (size * quietZone) / modules : 0
  drawQr(document, text, { left: left - quiet, top: bottom - size - quiet, side: size + 2 * quiet })
}

function drawPicture(
  document: PDFKit.PDFDocument,
  element: PageElement,
  { pictures }: LayoutContents,
  { left, bottom }: Corner,
): void {
  const picture = pictures.get(element.content ?? '')
  if (!picture) return
  const fit: [number, number] = [
    measured(element, 'width') * millimetre,
    measured(element, 'height') * millimetre,
  ]
  document.image(Buffer.from(picture), left, bottom - fit[1], { fit, align: 'center', valign: 'center' })
}

const colourOf = (element: PageElement): [number, number, number] => {
  const [red = 0, green = 0, blue = 0] = Array.isArray(element.color) ? element.color.map(Number) : []
  return [red, green, blue]
}

function drawTextElement(
  document: PDFKit.PDFDocument,
  writer: TextWriter,
  { element, text, left, bottom }: Corner & { readonly element: PageElement; readonly text: string },
): void {
  if (text === '') return
  const width = measured(element, 'width', 50) * millimetre
  const isContainer = element.type === 'textcontainer'
  const wished: Letters = {
    face: element.bold === true ? 'bold' : 'regular',
    size: measured(element, 'fontsize', 12),
    color: colourOf(element),
  }
  const height = measured(element, 'height') * millimetre
  const letters =
    isContainer && element.autoresize === true ? shrunk(writer, text, wished, { width, height }) : wished
  const spacing = measured(element, 'lineheight', 1)
  const lines = writer.wrap(text, width, letters).length
  const tall = lines * writer.lineHeight(letters) * spacing
  const top = isContainer ? bottom - height : element.downward === true ? bottom : bottom - tall
  const below = { middle: (height - tall) / 2, bottom: height - tall }[String(element.verticalalign)] ?? 0
  const align: TextBox['align'] =
    element.align === 'center' || element.align === 'right' ? element.align : 'left'
  document.save()
  document.rotate(measured(element, 'rotation'), { origin: [left, top] })
  const box = {
    ...letters,
    left,
    top: top + (isContainer ? Math.max(0, below) : 0),
    width,
    lines,
    align,
    spacing,
  }
  writer.box(text, box)
  document.restore()
}

/** The largest size up to the one wished for in which a text fits into a box. */
function shrunk(
  writer: TextWriter,
  text: string,
  wished: Letters,
  { width, height }: { readonly width: number; readonly height: number },
): Letters {
  let letters = wished
  while (letters.size > 4) {
    const lines = Math.max(1, Math.floor((height + 0.1) / writer.lineHeight(letters)))
    const size = writer.fittingSize(text, { ...letters, width, lines })
    if (size >= letters.size) return letters
    letters = { ...letters, size: Math.max(4, letters.size * 0.93) }
  }
  return letters
}
