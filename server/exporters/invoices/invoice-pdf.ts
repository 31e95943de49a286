import type { Invoice } from '../../../schema/resources/orders/invoice.ts'
import { serverTranslator, type TranslateServer } from '../../../schema/texts/server.ts'
import { countryName, writtenLanguage } from '../../domain/text/multilingual.ts'
import { inWords } from '../../services/orders/ticket-print.ts'
import {
  commonPeriod,
  drawLines,
  drawSums,
  drawTaxes,
  type InvoiceDrawing,
  type InvoiceLinks,
  plainText,
} from './invoice-table.ts'
import { Paper, type Style, sheet } from './paper.ts'

/**
 * An invoice as a file, drawn from nothing but what is stored of it, so that it is the same file each time. A4, with the
 * recipient where windows of envelopes are.
 */
export async function invoicePdf(
  invoice: Invoice,
  links: InvoiceLinks,
): Promise<{ readonly filename: string; readonly content: Uint8Array }> {
  const { locale, number, printed } = invoice
  const t = serverTranslator(locale)
  const written = writtenLanguage(locale)
  const money = new Intl.NumberFormat(written, { style: 'currency', currency: printed.currency })
  const percent = new Intl.NumberFormat(written, { maximumFractionDigits: 2 })
  const paper = new Paper({
    title: `${titleOf(invoice, t)} ${number}`,
    locale,
    created: new Date(invoice.created),
    texts: textsOf(invoice),
  })
  const drawing: InvoiceDrawing = {
    ...{ paper, invoice, links, t },
    amount: (value) => money.format(value / 100),
    rate: (value) => percent.format(Number(value)),
  }
  drawHead(drawing)
  await drawLines(drawing)
  drawSums(drawing)
  drawTaxes(drawing)
  drawNotes(drawing)
  const content = await paper.finish((one, of) => drawFoot(drawing, one, of))
  return { filename: `${number.replaceAll(/[^\w.-]+/g, '_')}.pdf`, content }
}

const titleOf = ({ is_cancellation }: Invoice, t: TranslateServer): string =>
  t(is_cancellation ? 'invoice.cancellation' : 'invoice.title')

function textsOf(invoice: Invoice): (string | null)[] {
  const { printed, lines } = invoice
  const own = Object.values(invoice).filter((value) => typeof value === 'string')
  const inLines = lines.flatMap(({ description, tax_name }) => [description, tax_name])
  const countries = [invoice.invoice_from_country ?? ''].map((code) => countryName(code, invoice.locale))
  return [...own, printed.event, printed.when, printed.custom_field_label, ...inLines, ...countries, '€']
}

const day = (invoice: Invoice): string =>
  inWords(`${invoice.date}T12:00:00Z`, 'UTC', invoice.locale, { dateStyle: 'long' })

/** Sender, recipient, and what the invoice is about. */
function drawHead(drawing: InvoiceDrawing): void {
  const { paper, invoice, t } = drawing
  const place = [invoice.invoice_from_zipcode, invoice.invoice_from_city, invoice.invoice_from_state]
  const country = countryName(invoice.invoice_from_country ?? '', invoice.locale)
  const { invoice_from_vat_id: vat, invoice_from_tax_id: tax } = invoice
  const sender = [invoice.invoice_from_name, invoice.invoice_from, place.filter(Boolean).join(' '), country]
  const said = sender.map((one) => one.trim()).filter(Boolean)
  const right: Style = { left: 340, width: sheet.width - sheet.right - 340, size: 9 }
  const ids = [vat && t('invoice.vat-id', { id: vat }), tax && t('invoice.tax-id', { id: tax })].filter(
    Boolean,
  )
  for (const [index, line] of said.entries())
    paper.write(line, { ...right, face: index === 0 ? 'bold' : 'regular' })
  for (const line of ids) paper.write(line, right)
  const below = paper.y
  paper.y = 128
  const window: Style = { width: 240 }
  const [back = ''] = paper.lines(
    said
      .filter((line) => line !== country)
      .join(', ')
      .replaceAll('\n', ', '),
    { ...window, size: 7 },
  )
  paper.put(back, paper.y, { ...window, size: 7, color: '#666666' })
  paper.y += 14
  paper.write(invoice.invoice_to, window)
  const afterRecipient = paper.y
  paper.y = Math.max(below + 14, 150)
  drawFacts(drawing)
  paper.y = Math.max(paper.y, afterRecipient, 236) + 18
  const { payment_provider_stamp: stamp } = invoice
  if (stamp) paper.stamp(stamp, sheet.width - sheet.right, paper.y)
  paper.write(`${titleOf(invoice, t)} ${invoice.number}`, { face: 'bold', size: 15 })
  paper.y += 8
  const intro = plainText(invoice.introductory_text)
  if (intro !== '') {
    paper.write(intro)
    paper.y += 8
  }
}

/** Number, date and references, one below the other. */
function drawFacts({ paper, invoice, links, t }: InvoiceDrawing): void {
  const { printed, is_cancellation: isCancellation } = invoice
  const facts: readonly (readonly [string, string | null])[] = [
    [t(isCancellation ? 'invoice.cancellation-number' : 'invoice.number'), invoice.number],
    [t('invoice.refers'), links.refers],
    [t('invoice.date'), day(invoice)],
    [t('invoice.order'), links.order],
    [t('invoice.reference'), invoice.internal_reference],
    [printed.custom_field_label, printed.custom_field_label ? invoice.custom_field : null],
    [t('invoice.beneficiary'), invoice.invoice_to_beneficiary],
    [t('invoice.event'), [printed.event, printed.when].filter(Boolean).join('\n')],
  ]
  const label: Style = { left: 340, width: 88, size: 9, color: '#555555' }
  const value: Style = { left: 432, width: sheet.width - sheet.right - 432, size: 9 }
  for (const [name, text] of facts) {
    if (!text) continue
    const { y } = paper
    for (const line of paper.lines(name, label)) {
      paper.put(line, paper.y, label)
      paper.y += 11.7
    }
    const afterName = paper.y
    paper.y = y
    paper.write(text, value)
    paper.y = Math.max(paper.y, afterName)
  }
}

/** What is said below the lines. */
function drawNotes({ paper, invoice, t }: InvoiceDrawing): void {
  const when = commonPeriod(invoice)
  const notes = [
    when === null ? '' : t('invoice.service', { when }),
    plainText(invoice.payment_provider_text),
    plainText(invoice.additional_text),
  ]
  for (const note of notes) {
    if (note === '') continue
    paper.write(note)
    paper.y += 8
  }
}

/** The organizer's own lines and the number of the page, at the foot of each. */
function drawFoot({ paper, invoice, t }: InvoiceDrawing, number: number, of: number): void {
  const style: Style = { size: 7.5, align: 'center', color: '#555555' }
  const lines = paper.lines(plainText(invoice.footer_text), style).slice(0, 6)
  const bottom = sheet.height - 22
  for (const [index, line] of lines.entries())
    paper.put(line, bottom - 10 - (lines.length - index) * 9.5, style)
  paper.put(`${invoice.number} · ${t('invoice.page', { page: number, pages: of })}`, bottom - 6, style)
}
