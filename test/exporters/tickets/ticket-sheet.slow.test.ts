import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { PNG } from 'pngjs'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { Symbology } from '../../../server/exporters/tickets/barcode.ts'
import { barcodePng, qrForTerminal, qrModules, qrPng } from '../../../server/exporters/tickets/barcode.ts'
import type { Ticket } from '../../../server/exporters/tickets/ticket-sheet.ts'
import { codeInGroups, darkRuns, ticketSheetPdf } from '../../../server/exporters/tickets/ticket-sheet.ts'
import { ticketPng, ticketSheetPng } from '../../../server/exporters/tickets/ticket-sheet-png.ts'
import { ascii, printable, winAnsi } from '../../../server/exporters/tickets/ticket-sheet-text.ts'

const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } })

async function decode(png: Uint8Array): Promise<{ symbology: string; text: string }[]> {
  const found = await readBarcodes(png, { tryHarder: true, maxNumberOfSymbols: 50 })
  return found.map(({ symbologyIdentifier, text }) => ({ symbology: symbologyIdentifier.slice(0, 2), text }))
}

async function texts(png: Uint8Array): Promise<string[]> {
  return (await decode(png)).map(({ text }) => text)
}

const secret = 'abcdefghjkmnpqrstuvwxyz23456789b'

function ticket(place: number, changes: Partial<Ticket> = {}): Ticket {
  const code = secret.slice(place % 32) + secret.slice(0, place % 32)
  return {
    code: `${place}${code}`,
    name: 'Änne Müller',
    product: 'Tageskarte',
    order: `ABC${place}-1`,
    note: null,
    ...changes,
  }
}

/** Runs one of poppler's programs on a PDF; what it writes beside the file, by name. */
function poppler(program: string, pdf: Uint8Array, ...options: string[]): Map<string, Uint8Array> {
  const path = `/usr/bin/${program}`
  assert.ok(existsSync(path), `${path} is missing: install poppler-utils`)
  const folder = mkdtempSync(join(tmpdir(), 'ticket-sheet-'))
  try {
    writeFileSync(join(folder, 'sheet.pdf'), pdf)
    execFileSync(path, [...options, 'sheet.pdf', program === 'pdftotext' ? 'sheet.txt' : 'page'], {
      cwd: folder,
    })
    const written = readdirSync(folder)
      .filter((name) => name !== 'sheet.pdf')
      .sort()
    return new Map(written.map((name) => [name, readFileSync(join(folder, name))]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function textOf(pdf: Uint8Array): string {
  return Buffer.from(poppler('pdftotext', pdf, '-enc', 'UTF-8', '-raw').get('sheet.txt') ?? []).toString()
}

describe('barcode', () => {
  const codes: readonly (readonly [Symbology, string, string])[] = [
    ['qrcode', secret, ']Q'],
    ['qrcode', 'Müller ß € 日 ^065 \\n', ']Q'],
    ['azteccode', secret, ']z'],
    ['pdf417', secret, ']L'],
    ['code128', 'ABC-0012', ']C'],
  ]
  for (const [symbology, text, identifier] of codes) {
    it(`writes ${text} as ${symbology}`, async () => {
      assert.deepEqual(await decode(await barcodePng(symbology, text)), [{ symbology: identifier, text }])
    })
  }

  it('draws modules as large as asked, with a quiet zone', async () => {
    const modules = qrModules(secret)
    for (const scale of [1, 3]) {
      const image = PNG.sync.read(Buffer.from(await qrPng(secret, { scale })))
      const unit = 2 * scale
      assert.deepEqual([image.width, image.height], Array(2).fill((modules.length + 8) * unit))
      const isDark = (row: number, column: number) =>
        image.data[4 * ((row * unit + 1) * image.width + column * unit + 1)] === 0
      const drawn = modules.map((line, row) => line.map((_, column) => isDark(row + 4, column + 4)))
      assert.deepEqual(drawn, modules)
      const edge = Array.from({ length: modules.length + 8 }, (_, place) => [
        isDark(0, place),
        isDark(3, place),
        isDark(place, 3),
      ])
      assert.ok(edge.flat().every((dark) => !dark))
    }
  })

  it('refuses what does not fit', async () => {
    await assert.rejects(barcodePng('code128', ''))
    assert.throws(() => qrModules('x'.repeat(2332)))
    assert.throws(() => qrModules(''))
  })

  for (const colour of [true, false]) {
    it(`shows a terminal ${colour ? 'with' : 'without'} colours a code that scans`, async () => {
      const shown = qrForTerminal('https://example.org/#token', { colour })
      assert.equal(shown.includes('\u001b'), colour)
      const lines = stripVTControlCharacters(shown).slice(0, -1).split('\n')
      assert.equal(new Set(lines.map((line) => [...line].length)).size, 1)
      assert.deepEqual(await texts(photograph(lines, colour)), ['https://example.org/#token'])
    })
  }
})

/** What the lines look like on a terminal: drawn blocks black on white with colours, white on black without. */
function photograph(lines: readonly string[], colour: boolean): Uint8Array {
  const unit = 6
  const width = (lines[0]?.length ?? 0) * unit
  const image = new PNG({ width, height: lines.length * 2 * unit })
  for (let y = 0; y < image.height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const block = lines[Math.floor(y / unit / 2)]?.[Math.floor(x / unit)] ?? ' '
      const drawn = block === '█' || block === (Math.floor(y / unit) % 2 === 0 ? '▀' : '▄')
      const light = drawn === colour ? 0 : 255
      image.data.set([light, light, light, 255], 4 * (y * width + x))
    }
  }
  return PNG.sync.write(image)
}

describe('ticket sheet', () => {
  it('prints tickets that scan, on as many pages as needed', async () => {
    const tickets = Array.from({ length: 26 }, (_, place) =>
      ticket(place, { note: place % 2 ? 'Unpaid: ask' : null }),
    )
    const pages = poppler(
      'pdftoppm',
      await ticketSheetPdf(tickets, { title: 'Test', locale: 'en' }),
      '-r',
      '150',
      '-gray',
      '-png',
    )
    assert.deepEqual([...pages.keys()], ['page-1.png', 'page-2.png', 'page-3.png'])
    const read = await Promise.all([...pages.values()].map(texts))
    assert.deepEqual(
      read.map((codes) => codes.length),
      [12, 12, 2],
    )
    assert.deepEqual(read.flat().sort(), tickets.map(({ code }) => code).sort())
  })

  it('prints codes as long as they may be', async () => {
    const code = `${'aB3-'.repeat(63)}xyz`
    const pages = poppler(
      'pdftoppm',
      await ticketSheetPdf([ticket(1, { code })], { title: 'T', locale: 'en' }),
      '-r',
      '200',
      '-gray',
      '-png',
    )
    assert.deepEqual(await texts(pages.get('page-1.png') ?? new Uint8Array()), [code])
  })

  it('prints everything that staff may have to read', async () => {
    const shown = ticket(7, { name: 'Łukasz Groß', product: 'Weekend ticket', note: 'Question: meal' })
    const text = textOf(await ticketSheetPdf([shown], { title: 'Sommerfest – Probetickets', locale: 'de' }))
    for (const part of [
      'Sommerfest – Probetickets',
      'Seite 1/1',
      'Question: meal',
      'Łukasz Groß',
      'Weekend ticket',
      'Bestellung ABC7-1',
      '7hjk mnpq rstu',
    ]) {
      assert.ok(text.includes(part), `${part} is not in ${text}`)
    }
  })

  it('uses the words of the language, or English', async () => {
    const orderIn = async (locale: string) =>
      /(\w+) ABC1-1/.exec(textOf(await ticketSheetPdf([ticket(1)], { title: 'T', locale })))?.[1]
    assert.equal(await orderIn('en'), 'Order')
    assert.equal(await orderIn('de-informal'), 'Bestellung')
    assert.equal(await orderIn('xx'), 'Order')
  })

  it('cuts long texts so that every line stays in its ticket', async () => {
    const long = 'Anna-Lena '.repeat(40)
    const tickets = [
      ticket(1, { name: long, product: long, note: long, order: 'FIRST-1' }),
      ticket(2, { order: 'OTHER-1' }),
    ]
    const text = textOf(await ticketSheetPdf(tickets, { title: long, locale: 'en' }))
    assert.ok(text.includes('Order FIRST-1') && text.includes('Order OTHER-1'))
    assert.ok((text.match(/Anna-Lena/g)?.length ?? 0) < 25)
    const pages = poppler(
      'pdftoppm',
      await ticketSheetPdf(tickets, { title: long, locale: 'en' }),
      '-r',
      '150',
      '-gray',
      '-png',
    )
    assert.equal((await texts(pages.get('page-1.png') ?? new Uint8Array())).length, 2)
  })

  it('makes one empty page of no tickets', async () => {
    const pdf = await ticketSheetPdf([], { title: 'Nobody', locale: 'en' })
    assert.deepEqual([...poppler('pdftoppm', pdf, '-r', '20', '-png').keys()], ['page-1.png'])
    assert.ok(textOf(pdf).includes('Page 1/1'))
  })

  it('rejects a code that cannot be drawn', async () => {
    await assert.rejects(
      ticketSheetPdf([ticket(1, { code: 'x'.repeat(3000) })], { title: 'T', locale: 'en' }),
    )
  })

  it('groups codes for reading aloud', () => {
    assert.equal(codeInGroups('abcdefghij'), 'abcd efgh ij')
    assert.equal(codeInGroups('x'.repeat(70)), `${'xxxx '.repeat(8)}…`)
  })

  it('finds the dark stretches of a row', () => {
    assert.deepEqual(darkRuns([true, true, false, true, false, false, true]), [
      { start: 0, length: 2 },
      { start: 3, length: 1 },
      { start: 6, length: 1 },
    ])
    assert.deepEqual(darkRuns([false, false]), [])
  })
})

describe('ticket picture', () => {
  it('shows one ticket that scans', async () => {
    for (const code of [secret, 'x', 'aB3-'.repeat(63)]) {
      assert.deepEqual(await texts(await ticketPng(ticket(1, { code }))), [code])
    }
  })

  it('shows many tickets that scan', async () => {
    const tickets = Array.from({ length: 7 }, (_, place) =>
      ticket(place, { note: 'Admitted '.repeat(20), name: 'Ж'.repeat(200) }),
    )
    const png = await ticketSheetPng(tickets, { columns: 3 })
    assert.deepEqual((await texts(png)).sort(), tickets.map(({ code }) => code).sort())
    const image = PNG.sync.read(Buffer.from(png))
    assert.deepEqual([image.width / 3, image.height / 3], [440, 660])
  })

  it('has captions under the code', async () => {
    const darkness = async (changes: Partial<Ticket>) => {
      const image = PNG.sync.read(Buffer.from(await ticketPng(ticket(1, changes))))
      const captions = image.data.subarray(4 * image.width * 410)
      return captions.filter((value, place) => place % 4 === 0 && value < 128).length
    }
    const bare = await darkness({ name: null, note: null })
    assert.ok(bare > 500)
    assert.ok((await darkness({ name: 'Änne', note: null })) > bare)
    assert.ok(
      (await darkness({ name: 'Änne', note: 'Canceled' })) > (await darkness({ name: 'Änne', note: null })),
    )
  })

  it('refuses a sheet of no tickets', async () => {
    await assert.rejects(ticketSheetPng([]), RangeError)
  })
})

describe('printable text', () => {
  const cases: readonly (readonly [text: string, windows: string, basic: string])[] = [
    ['Änne Müller-Groß', 'Änne Müller-Groß', 'Aenne Mueller-Gross'],
    ['MÜLLER Ünal', 'MÜLLER Ünal', 'MUELLER Uenal'],
    ['u\u0308', 'ü', 'ue'],
    ['Łukasz Żółć', 'Lukasz Zólc', 'Lukasz Zolc'],
    ['Nguyễn Thị', 'Nguyen Thi', 'Nguyen Thi'],
    ['Владимир Щука ЩИ', 'Vladimir Shchuka SHCHI', 'Vladimir Shchuka SHCHI'],
    ['Ψαρός Θεός', 'Psaros Theos', 'Psaros Theos'],
    ['O’Neill “x” – €5…', 'O’Neill “x” – €5…', 'O\'Neill "x" - EUR5...'],
    ['日本 太郎', '?? ??', '?? ??'],
    ['👩‍👩‍👧 A', '? A', '? A'],
    ['ﬁn ①', 'fin 1', 'fin 1'],
    [' a\n\tb ', 'a b', 'a b'],
    ['a\u0000b', 'a?b', 'a?b'],
    ['', '', ''],
  ]
  for (const [text, windows, basic] of cases) {
    it(`writes ${JSON.stringify(text)}`, () => {
      assert.equal(printable(text, winAnsi), windows)
      assert.equal(printable(text, ascii), basic)
    })
  }
})
