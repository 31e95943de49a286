import type { PageElement } from '../../../schema/page-elements.ts'
import { qrModules, quietZone } from '../tickets/barcode.ts'
import { TextWriter } from '../tickets/text-writer.ts'
import { drawQr } from '../tickets/ticket-sheet.ts'
import { colourOf, drawTextElement, measured, millimetre } from './layout-text.ts'

/** The texts of a ticket by their variables, in a language, or in that of its order. */
export type PageTexts = (locale: string | null) => Readonly<Record<string, string>>

/** What is put into the elements of a layout. */
export interface LayoutContents {
  readonly texts: PageTexts
  /** PNG or JPEG files by the names of their variables. */
  readonly pictures: ReadonlyMap<string, Uint8Array>
  /** The language of the order. */
  readonly locale: string
}

/** The text of an element: its own, with what stands in braces replaced, or that of a variable. */
function textOf(element: PageElement, { texts, locale: usual }: LayoutContents): string {
  const { text, text_i18n: translated } = element
  const content = element.content || (element.type === 'barcodearea' ? 'secret' : '')
  const locale = typeof element.locale === 'string' && element.locale !== '' ? element.locale : null
  const values = texts(locale)
  if (content !== 'other' && content !== 'other_i18n') return values[content] ?? ''
  const byLanguage = (content === 'other_i18n' && translated ? translated : {}) as Readonly<
    Record<string, string>
  >
  const read = locale ?? usual
  const own = byLanguage[read] || byLanguage[read.split('-')[0] ?? ''] || Object.values(byLanguage)[0] || text
  return String(own ?? '').replaceAll(/\{([-\w:]+)\}/g, (whole, name: string) => values[name] ?? whole)
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
    const left = measured(element, 'left') * millimetre
    const bottom = document.page.height - measured(element, 'bottom') * millimetre
    const text = said[at] ?? ''
    if (element.type === 'barcodearea') drawBarcode(document, element, text.trim(), { left, bottom })
    else if (element.type === 'imagearea') drawPicture(document, element, contents, { left, bottom })
    else if (element.type === 'textarea' || element.type === 'textcontainer')
      drawTextElement(writer, document, { element, text, left, bottom })
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
  const modules = modulesOf(text)
  if (modules === 0) {
    drawCrossed(document, { left, top: bottom - size, width: size, height: size })
    return
  }
  const quiet = element.nowhitespace === true ? (size * quietZone) / modules : 0
  drawQr(document, text, {
    ...{ left: left - quiet, top: bottom - size - quiet, side: size + 2 * quiet },
    color: colourOf(element),
  })
}

/** How many modules the code of a text has on each side; 0 for one that is too long for a code. */
function modulesOf(text: string): number {
  try {
    return qrModules(text).length
  } catch {
    return 0
  }
}

function drawPicture(
  document: PDFKit.PDFDocument,
  element: PageElement,
  { pictures }: LayoutContents,
  { left, bottom }: Corner,
): void {
  const picture = pictures.get(element.content ?? '')
  if (!picture) return
  const [width, height] = [
    measured(element, 'width') * millimetre,
    measured(element, 'height') * millimetre,
  ] as const
  const top = bottom - height
  try {
    document.image(Buffer.from(picture), left, top, {
      ...{ fit: [width, height], align: 'center', valign: 'center' },
    })
  } catch {
    drawCrossed(document, { left, top, width, height })
  }
}

interface Frame {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** What cannot be drawn keeps no guest waiting, but it is seen that something was to be there. */
function drawCrossed(document: PDFKit.PDFDocument, { left, top, width, height }: Frame): void {
  document
    .save()
    .lineWidth(0.5)
    .rect(left, top, width, height)
    .moveTo(left, top)
    .lineTo(left + width, top + height)
    .moveTo(left + width, top)
    .lineTo(left, top + height)
    .stroke('black')
    .restore()
}
