import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { amount } from '../../support/mocha/amount.ts'

const program = fileURLToPath(new URL('./ended-threads.ts', import.meta.url))

describe('threads with a database that are ended at any moment', () => {
  it('do not end the program', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-threads-'))
    try {
      const ended = await promisify(execFile)(process.execPath, [program, folder, `${amount(160, 20)}`])
      assert.equal(ended.stdout, 'ended')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
