import { crc32, createDeflateRaw } from 'node:zlib'

/** A file in an archive, whose content comes bit by bit; each bit needs to be good until the next one only. */
export interface ZipEntry {
  readonly path: string
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

interface Written {
  readonly path: Buffer
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

const mostBytes = 0xffffffff
/** Sizes follow the content, and paths are UTF-8. */
const flags = 0x0808
const deflated = 8
/** 1 January 1980: when a file was written says nothing here. */
const date = 0x21

/**
 * A ZIP archive (PKWARE APPNOTE 6.3, without the extension for more than four gigabytes) bit by bit: nothing but a line
 * for each file is kept.
 */
export async function* zipFile(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for await (const { path, content } of entries) {
    const name = Buffer.from(path)
    const header = localHeader(name)
    yield header
    const packing = pack(content)
    let packed = 0
    for await (const chunk of packing.chunks) {
      packed += chunk.length
      yield chunk
    }
    const { crc, size } = packing.sums()
    const entry = { path: name, crc, packed, size, offset }
    offset += header.length + packed + 16
    if (size > mostBytes || offset > mostBytes)
      throw new Error('An archive with a file of more than four gigabytes cannot be written.')
    yield descriptor(entry)
    written.push(entry)
  }
  yield directory(written, offset)
}

function pack(content: ZipEntry['content']) {
  let crc = 0
  let size = 0
  // Speed first: the next step saves a tenth of the size and takes twice as long.
  const deflate = createDeflateRaw({ level: 1, chunkSize: 65_536 })
  async function feed(): Promise<void> {
    for await (const chunk of content) {
      crc = crc32(chunk, crc)
      size += chunk.length
      // Whoever made it may use its memory again.
      await new Promise<void>((resolve, reject) => {
        deflate.write(chunk, (failure) => (failure ? reject(failure) : resolve()))
      })
    }
    deflate.end()
  }
  void feed().catch((cause: Error) => deflate.destroy(cause))
  return { chunks: deflate as AsyncIterable<Buffer>, sums: () => ({ crc, size }) }
}

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(deflated, 8)
  header.writeUInt16LE(date, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function descriptor({ crc, packed, size }: Written): Buffer {
  const block = Buffer.alloc(16)
  block.writeUInt32LE(0x08074b50, 0)
  block.writeUInt32LE(crc, 4)
  block.writeUInt32LE(packed, 8)
  block.writeUInt32LE(size, 12)
  return block
}

function directory(entries: readonly Written[], offset: number): Buffer {
  const lines = entries.map((entry) => {
    const line = Buffer.alloc(46)
    line.writeUInt32LE(0x02014b50, 0)
    line.writeUInt16LE(20, 4)
    line.writeUInt16LE(20, 6)
    line.writeUInt16LE(flags, 8)
    line.writeUInt16LE(deflated, 10)
    line.writeUInt16LE(date, 14)
    line.writeUInt32LE(entry.crc, 16)
    line.writeUInt32LE(entry.packed, 20)
    line.writeUInt32LE(entry.size, 24)
    line.writeUInt16LE(entry.path.length, 28)
    line.writeUInt32LE(entry.offset, 42)
    return Buffer.concat([line, entry.path])
  })
  const end = Buffer.alloc(22)
  const size = lines.reduce((sum, line) => sum + line.length, 0)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...lines, end])
}
