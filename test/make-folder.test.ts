import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../server/make-folder.ts'

describe('making a folder', () => {
  let parent: string
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'gatehouse folder '))
  })
  after(() => rm(parent, { recursive: true }))

  it('makes its parents too, for their owner alone, and leaves one that is there', async () => {
    const folder = join(parent, 'a', 'b', 'c')
    await makeFolder(folder)
    await makeFolder(folder)
    for (const path of [folder, join(parent, 'a')]) assert.equal((await stat(path)).mode & 0o777, 0o700)
  })

  it('says why where it cannot be made', async () => {
    const file = join(parent, 'file')
    await writeFile(file, '')
    await assert.rejects(makeFolder(file), { code: 'EEXIST' })
    await assert.rejects(makeFolder(join(file, 'x')), { code: 'ENOTDIR' })
    // Nothing can be made there, though the folder above is there.
    await assert.rejects(makeFolder('/proc/nothing/here'), { code: 'ENOENT' })
  })
})
