import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import type { Invoice, InvoiceLine } from '../../../schema/resources/orders/invoice.ts'
import { invoice } from '../../../schema/resources/orders/invoice.ts'
import { invoicePdf } from '../../../server/exporters/invoices/invoice-pdf.ts'
import { blankRow } from '../../../server/resource/defaults.ts'

const line = (position: number, values: Partial<InvoiceLine> = {}): InvoiceLine => ({
  ...{ position, description: 'Karte', item: 1, variation: null, subevent: null, attendee_name: null },
  ...{ event_date_from: null, event_date_to: null, event_location: null },
  ...{ period_start: '2030-06-01T18:00:00Z', period_end: '2030-06-01T20:00:00Z' },
  ...{ gross_value: '23.00', tax_value: '3.67', tax_rate: '19.00', tax_code: null, tax_name: 'MwSt.' },
  ...{ fee_type: null, fee_internal_type: null },
  ...values,
})

const issued = (values: Partial<Invoice> = {}): Invoice => ({
  ...(blankRow(invoice) as Invoice),
  ...{ number: 'R-1', created: '2026-11-22T10:00:00Z', date: '2026-11-22', locale: 'de' },
  ...{ invoice_to: 'Ann B\nStraße 2', invoice_from_name: 'Verein', invoice_from_country: 'DE' },
  ...{ introductory_text: 'Danke.<br />Wir berechnen:', footer_text: 'IBAN DE02' },
  lines: [line(1)],
  printed: {
    ...{ currency: 'EUR', event: 'Gala', when: '1. Juni 2030', timezone: 'Europe/Berlin' },
    ...{ custom_field_label: '', reverse_charge: false, paid: null },
  },
  ...values,
})

/** The text of each page of an invoice, its blanks as single ones. */
async function pagesOf(row: Invoice): Promise<string[]> {
  const { content } = await invoicePdf(row, { order: 'ABC12', refers: row.is_cancellation ? 'R-0' : null })
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: content }).toString()
  return text
    .split('\f')
    .slice(0, -1)
    .map((one) => one.replaceAll(/\s+/g, ' ').trim())
}

const says = (page: string | undefined, ...words: readonly string[]): void => {
  for (const one of words) assert.ok(page?.includes(one), `${one} is missing in: ${page}`)
}

describe('the page of an invoice', () => {
  it('says in German who sells what to whom, with the taxes by their rates', async () => {
    const lines = [
      ...[line(1), line(2), line(3, { description: 'Karte<br />Teilnehmer: Zoe' })],
      line(4, { description: 'Heft', gross_value: '5.00', tax_value: '0.33', tax_rate: '7.00' }),
      line(5, { description: 'Versandkosten', gross_value: '2.00', tax_value: '0.00', tax_rate: '0.00' }),
    ]
    const [page, ...others] = await pagesOf(issued({ lines, payment_provider_stamp: 'bezahlt' }))
    assert.equal(others.length, 0)
    says(
      page,
      'Verein',
      'Deutschland',
      'Ann B',
      'Rechnung R-1',
      'bezahlt',
      '22. November 2026',
      'ABC12',
      'Gala',
    )
    says(page, 'Karte 2 19 % 38,66 € 46,00 €', 'Karte 1 19 % 19,33 € 23,00 €', 'Teilnehmer: Zoe')
    says(page, 'Gesamtbetrag 76,00 €', 'MwSt. 19 % 57,99 € 11,01 € 69,00 €', 'MwSt. 7 % 4,67 € 0,33 € 5,00 €')
    says(
      page,
      'Ohne Steuer 2,00 € 0,00 € 2,00 €',
      'Leistungsdatum: 01.06.2030',
      'IBAN DE02',
      'R-1 · Seite 1 von 1',
    )
  })

  it('says in English what is canceled, on as many pages as it needs, each with its number', async () => {
    const opposite = { gross_value: '-23.00', tax_value: '-3.67' }
    const lines = Array.from({ length: 90 }, (_, index) =>
      line(index + 1, {
        ...opposite,
        description: `Ticket ${index}`,
        ...(index ? {} : { period_end: null }),
      }),
    )
    const pages = await pagesOf(issued({ lines, locale: 'en', is_cancellation: true, footer_text: '' }))
    assert.ok(pages.length > 2)
    says(pages[0], 'Cancellation R-1', 'Cancels invoice R-0', 'Ticket 0 1 19 % -€19.33 -€23.00')
    for (const page of pages.filter((one) => one.includes('Ticket')))
      says(page, 'Description Qty Tax Net Gross')
    for (const [index, page] of pages.entries()) says(page, `Page ${index + 1} of ${pages.length}`)
    for (const { description } of lines)
      assert.ok(pages.some((page) => page.includes(`${description} 1 19 %`)))
    says(pages.at(-1), 'Total -€2,070.00', '-€330.30')
  })

  it('says what is still to be paid, and is written in letters of many languages', async () => {
    const { printed } = issued()
    const [page] = await pagesOf(
      issued({ invoice_to: 'Łódź Ωmega кот', printed: { ...printed, currency: 'CZK', paid: 1000 } }),
    )
    says(page, 'Bereits bezahlt 10,00 CZK', 'Noch zu zahlen 13,00 CZK', 'Łódź Ωmega кот')
  })

  it('breaks what is too long for a line or a page', async () => {
    const word = 'x'.repeat(600)
    const text = Array.from({ length: 120 }, (_, index) => `Line ${index}`).join('<br />')
    const row = issued({
      additional_text: text,
      internal_reference: word,
      lines: [line(1, { description: word })],
    })
    const pages = await pagesOf(row)
    assert.ok(pages.length > 2)
    for (const index of [0, 60, 119]) assert.ok(pages.some((page) => page.includes(`Line ${index} `)))
  })

  it('is the same file each time', async () => {
    const [first, second] = [
      await invoicePdf(issued(), { order: 'A', refers: null }),
      await invoicePdf(issued(), { order: 'A', refers: null }),
    ]
    assert.deepEqual(first, second)
    assert.equal(first.filename, 'R-1.pdf')
    const { filename } = await invoicePdf(issued({ number: 'R/2 a"b' }), { order: 'A', refers: null })
    assert.equal(filename, 'R_2_a_b.pdf')
  })
})
