import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TicketPaper, ticketPdf } from '../../../server/exporters/tickets/ticket-pdf.ts'
import type { PrintedTicket } from '../../../server/services/orders/ticket-print.ts'
import { textsIn } from '../../support/ticketing/codes.ts'

const ticket = (values: Partial<PrintedTicket> = {}): PrintedTicket => ({
  ...{ code: 'abcdefghjkmnpqrstuvwxyz23456789b', name: 'Änne Müller', product: 'Tageskarte – Freitag' },
  ...{ event: 'Große Gala', when: 'Samstag, 1. Juni 2030 um 20:00', where: 'Stadthalle\nBerlin' },
  ...{ seat: 'Parkett, Reihe 3, Platz 7', order: 'ABC12-1', locale: 'de' },
  ...values,
})

/** What poppler's programs make of a PDF. */
function inFolder<T>(pdf: Uint8Array, work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'ticket-pdf-'))
  try {
    writeFileSync(join(folder, 'ticket.pdf'), pdf)
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const run = (folder: string, program: string, ...options: string[]): string =>
  execFileSync(`/usr/bin/${program}`, options, { cwd: folder, encoding: 'utf8' })

const textOf = (pdf: Uint8Array): string =>
  inFolder(pdf, (folder) => run(folder, 'pdftotext', 'ticket.pdf', '-')).replaceAll(/\s+/g, ' ')

/** The pages of a PDF as pictures; there must be so many. */
const pagesOf = (pdf: Uint8Array, count: number): Uint8Array[] =>
  inFolder(pdf, (folder) => {
    run(folder, 'pdftoppm', '-png', '-r', '150', 'ticket.pdf', 'page')
    const names = readdirSync(folder).filter((name) => name.endsWith('.png'))
    assert.equal(names.length, count)
    return names.sort().map((name) => readFileSync(join(folder, name)))
  })

describe('a ticket on paper', () => {
  for (const paper of ['page', 'roll'] as const satisfies TicketPaper[])
    it(`says everything on a ${paper}, and its code is read by a scanner`, async () => {
      const long = { event: 'Wort '.repeat(60), where: 'Halle '.repeat(60), product: 'Karte '.repeat(60) }
      const pdf = await ticketPdf([ticket(), ticket({ code: 'SECOND', ...long })], paper, 'Tickets')
      const text = textOf(pdf)
      for (const part of [
        ...['Große Gala', 'Samstag, 1. Juni 2030 um 20:00', 'Stadthalle Berlin', 'Änne Müller'],
        ...['Tageskarte – Freitag', 'Platz: Parkett, Reihe 3, Platz 7', 'Bestellung ABC12-1'],
        ...['abcd efgh', 'SECO ND'],
      ])
        assert.ok(text.includes(part), `${part} is missing in ${text}`)
      assert.deepEqual(await Promise.all(pagesOf(pdf, 2).map((one) => textsIn(one))), [
        ['abcdefghjkmnpqrstuvwxyz23456789b'],
        ['SECOND'],
      ])
    })

  for (const paper of ['page', 'roll'] as const satisfies TicketPaper[])
    it(`is written on a ${paper} in the letters of Europe's scripts, and its code is read by a scanner`, async () => {
      const names = [
        'Łukasz Żółć',
        'Щукина Анна',
        'Ελένη Παπαδοπούλου',
        'Đặng Văn Trường',
        'ġuż ķīļš őű ğışç',
      ]
      const tickets = names.map((name, place) => ticket({ name, event: name, code: `CODE${place}` }))
      const pdf = await ticketPdf(tickets, paper, 'Names')
      const text = textOf(pdf)
      for (const name of names)
        assert.equal(text.split(name).length, 3, `${name} is not there twice in ${text}`)
      assert.deepEqual(
        await Promise.all(pagesOf(pdf, names.length).map((one) => textsIn(one))),
        names.map((_, place) => [`CODE${place}`]),
      )
      const fonts = inFolder(pdf, (folder) => run(folder, 'pdffonts', 'ticket.pdf')).split('\n')
      assert.ok(
        fonts.some((line) => /DejaVuSans.*yes yes yes/.test(line)),
        fonts.join('\n'),
      )
      assert.ok(pdf.length < 150_000, `${pdf.length} bytes`)
    })

  it('needs no fonts of its own for the letters of Western Europe', async () => {
    const pdf = await ticketPdf([ticket({ when: '1 June 2030 at 8:00\u202fPM' })], 'roll', 'Plain')
    const fonts = inFolder(pdf, (folder) => run(folder, 'pdffonts', 'ticket.pdf'))
    assert.match(fonts, /Helvetica/)
    assert.doesNotMatch(fonts, /DejaVu/)
    assert.ok(textOf(pdf).includes('1 June 2030 at 8:00 PM'))
  })

  it('keeps its code whatever its texts are, and shows what it cannot write', async () => {
    const names = [
      ...['山田 太郎', '🎟️ Party 👩‍👩‍👧', 'שלום עולם', 'محمد علي', 'สวัสดี', 'नमस्ते', 'ខ្មែរ', 'မြန်မာ', '한국어'],
      ...[
        'a\u0301\u0302\u0303\u0304\u0305',
        '\u200f\u202e\u2066\ufeff',
        '\ud800',
        '\u0000\u0007',
        '   ',
        'ﷺ',
        '𝔄𝕬',
      ],
    ]
    const tickets = names.map((name) => ticket({ name, event: name, seat: name, product: name, where: name }))
    const pdf = await ticketPdf(tickets, 'roll', 'Anything')
    assert.ok(textOf(pdf).includes('山田 太郎'))
    const read = await Promise.all(pagesOf(pdf, names.length).map((one) => textsIn(one)))
    for (const [place, texts] of read.entries())
      assert.deepEqual(texts, ['abcdefghjkmnpqrstuvwxyz23456789b'], JSON.stringify(names[place]))
  })
})
