import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A file in an archive, whose content comes bit by bit; each bit needs to be good until the next one only. */
export interface ZipEntry {
  readonly path: string
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

type Entries = AsyncIterable<ZipEntry> | Iterable<ZipEntry>

const options = {
  // Speed first: the next step saves a tenth of the size and takes twice as long.
  compressionLevel: 1,
  // When a file was written says nothing here.
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
}

/** A ZIP archive bit by bit: nothing but a line for each file is kept. */
export async function* zipFile(entries: Entries): AsyncGenerator<Buffer> {
  const archive = new ZipFile()
  const output = new PassThrough()
  archive.outputStream.pipe(output)
  const fail = (cause: Error) => output.destroy(cause)
  archive.on('error', fail)
  const abandoned = new AbortController()
  feed(archive, entries, abandoned.signal).catch(fail)
  try {
    yield* output
  } finally {
    abandoned.abort()
  }
}

/** Adds one file after the other; the next one is asked for when the one before has been read. */
async function feed(archive: ZipFile, entries: Entries, signal: AbortSignal): Promise<void> {
  for await (const { path, content } of entries) {
    const source = Readable.from(copies(content), { objectMode: false, signal })
    archive.addReadStream(source, path, options)
    await finished(source, { writable: false })
  }
  archive.end()
}

/** Bits are read ahead of those that are packed, and whoever made them may use their memory again. */
async function* copies(content: ZipEntry['content']): AsyncGenerator<Buffer> {
  for await (const chunk of content) yield Buffer.from(chunk)
}
