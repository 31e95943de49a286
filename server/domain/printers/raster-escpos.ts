import { type Bitmap, bytesPerRow, stripOf } from './bitmap.ts'

/** What happens behind a picture. */
export interface EscposEnding {
  /** The paper is cut. */
  readonly cut?: boolean
  /** So many rows of dots stay empty first. */
  readonly feed?: number
}

/** Some printers give up where a picture is higher. */
const stripRows = 200

const reset = [0x1b, 0x40]
const leftAligned = [0x1b, 0x61, 0]

/** Feeds the paper to the knife and cuts it, but for a point at which it hangs (GS V 66). */
export const cutPaper = Uint8Array.of(0x1d, 0x56, 66, 0)

/** A picture as a printer of receipts takes it: GS v 0, in strips, from a clean beginning. */
export function escposRaster(bitmap: Bitmap, { cut = false, feed = 0 }: EscposEnding = {}): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.from([...reset, ...leftAligned])]
  for (let from = 0; from < bitmap.height; from += stripRows) {
    const strip = stripOf(bitmap, from, from + stripRows)
    const across = bytesPerRow(strip.width)
    const head = [0x1d, 0x76, 0x30, 0, across & 255, across >> 8, strip.height & 255, strip.height >> 8]
    parts.push(Uint8Array.from(head), strip.rows)
  }
  // One step of ESC J is at most 255 rows.
  for (let left = feed; left > 0; left -= 255) parts.push(Uint8Array.of(0x1b, 0x4a, Math.min(left, 255)))
  if (cut) parts.push(cutPaper)
  return Buffer.concat(parts)
}
