import assert from 'node:assert/strict'
import { type ZipEntry, zipFile } from '../../../server/exporters/format/zip-file.ts'

/** Files of one byte after the other in the same memory; says when nobody reads them any more. */
function fileOf(path: string, bytes: number, closed: () => void, failure?: Error): ZipEntry {
  const memory = new Uint8Array(65_536)
  const content = async function* () {
    try {
      for (let written = 0; written < bytes; written += memory.length)
        yield memory.fill(written / memory.length)
      if (failure) throw failure
    } finally {
      closed()
    }
  }
  return { path, content: content() }
}

async function bytesOf(entries: Iterable<ZipEntry>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of zipFile(entries)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('an archive', () => {
  it('asks for a file once the one before has been read to its end', async () => {
    const events: string[] = []
    const entries = function* () {
      for (const path of ['a', 'b', 'c']) {
        events.push(`asked for ${path}`)
        yield fileOf(path, 300_000, () => events.push(`read ${path}`))
      }
    }
    const bytes = await bytesOf(entries())
    assert.equal(bytes.subarray(0, 2).toString(), 'PK')
    assert.deepEqual(
      events,
      ['a', 'b', 'c'].flatMap((path) => [`asked for ${path}`, `read ${path}`]),
    )
  })

  it('fails with what a file of it fails with', async () => {
    const failure = new Error('The database is gone.')
    await assert.rejects(bytesOf([fileOf('a', 100_000, () => {}, failure)]), failure)
  })

  it('lets go of a file whose reader has gone', async () => {
    const closed = Promise.withResolvers<void>()
    for await (const _ of zipFile([fileOf('a', Number.POSITIVE_INFINITY, closed.resolve)])) break
    await closed.promise
  })
})
