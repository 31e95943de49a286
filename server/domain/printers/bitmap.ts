/** A picture in dots, as printers take it. */
export interface Bitmap {
  /** Dots across; whether that is a multiple of eight is the business of whoever encodes it. */
  readonly width: number
  readonly height: number
  /** One bit for each dot, 1 is black; each row in whole bytes, its leftmost dot in the highest bit. */
  readonly rows: Uint8Array
}

/** A picture of one byte for each pixel: 0 is black, 255 white. */
export interface GreyPicture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** How many bytes a row of so many dots takes. */
export const bytesPerRow = (width: number): number => Math.ceil(width / 8)

/** Whether a dot is black; outside of the picture nothing is. */
export const isBlack = ({ width, height, rows }: Bitmap, x: number, y: number): boolean =>
  x >= 0 &&
  y >= 0 &&
  x < width &&
  y < height &&
  ((rows[y * bytesPerRow(width) + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0

/** Neighbours that differ by so much are an edge, as of a letter or a barcode. */
const edgeContrast = 128

/** What is this close to white or black is meant so. */
const almost = 12

/**
 * A picture in black and white. Edges, of which text and barcodes are made, are cut in the middle and stay sharp; even
 * areas, as in photographs, become dots that are as dense as they are dark (Floyd and Steinberg).
 */
export function blackAndWhite(picture: GreyPicture): Bitmap {
  const { width, height, pixels } = picture
  const stride = bytesPerRow(width)
  const rows = new Uint8Array(stride * height)
  let carried = new Float32Array(width + 2)
  for (let y = 0; y < height; y += 1) {
    const below = new Float32Array(width + 2)
    let ahead = 0
    for (let x = 0; x < width; x += 1) {
      const grey = pixels[y * width + x] ?? 255
      let isDark = grey < 128
      let error = 0
      if (grey > almost && grey < 255 - almost) {
        const { low, high } = around(picture, x, y)
        if (high - low >= edgeContrast) isDark = 2 * grey < low + high
        else {
          const wanted = grey + ahead + (carried[x + 1] ?? 0)
          isDark = wanted < 128
          error = wanted - (isDark ? 0 : 255)
        }
      }
      if (isDark) rows[y * stride + (x >> 3)] = (rows[y * stride + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
      ahead = (error * 7) / 16
      below[x] = (below[x] ?? 0) + (error * 3) / 16
      below[x + 1] = (below[x + 1] ?? 0) + (error * 5) / 16
      below[x + 2] = (below[x + 2] ?? 0) + error / 16
    }
    carried = below
  }
  return { width, height, rows }
}

/** The darkest and the lightest of a pixel and its neighbours. */
function around({ width, height, pixels }: GreyPicture, x: number, y: number) {
  let low = 255
  let high = 0
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
      const grey = pixels[row * width + column] ?? 255
      if (grey < low) low = grey
      if (grey > high) high = grey
    }
  return { low, high }
}

/** A bitmap without the empty rows at its end; one row stays in any case. */
export function withoutTrailingWhite({ width, height, rows }: Bitmap): Bitmap {
  const last = rows.findLastIndex((byte) => byte !== 0)
  const used = Math.max(1, Math.ceil((last + 1) / bytesPerRow(width)))
  return { width, height: Math.min(height, used), rows: rows.subarray(0, used * bytesPerRow(width)) }
}

/** The part of a bitmap between two rows. */
export const stripOf = ({ width, height, rows }: Bitmap, from: number, to: number): Bitmap => ({
  width,
  height: Math.min(height, to) - from,
  rows: rows.subarray(from * bytesPerRow(width), Math.min(height, to) * bytesPerRow(width)),
})

/** Pages of one width below each other, with a line between them. */
export function stacked(pages: readonly Bitmap[]): Bitmap {
  const width = Math.max(0, ...pages.map((page) => page.width))
  const stride = bytesPerRow(width)
  const parts = pages.flatMap((page, index) => {
    const rows = new Uint8Array(stride * page.height)
    const own = bytesPerRow(page.width)
    for (let row = 0; row < page.height; row += 1)
      rows.set(page.rows.subarray(row * own, (row + 1) * own), row * stride)
    return index === 0 ? [rows] : [new Uint8Array(stride).fill(0xff), rows]
  })
  const height = pages.reduce((sum, page) => sum + page.height, Math.max(0, pages.length - 1))
  const rows = new Uint8Array(stride * height)
  let at = 0
  for (const part of parts) {
    rows.set(part, at)
    at += part.length
  }
  return { width, height, rows }
}
