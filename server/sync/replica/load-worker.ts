import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteToFill } from '../../storage/sqlite.ts'
import { sayLoaded } from '../../storage/thread.ts'
import { settleOnDisk } from './durable-files.ts'
import { beginLoad } from './load-snapshot.ts'
import type { LoadAnswer, LoadBeginning, LoadOrder } from './load-thread.ts'
import { beginSearchBeside } from './search-beside.ts'
import { Mangled } from './snapshot-lines.ts'

// Runs in a thread of its own: reading a hundred thousand tickets would keep scans waiting.

const { file, identity, gently } = workerData as LoadBeginning
// On Linux, this is about the calling thread only; elsewhere it would be about the whole program.
if (gently && process.platform === 'linux') setPriority(10)
const database = openSqliteToFill(file)
sayLoaded()
const beside = beginSearchBeside({ file: `${file}-search`, into: file, gently })
const loading = beginLoad(database, identity, beside)
// Whoever orders something hears of it: were it not heard here, it would end this thread, and the one beside it.
loading.catch(() => undefined)

/** So many bytes of a snapshot go by before what is stored of it is written to the disk. */
const settledEvery = 4 * 2 ** 20
let unsettled = 0
let settling: Promise<void> | null = null
let isHeadReported = false

/** Writes to the disk bit by bit: all of it at once would keep every scan waiting that is to be written meanwhile. */
function settleInPassing(bytes: number): void {
  unsettled += bytes
  if (settling !== null || unsettled < settledEvery) return
  unsettled = 0
  settling = settleOnDisk(file)
    // Should it fail for good, it does so at the end.
    .catch(() => undefined)
    .finally(() => {
      settling = null
    })
}

/** Tells how far the finishing is, in hundredths. */
function tellParts(): (part: number) => void {
  let reported = 0
  return (part) => {
    if (part < reported + 0.01) return
    reported = part
    parentPort?.postMessage({ kind: 'part', part } satisfies LoadAnswer)
  }
}

async function close(): Promise<LoadAnswer> {
  await loading.catch(() => undefined)
  await settling
  await beside.close()
  await database.close()
  return { kind: 'done' }
}

async function carryOut(order: LoadOrder): Promise<LoadAnswer> {
  if (order.kind === 'close') return close()
  const load = await loading
  switch (order.kind) {
    case 'feed': {
      const progress = await load.feed(order.chunk)
      settleInPassing(order.chunk.byteLength)
      const head = isHeadReported ? null : progress.head
      isHeadReported = progress.head !== null
      return { kind: 'progress', progress: { ...progress, head } }
    }
    case 'restart':
      await load.restart()
      return { kind: 'done' }
    case 'finish': {
      const tell = tellParts()
      await load.finish((part) => {
        tell(part)
        settleInPassing(settledEvery / 8)
      })
      await beside.close()
      await settling
      // Here, where nobody waits for it: what is to be put in place later is on the disk already.
      await settleOnDisk(file)
      return { kind: 'done' }
    }
    case 'check': {
      // What followed the snapshot was written by others, and is to be on the disk as well.
      await database.script('PRAGMA wal_checkpoint(TRUNCATE);')
      return { kind: 'dangling', count: await load.countDangling() }
    }
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
