import { crc32 } from 'node:zlib'

/** How many pixels a picture has at most: about a gigabyte of memory where it is shown would be too much. */
const mostPixels = 89_478_485

/** Width and height. */
type Size = readonly [number, number]

/** The size in a PNG whose parts have their check sums and that ends. */
function sizeOfPng(bytes: Buffer): Size | undefined {
  let at = 8
  let size: Size | undefined
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    const end = at + 8 + length
    if (end + 4 > bytes.length) return undefined
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return undefined
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (!size && (name !== 'IHDR' || length !== 13)) return undefined
    size ??= [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)]
    if (name === 'IEND') return size
    at = end + 4
  }
  return undefined
}

/** Marks of a JPEG after which its size stands: those of a frame, without tables of codes and their like. */
const isFrame = (mark: number): boolean => mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark)

/** The size in the frame of a JPEG, which comes before what is drawn. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const mark = bytes.readUInt8(at + 1)
    if (mark === 0xff) at += 1
    else if (isFrame(mark)) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
    else if (mark === 0xda || mark === 0xd9) return undefined
    else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** The size on the screen of a GIF that has a picture at all. */
const sizeOfGif = (bytes: Buffer): Size | undefined =>
  bytes.length >= 14 ? [bytes.readUInt16LE(6), bytes.readUInt16LE(8)] : undefined

const sizes: Readonly<Record<string, (bytes: Buffer) => Size | undefined>> = {
  'image/png': sizeOfPng,
  'image/jpeg': sizeOfJpeg,
  'image/gif': sizeOfGif,
}

/** Why a file of a type is no picture that can be shown, or null where it is one, or needs not be; nothing is unpacked. */
export function whyNotPicture(type: string, bytes: Uint8Array): string | null {
  const sizeOf = sizes[type]
  if (!sizeOf) return null
  const [width, height] = sizeOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) ?? [0, 0]
  if (width === 0 || height === 0)
    return 'The picture is damaged or not complete: save it anew, or take another one.'
  if (width * height > mostPixels) return 'The picture has too many pixels: make it smaller.'
  return null
}
