import { drawingZlibPng } from 'bwip-js/node'
import { qrModules, quietZone } from './barcode.ts'
import type { Ticket } from './ticket-sheet.ts'
import { codeInGroups, darkRuns } from './ticket-sheet.ts'
import { ascii, printable } from './ticket-sheet-text.ts'

/** Pixels of one ticket: a square for the code and its quiet zone, and lines of text under it. */
const cell = { width: 440, code: 400, height: 660, padding: 20 } as const
/** The label font is monospaced; a letter is so wide, in heights. */
const advance = 0.6
const black = '000000'

type Canvas = ReturnType<typeof drawingZlibPng>

/** A picture of one ticket to hold before a camera. Its font has ASCII only, so names are written in basic Latin. */
export function ticketPng(ticket: Ticket): Promise<Uint8Array> {
  return ticketSheetPng([ticket], { columns: 1 })
}

/** One picture of many tickets side by side. Rejects when there are none. */
export async function ticketSheetPng(tickets: readonly Ticket[], { columns = 4 } = {}): Promise<Uint8Array> {
  if (tickets.length === 0) throw new RangeError('a sheet needs at least one ticket')
  const canvas = drawingZlibPng()
  canvas.setopts?.({ bcid: 'qrcode', text: '', backgroundcolor: 'FFFFFF', ...noPadding })
  const across = Math.min(columns, tickets.length)
  canvas.init(across * cell.width, Math.ceil(tickets.length / across) * cell.height)
  tickets.forEach((ticket, place) => {
    drawTicket(canvas, ticket, (place % across) * cell.width, Math.floor(place / across) * cell.height)
  })
  return canvas.end()
}

const noPadding = { paddingleft: 0, paddingright: 0, paddingtop: 0, paddingbottom: 0 }

function drawTicket(canvas: Canvas, ticket: Ticket, left: number, top: number): void {
  const modules = qrModules(ticket.code)
  const unit = Math.max(1, Math.floor(cell.code / (modules.length + 2 * quietZone)))
  const edge = Math.floor((cell.code - unit * modules.length) / 2)
  for (const [row, darkness] of modules.entries()) {
    for (const { start, length } of darkRuns(darkness)) {
      const x = left + cell.padding + edge + start * unit
      fillBox(canvas, { x, y: top + edge + row * unit, width: length * unit, height: unit })
    }
  }
  let y = top + cell.code + 10
  for (const { text, size, lines } of captionsOf(ticket)) {
    for (const line of breakLines(
      text,
      Math.floor((cell.width - 2 * cell.padding) / (size * advance)),
      lines,
    )) {
      y += size + 6
      canvas.text(left + cell.padding, y, line, black, { name: 'OCR-B', width: size, height: size, dx: 0 })
    }
  }
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function fillBox(canvas: Canvas, { x, y, width, height }: Box): void {
  canvas.polygon([
    [x, y],
    [x, y + height],
    [x + width, y + height],
    [x + width, y],
  ])
  canvas.fill(black)
}

function captionsOf(
  ticket: Ticket,
): { readonly text: string; readonly size: number; readonly lines: number }[] {
  return [
    { text: ticket.note ?? '', size: 20, lines: 2 },
    { text: ticket.name ?? '', size: 24, lines: 2 },
    { text: ticket.product, size: 18, lines: 2 },
    { text: ticket.order, size: 18, lines: 1 },
    { text: codeInGroups(ticket.code), size: 16, lines: 3 },
  ].map((caption) => ({ ...caption, text: printable(caption.text, ascii) }))
}

/** Breaks a text at spaces into at most so many lines; what does not fit ends in dots. */
function breakLines(text: string, width: number, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ').flatMap((long) => long.match(new RegExp(`.{1,${width}}`, 'g')) ?? [])) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), `${(lines[most - 1] ?? '').slice(0, width - 3)}...`]
}
