import { crc32, deflateSync } from 'node:zlib'
import { type Bitmap, bytesPerRow } from '../../domain/printers/bitmap.ts'

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** A bitmap as a PNG of one bit a pixel: on a screen it looks as on paper. */
export function bitmapPng({ width, height, rows }: Bitmap): Uint8Array {
  const stride = bytesPerRow(width)
  const filtered = new Uint8Array((stride + 1) * height)
  for (let row = 0; row < height; row += 1)
    filtered.set(
      // In a PNG, 1 is white.
      rows.subarray(row * stride, (row + 1) * stride).map((byte) => ~byte),
      row * (stride + 1) + 1,
    )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filtered)),
    chunk('IEND'),
  ])
}

function chunk(type: string, content: Uint8Array = new Uint8Array()): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(content.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}
