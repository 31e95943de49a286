import { parentPort, workerData } from 'node:worker_threads'
import { openSqlite } from '../storage/sqlite.ts'
import { beginLoad, Mangled, type ReplicaIdentity } from './load-snapshot.ts'
import type { LoadAnswer, LoadOrder } from './load-thread.ts'
import { settleOnDisk } from './settle-on-disk.ts'

// Runs in a thread of its own: reading a hundred thousand tickets would keep scans waiting.

const { file, identity } = workerData as { readonly file: string; readonly identity: ReplicaIdentity }
const database = openSqlite(file)
const loading = beginLoad(database, identity)

async function carryOut(order: LoadOrder): Promise<LoadAnswer> {
  const load = await loading
  switch (order.kind) {
    case 'feed':
      return { kind: 'progress', progress: await load.feed(order.chunk) }
    case 'restart':
      await load.restart()
      return { kind: 'done' }
    case 'finish':
      await load.finish()
      // Here, where nobody waits for it: what is to be put in place later is on the disk already.
      await settleOnDisk(file)
      return { kind: 'done' }
    case 'check':
      return { kind: 'dangling', count: await load.countDangling() }
    case 'close':
      await database.close()
      return { kind: 'done' }
  }
}

parentPort?.on('message', (order: LoadOrder) => {
  void carryOut(order)
    .catch(
      (cause: unknown): LoadAnswer => ({
        kind: 'failed',
        message: cause instanceof Error ? cause.message : String(cause),
        isMangled: cause instanceof Mangled,
      }),
    )
    .then((answer) => {
      parentPort?.postMessage(answer)
      if (order.kind === 'close') parentPort?.close()
    })
})
