import { crc32 } from 'node:zlib'

/** A picture of one pixel in each of the formats that can be uploaded. */
export const onePixel = {
  png: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  gif: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  /** Its frame only: one line of one pixel, and nothing drawn. */
  jpeg: Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080001000101011100ffd9', 'hex'),
}

/** The picture in PNG as it would be with another size, with the right check sum. */
export function sizedPng(width: number, height: number): Buffer {
  const bytes = Buffer.from(onePixel.png)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}
