import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterLastWords, keepLastLines } from '../../../main/common/log.ts'
import { makeTestFolder, type TestFolder } from './scripts.ts'

/** Holds this whole process up, as a busy machine does. */
const holdUp = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

describe('the last words of a process', function () {
  this.timeout(60_000)
  let folder: TestFolder
  beforeEach(() => {
    folder = makeTestFolder()
  })
  afterEach(() => folder.remove())

  it('are heard though the one who listens was held up, and something holds the line open', async () => {
    const said = join(folder.path, 'said')
    // The process ends at once; what it has left behind speaks then, and stays.
    const helper = `process.stderr.write('no space left', () => {
      require('node:fs').writeFileSync(${JSON.stringify(said)}, '')
    }); setTimeout(() => {}, 2000)`
    const script = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(helper)}],
      { detached: true, stdio: ['ignore', 'ignore', 'inherit'] }).unref()`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'pipe'] })
    const lastLines = keepLastLines(child.stderr, () => {})
    await once(child, 'exit')
    const heard = new Promise<string>((resolve) => afterLastWords(child.stderr, () => resolve(lastLines())))
    const end = Date.now() + 30_000
    while (!existsSync(said)) {
      assert(Date.now() < end, 'nothing was said')
      holdUp(10)
    }
    holdUp(250)
    assert.equal(await heard, 'no space left')
  })
})
