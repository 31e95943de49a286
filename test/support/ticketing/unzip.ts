import { crc32, inflateRawSync } from 'node:zlib'

/** The files in an archive by their paths, found by the directory at its end, each held against its sum. */
export function unzip(bytes: Buffer): Readonly<Record<string, Buffer>> {
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'))
  const files: Record<string, Buffer> = {}
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [name, more, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place))
    const path = bytes.subarray(at + 46, at + 46 + Number(name)).toString()
    const start = bytes.readUInt32LE(at + 42)
    const first = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
    const content = inflateRawSync(bytes.subarray(first, first + bytes.readUInt32LE(at + 20)))
    if (content.length !== bytes.readUInt32LE(at + 24) || crc32(content) !== bytes.readUInt32LE(at + 16))
      throw new Error(`${path} is not what the archive says.`)
    files[path] = content
    at += 46 + Number(name) + Number(more) + Number(comment)
  }
  return files
}
