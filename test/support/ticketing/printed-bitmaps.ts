import assert from 'node:assert/strict'
import { type Bitmap, bytesPerRow } from '../../../server/domain/printers/bitmap.ts'

/** What a printer makes of ESC/POS pictures, put together; nothing but pictures and paper movements may be there. */
export function decodedEscpos(bytes: Uint8Array): Bitmap & { readonly strips: readonly number[] } {
  const rows: Uint8Array[] = []
  const strips: number[] = []
  let across = 0
  for (let at = 0; at < bytes.length; ) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at)
    if (a === 0x1b && b === 0x40) at += 2
    else if (a === 0x1b && (b === 0x61 || b === 0x4a)) at += 3
    else if (a === 0x1d && b === 0x56) at += 4
    else {
      assert.deepEqual([a, b, c], [0x1d, 0x76, 0x30], `an unknown command at ${at}`)
      const [low = 0, high = 0, short = 0, tall = 0] = bytes.subarray(at + 4)
      across = low + 256 * high
      strips.push(short + 256 * tall)
      const size = across * (short + 256 * tall)
      rows.push(bytes.subarray(at + 8, at + 8 + size))
      at += 8 + size
    }
  }
  return {
    width: across * 8,
    height: strips.reduce((sum, one) => sum + one, 0),
    rows: Buffer.concat(rows),
    strips,
  }
}

/** What a printer makes of a ZPL graphic field. */
export function decodedZpl(bytes: Uint8Array): Bitmap {
  const text = Buffer.from(bytes).toString('latin1')
  assert.match(text, /^[\x20-\x7e\n]*$/)
  const [, total = '', across = '', data = ''] = /\^GFA,\d+,(\d+),(\d+),([^^]*)\^FS/.exec(text) ?? []
  const digits = Number(across) * 2
  let whole = ''
  let line = ''
  let count = 0
  for (const sign of data) {
    if (/[G-Y]/.test(sign)) count += sign.charCodeAt(0) - 0x46
    else if (/[g-z]/.test(sign)) count += (sign.charCodeAt(0) - 0x66) * 20
    else if (sign === ':') whole += whole.slice(-digits)
    else if (sign === ',' || sign === '!') {
      whole += line.padEnd(digits, sign === ',' ? '0' : 'F')
      line = ''
    } else {
      line += sign.repeat(Math.max(1, count))
      count = 0
      if (line.length >= digits) {
        whole += line
        line = ''
      }
    }
  }
  assert.equal(whole.length, Number(total) * 2)
  return { width: digits * 4, height: Number(total) / Number(across), rows: Buffer.from(whole, 'hex') }
}

/** What a printer makes of an EPL picture, where a bit that is set is white. */
export function decodedEpl(bytes: Uint8Array): Bitmap {
  const text = Buffer.from(bytes).toString('latin1')
  const [head = '', across = '', height = ''] = /^[\s\S]*?GW0,0,(\d+),(\d+),/.exec(text) ?? []
  const size = Number(across) * Number(height)
  assert.match(head + text.slice(head.length + size), /^[\x20-\x7e\n]*$/)
  const rows = bytes.subarray(head.length, head.length + size).map((byte) => ~byte)
  return { width: Number(across) * 8, height: Number(height), rows }
}

/** Whether two bitmaps show the same, whatever fills up the last byte of their rows. */
export const sameBlack = (one: Bitmap, other: Bitmap): boolean =>
  one.height === other.height &&
  bytesPerRow(one.width) === bytesPerRow(other.width) &&
  Buffer.compare(Buffer.from(one.rows), Buffer.from(other.rows)) === 0
