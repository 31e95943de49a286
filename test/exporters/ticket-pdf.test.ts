import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { type TicketPaper, ticketPdf } from '../../server/exporters/ticket-pdf.ts'
import type { PrintedTicket } from '../../server/services/ticket-print.ts'

const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } })

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
      const [info, pictures] = inFolder(pdf, (folder) => {
        run(folder, 'pdftoppm', '-png', '-r', '150', 'ticket.pdf', 'page')
        return [
          run(folder, 'pdfinfo', 'ticket.pdf'),
          [1, 2].map((page) => readFileSync(join(folder, `page-${page}.png`))),
        ] as const
      })
      assert.match(info, /Pages:\s+2/)
      const read = await Promise.all(pictures.map((one) => readBarcodes(one)))
      assert.deepEqual(
        read.map((codes) => codes.map((one) => one.text)),
        [['abcdefghjkmnpqrstuvwxyz23456789b'], ['SECOND']],
      )
    })

  it('writes names of other scripts so that they can be read, or shows that it cannot', async () => {
    const names = ['Łukasz Żółć', 'Щукина Анна', 'Ελένη', '山田']
    const pdf = await ticketPdf(
      names.map((name) => ticket({ name })),
      'roll',
      'Names',
    )
    const text = textOf(pdf)
    for (const part of ['Lukasz Zólc', 'Shchukina Anna', 'Eleni', '??'])
      assert.ok(text.includes(part), `${part} is missing in ${text}`)
  })
})
