import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import PDFDocument from 'pdfkit'
import { printedRequest, statusRequest } from '../../server/domain/printers/escpos.ts'
import { demo } from '../browser/support/demo.ts'
import { choose } from '../browser/support/entrance.ts'
import { startStation } from '../browser/support/station.ts'
import { type Figure, percentile, printFigures, shownTime } from './figures.ts'

/** Guests that count, and those before them. */
const guests = 40
const warmUp = 5

/** Milliseconds within which the printer has the first byte of a badge after the scan. */
const patience = 300

/** When a printer got what. */
interface Printing {
  readonly connected: number
  readonly first: number
  readonly last: number
}

/** A printer that is quick: it answers at once, and notes when it got what. */
async function startQuickPrinter() {
  const waiting: ((printing: Printing) => void)[] = []
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    const connected = performance.now()
    let sent = Buffer.alloc(0)
    let asked = 0
    let first = 0
    socket.on('error', () => undefined)
    socket.on('data', (piece) => {
      sent = Buffer.concat([sent, piece])
      if (asked === 0 && sent.includes(Buffer.from(statusRequest))) {
        asked = sent.length
        socket.write(Uint8Array.of(0x12, 0x12, 0x12))
      } else if (asked > 0 && first === 0) first = performance.now()
      if (first > 0 && sent.subarray(-printedRequest.length).equals(printedRequest)) {
        socket.write(Uint8Array.of(0))
        waiting.shift()?.({ connected, first, last: performance.now() })
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    next: () => new Promise<Printing>((resolve) => waiting.push(resolve)),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** A background as organizers have them: colours, lines and a picture's worth of shapes. */
async function background(): Promise<Buffer> {
  const document = new PDFDocument({ size: [243.78, 153.07], margin: 0 })
  const chunks: Uint8Array[] = []
  const finished = new Promise((resolve) => document.on('end', resolve))
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  for (let at = 0; at < 200; at += 1)
    document.circle((at * 37) % 244, (at * 53) % 153, 6).fill(at % 2 === 0 ? '#dddddd' : '#ffffff')
  document.fontSize(20).fill('black').text('Riverside Festival', 10, 10)
  document.end()
  await finished
  return Buffer.concat(chunks)
}

const written = { bold: true, italic: false, fontfamily: 'Open Sans', align: 'left', color: [0, 0, 0, 1] }
const layout = [
  {
    type: 'textarea',
    left: '5',
    bottom: '30',
    width: '70',
    fontsize: '20',
    content: 'attendee_name',
    ...written,
  },
  { type: 'textarea', left: '5', bottom: '20', width: '50', fontsize: '12', content: 'item', ...written },
  { type: 'barcodearea', left: '60', bottom: '4', size: '20', content: 'secret' },
]

/** Measures from the scan of a guest to the first and to the last byte of their badge at the printer. */
export async function measurePrinting(kind: 'plain' | 'with a background'): Promise<Figure[]> {
  const [printer, station, { token }] = [await startQuickPrinter(), await startStation('demo'), await demo()]
  const api = async (method: string, path: string, body?: unknown) => {
    const answer = await station.call(method, `/api/v1/organizers/demo/${path}`, body, `Token ${token}`)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body as Record<string, unknown>
  }
  const event = 'events/festival'
  let uploaded: string | undefined
  if (kind === 'with a background') {
    const answer = await fetch(`${station.url}/api/v1/upload`, {
      method: 'POST',
      headers: {
        Authorization: `Token ${token}`,
        'Content-Type': 'application/pdf',
        'Content-Disposition': 'attachment; filename="badge.pdf"',
      },
      body: new Uint8Array(await background()),
    })
    uploaded = ((await answer.json()) as { id: string }).id
    assert.ok(uploaded, String(answer.status))
  }
  await api('POST', `${event}/badgelayouts/`, {
    ...{ name: 'Bench', default: true, layout },
    ...(uploaded === undefined ? {} : { background: uploaded }),
  })
  await choose(station, 'Main entrance', {
    printing: { at_entry: ['badge'], at_sale: [] },
    printers: [{ address: `127.0.0.1:${printer.port}`, profile: 'escpos-80', documents: ['badge'] }],
  })
  const secrets: string[] = []
  for (let page = 1; page <= 8; page += 1) {
    const { results } = await api('GET', `${event}/orderpositions/?order__status=p&page=${page}`)
    secrets.push(...(results as { secret: string }[]).map(({ secret }) => secret))
  }
  const took: { answered: number; first: number; last: number }[] = []
  let at = 0
  let next = printer.next()
  while (took.length < guests + warmUp) {
    const code = secrets[at++]
    assert.ok(code, 'too few tickets')
    const sent = performance.now()
    const { body } = await station.call('POST', '/api/v1/station/scan/', { code, source: 'keyboard' })
    const answered = performance.now() - sent
    if ((body as { status: string }).status !== 'ok') continue
    const { first, last } = await next
    next = printer.next()
    took.push({ answered, first: first - sent, last: last - sent })
    await station.call('GET', '/api/v1/station/prints/')
  }
  await station.close()
  await printer.close()
  const counted = took.slice(warmUp)
  const cold = took[0]?.first ?? Number.NaN
  const figure = (what: string, times: readonly number[], goal: Figure['goal']): Figure => ({
    what: `a badge ${kind}, scan to ${what}: p50, p95, longest of ${times.length}`,
    ours: [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)].map(shownTime).join(', '),
    ...{ against: `${patience} ms`, ratio: percentile(times, 0.95) / patience, goal },
  })
  return [
    figure(
      'answer',
      counted.map(({ answered }) => answered),
      null,
    ),
    figure(
      'first byte at the printer',
      counted.map(({ first }) => first),
      { atMost: 1 },
    ),
    figure(
      'last byte',
      counted.map(({ last }) => last),
      null,
    ),
    figure('first byte, the first guest', [cold], { atMost: 1 }),
  ]
}

// Alone, without everything else that is measured.
if (import.meta.main)
  for (const kind of ['plain', 'with a background'] as const) printFigures(await measurePrinting(kind))
