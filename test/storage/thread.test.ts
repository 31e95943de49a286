import assert from 'node:assert/strict'
import { startThread } from '../../server/storage/thread.ts'

/** What is heard of a thread. */
function listening() {
  const heard: unknown[] = []
  const failures: string[] = []
  return {
    ...{ heard, failures },
    listener: {
      hear: (answer: unknown) => void heard.push(answer),
      fail: (cause: Error) => void failures.push(cause.message),
    },
  }
}

describe('a thread that works with a database', () => {
  it('is ended once its driver is loaded, and not in the middle of that', async () => {
    const loaded = new Int32Array(new SharedArrayBuffer(4))
    const { listener, heard, failures } = listening()
    const module = new URL('./thread-slowly-loaded.ts', import.meta.url)
    const thread = startThread(module, { workerData: loaded }, listener)
    await thread.end()
    assert.equal(Atomics.load(loaded, 0), 1)
    assert.deepEqual(heard, [])
    assert.deepEqual(failures, ['The thread has ended.'])
  })

  it('can be ended where it has failed before it was loaded', async () => {
    const { listener, failures } = listening()
    const thread = startThread(new URL('./not-there.ts', import.meta.url), {}, listener)
    await thread.end()
    assert.equal(failures.length, 2)
    assert.match(failures[0] ?? '', /not-there/)
  })
})
