import { setImmediate as letOthersWork } from 'node:timers/promises'
import type { Invoice, InvoiceLine } from '../../../schema/resources/orders/invoice.ts'
import type { TranslateServer } from '../../../schema/texts/server.ts'
import { taxSums } from '../../domain/orders/invoices.ts'
import { hundredths } from '../../resource/codec.ts'
import { inWords } from '../../services/orders/ticket-print.ts'
import { type Paper, type Style, sheet } from './paper.ts'

/** The words of an invoice that stand elsewhere. */
export interface InvoiceLinks {
  /** The code of its order. */
  readonly order: string
  /** The number of the invoice that it cancels. */
  readonly refers: string | null
}

/** What a page of an invoice is drawn with. */
export interface InvoiceDrawing {
  readonly paper: Paper
  readonly invoice: Invoice
  readonly links: InvoiceLinks
  readonly t: TranslateServer
  /** An amount in hundredths in words. */
  readonly amount: (value: number) => string
  readonly rate: (value: string) => string
}

/** A text of an invoice without its markup. */
export const plainText = (text: string): string => text.replaceAll(/<br\s*\/?>/g, '\n').trim()

const columns = {
  description: { left: sheet.left, width: 226, size: 9.5 },
  quantity: { left: 290, width: 32, size: 9.5, align: 'right' },
  rate: { left: 326, width: 48, size: 9.5, align: 'right' },
  net: { left: 378, width: 82, size: 9.5, align: 'right' },
  gross: { left: 464, width: sheet.width - sheet.right - 464, size: 9.5, align: 'right' },
} as const satisfies Readonly<Record<string, Style>>

/** Lines that say the same, as one. */
interface Row {
  readonly line: InvoiceLine
  readonly count: number
}

function rowsOf(lines: readonly InvoiceLine[]): Row[] {
  const alike = ({ position, ...line }: InvoiceLine): string => JSON.stringify(line)
  const rows: Row[] = []
  for (const line of lines) {
    const last = rows.at(-1)
    if (last && alike(last.line) === alike(line))
      rows[rows.length - 1] = { line: last.line, count: last.count + 1 }
    else rows.push({ line, count: 1 })
  }
  return rows
}

/** From when to when something is provided, in words. */
function periodOf({ period_start: start, period_end: end }: InvoiceLine, invoice: Invoice): string {
  const { locale, printed } = invoice
  const inDays = (instant: string): string =>
    inWords(instant, printed.timezone, locale, { dateStyle: 'medium' })
  if (start === null || end === null) return ''
  const [from, to] = [inDays(start), inDays(end)]
  return from === to ? from : `${from} – ${to}`
}

/** When all of an invoice is provided, or null where that differs. */
export function commonPeriod(invoice: Invoice): string | null {
  const periods = new Set(invoice.lines.map((line) => periodOf(line, invoice)))
  const [only = ''] = periods
  return periods.size === 1 && only !== '' ? only : null
}

/** The lines, with their heading on each page. */
export async function drawLines(drawing: InvoiceDrawing): Promise<void> {
  const { paper, invoice, t, amount, rate } = drawing
  const heading = (): void => {
    const bold = { face: 'bold', size: 9 } as const
    paper.put(t('invoice.description'), paper.y, { ...columns.description, ...bold })
    paper.put(t('invoice.quantity'), paper.y, { ...columns.quantity, ...bold })
    paper.put(t('invoice.rate'), paper.y, { ...columns.rate, ...bold })
    paper.put(t('invoice.net'), paper.y, { ...columns.net, ...bold })
    paper.put(t('invoice.gross'), paper.y, { ...columns.gross, ...bold })
    paper.y += 14
    paper.rule()
    paper.y += 5
  }
  paper.room(60)
  heading()
  paper.repeat(heading)
  const isEachDated = commonPeriod(invoice) === null
  for (const [index, { line, count }] of rowsOf(invoice.lines).entries()) {
    if (index % 50 === 49) await letOthersWork()
    const period = isEachDated ? periodOf(line, invoice) : ''
    const [first = '', ...more] = paper.lines(plainText(line.description), columns.description)
    const dated =
      period === '' ? [] : paper.lines(t('invoice.service', { when: period }), columns.description)
    paper.room(13 + 11 * Math.min(more.length + dated.length, 4))
    const gross = hundredths(line.gross_value) * count
    const net = gross - hundredths(line.tax_value) * count
    paper.put(first, paper.y, columns.description)
    paper.put(String(count), paper.y, columns.quantity)
    paper.put(`${rate(line.tax_rate)} %`, paper.y, columns.rate)
    paper.put(amount(net), paper.y, columns.net)
    paper.put(amount(gross), paper.y, columns.gross)
    paper.y += 13
    for (const rest of [...more, ...dated]) {
      paper.room(11)
      paper.put(rest, paper.y, { ...columns.description, size: 8.5, color: '#444444' })
      paper.y += 11
    }
    paper.y += 3
  }
  paper.repeat(null)
}

const taxedLines = ({ lines }: Invoice) =>
  lines.map(({ gross_value, tax_value, tax_rate, tax_name }) => ({
    gross: hundredths(gross_value),
    tax: hundredths(tax_value),
    rate: hundredths(tax_rate),
    name: tax_name,
  }))

/** What is to be paid, and what of that is paid. */
export function drawSums({ paper, invoice, t, amount }: InvoiceDrawing): void {
  const total = taxedLines(invoice).reduce((sum, { gross }) => sum + gross, 0)
  const { paid } = invoice.printed
  paper.room(60)
  paper.rule()
  paper.y += 6
  const line = (label: string, value: number, face: 'regular' | 'bold'): void => {
    paper.put(label, paper.y, { left: sheet.left, width: 300, size: 10.5, face })
    paper.put(amount(value), paper.y, {
      ...columns.gross,
      left: 378,
      width: sheet.width - sheet.right - 378,
      size: 10.5,
      face,
    })
    paper.y += 15
  }
  line(t('invoice.total'), total, 'bold')
  if (paid !== null) {
    line(t('invoice.paid'), paid, 'regular')
    line(t('invoice.due'), total - paid, 'bold')
  }
  paper.y += 10
}

/** The taxes in the sum, by their rates. */
export function drawTaxes({ paper, invoice, t, amount, rate }: InvoiceDrawing): void {
  const sums = taxSums(taxedLines(invoice))
  if (sums.every(({ tax }) => tax === 0)) return
  paper.room(34 + 12 * Math.min(sums.length, 6))
  const small = { size: 8.5 } as const
  const [name, net, tax, gross] = [
    { left: sheet.left, width: 230, ...small },
    { ...columns.rate, left: 290, width: 84, ...small },
    { ...columns.net, ...small },
    { ...columns.gross, ...small },
  ]
  const bold = { face: 'bold' } as const
  paper.put(t('invoice.taxes'), paper.y, { ...name, ...bold })
  paper.put(t('invoice.net'), paper.y, { ...net, ...bold })
  paper.put(t('invoice.tax'), paper.y, { ...tax, ...bold })
  paper.put(t('invoice.gross'), paper.y, { ...gross, ...bold })
  paper.y += 13
  for (const sum of sums) {
    const percent = rate(String(sum.rate / 100))
    const label =
      sum.rate === 0
        ? t('invoice.untaxed')
        : t('invoice.taxed', { name: sum.name || t('invoice.tax'), rate: percent })
    paper.room(12)
    paper.put(label, paper.y, name)
    paper.put(amount(sum.net), paper.y, net)
    paper.put(amount(sum.tax), paper.y, tax)
    paper.put(amount(sum.gross), paper.y, gross)
    paper.y += 12
  }
  paper.y += 10
}
