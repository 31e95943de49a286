import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'

const width = 640
const height = 480
const rate = 5
const framesOfTicket = 5
// Longer than the three seconds that a code must be out of sight to be a scan again.
const framesOfNothing = 25
const wall = 150

/** How a ticket is held: the angle in radians, and how far from the middle in pixels. */
interface Hold {
  readonly angle: number
  readonly x: number
  readonly y: number
}

/**
 * Makes a video, for a camera that shows it over and over, of a hand that holds the picture of a ticket up for a
 * second and takes it away for five: uncompressed (YUV4MPEG2), grey, a little turned, moving and noisy. Gives its
 * path; it is removed when the tests end.
 */
export function videoFile(png: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-video-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'ticket.y4m')
  writeFileSync(file, videoOf(png))
  return file
}

function videoOf(png: string): Buffer {
  const ticket = PNG.sync.read(readFileSync(png))
  const held = Array.from({ length: framesOfTicket }, (_, index) =>
    frame(ticket, { angle: 0.1 - index * 0.02, x: index * 4 - 10, y: 60 - index * 3 }, index),
  )
  const nothing = frame(null, { angle: 0, x: 0, y: 0 }, framesOfTicket)
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F${rate}:1 Ip A1:1 C420mpeg2\n`),
    ...held,
    ...Array<Buffer>(framesOfNothing).fill(nothing),
  ])
}

function frame(ticket: PNG | null, hold: Hold, seed: number): Buffer {
  const grey = Buffer.alloc(width * height, wall)
  const noise = noiseFrom(seed + 1)
  const scale = 0.62
  const [sin, cos] = [Math.sin(hold.angle), Math.cos(hold.angle)]
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [dx, dy] = [(x - width / 2 - hold.x) / scale, (y - height / 2 - hold.y) / scale]
      const paper = ticket && inkAt(ticket, dx * cos + dy * sin, dy * cos - dx * sin)
      grey[y * width + x] = (paper ?? wall) + noise()
    }
  return Buffer.concat([Buffer.from('FRAME\n'), grey, Buffer.alloc((width * height) / 2, 128)])
}

/** How bright a ticket is at a place seen from its middle, as a camera sees white paper; null beside it. */
function inkAt(ticket: PNG, x: number, y: number): number | null {
  const column = Math.round(x + ticket.width / 2)
  const row = Math.round(y + ticket.height / 2)
  if (column < 0 || row < 0 || column >= ticket.width || row >= ticket.height) return null
  return 30 + ((ticket.data[(row * ticket.width + column) * 4] ?? 255) * 190) / 255
}

/** Noise between -12 and 12, the same for the same seed: mulberry32. */
function noiseFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 - 0.5) * 24
  }
}
