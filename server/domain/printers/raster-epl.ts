import { type Bitmap, bytesPerRow } from './bitmap.ts'
import type { LabelOptions } from './raster-zpl.ts'

/**
 * A picture as one label for a printer of the older language of labels (EPL 2). There a bit that is set stays white, also
 * in what fills up the last byte of a row.
 */
export function eplLabel(bitmap: Bitmap, { copies = 1, cut = false }: LabelOptions = {}): Uint8Array {
  const { width, height, rows } = bitmap
  const across = bytesPerRow(width)
  const used = width % 8 === 0 ? 0xff : (0xff00 >> (width % 8)) & 0xff
  const inverted = rows.map((byte, at) => ~(at % across === across - 1 ? byte & used : byte))
  const head = `\n${cut ? 'OC\n' : ''}N\nq${across * 8}\nGW0,0,${across},${height},`
  return Buffer.concat([Buffer.from(head, 'latin1'), inverted, Buffer.from(`\nP${copies}\n`, 'latin1')])
}
