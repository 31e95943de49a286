import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { addPositions, beginFilling, endFilling, prepareSearch } from '../../storage/search.ts'
import { openSqliteToFill } from '../../storage/sqlite.ts'
import { moveSearch } from '../../storage/sqlite-search.ts'
import { sayLoaded } from '../../storage/thread.ts'
import type { SearchAnswer, SearchBeginning, SearchOrder } from './search-beside.ts'

// Runs in a thread of its own, beside the one that loads the rows.

const { file, into, gently } = workerData as SearchBeginning
// On Linux, this is about the calling thread only; elsewhere it would be about the whole program.
if (gently && process.platform === 'linux') setPriority(10)
const database = openSqliteToFill(file)
sayLoaded()

async function begin(): Promise<void> {
  // Written from the first page to the last, it is hardly ever read again.
  await database.script('PRAGMA cache_size = -8192;')
  await prepareSearch(database)
  await beginFilling(database)
}

let last = begin()

async function carryOut(order: SearchOrder): Promise<void> {
  if (order.kind === 'finish') {
    await endFilling(database)
    await database.close()
    return moveSearch(file, into)
  }
  const { positions, names, texts, notes } = order
  const added = positions.map((position, at) => ({
    ...{ position, organizer: 0, event: 0 },
    ...{ names: names[at] ?? '', text: texts[at] ?? '', note: notes[at] ?? '' },
  }))
  await database.transaction((tx) => addPositions(tx, added))
}

parentPort?.on('message', (order: SearchOrder) => {
  last = last.then(() => carryOut(order))
  const answer = (failure: string | null): void =>
    parentPort?.postMessage({ kind: 'done', failure } satisfies SearchAnswer)
  last.then(
    () => answer(null),
    (cause: unknown) => answer(cause instanceof Error ? cause.message : String(cause)),
  )
})
