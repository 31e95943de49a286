import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { realEnv } from '../../env.ts'
import { readFrom } from '../../storage/reading.ts'
import { loadSqlite, readSqliteFile } from '../../storage/sqlite-reading.ts'
import { sayLoaded } from '../../storage/thread.ts'
import { copyBeside, type ExportAnswer, type ExportBeginning } from './export-thread.ts'
import { runExport } from './run-export.ts'

// Runs in a thread of its own: reading a million tickets would keep scans waiting.

const { data, task, file } = workerData as ExportBeginning
// On Linux, this is about the calling thread alone; elsewhere it would be about the whole program.
if (process.platform === 'linux') setPriority(5)

const say = (answer: ExportAnswer): void => parentPort?.postMessage(answer)
const report = (percentage: number): void => say({ kind: 'part', percentage })

async function readAll() {
  if (data.kind === 'sqlite') {
    loadSqlite()
    sayLoaded()
    return readSqliteFile(data.file, copyBeside(file), (db) => runExport(db, task, file, report))
  }
  const { openPostgres } = await import('../../storage/postgres-server.ts')
  sayLoaded()
  const database = openPostgres(data.address, realEnv.after)
  try {
    return await readFrom(database, (db) => runExport(db, task, file, report))
  } finally {
    await database.close()
  }
}

try {
  say({ kind: 'ended', ending: await readAll() })
} catch (cause) {
  const isFull =
    cause instanceof Error && 'code' in cause && /^(ENOSPC|SQLITE_FULL)$/.test(String(cause.code))
  say({ kind: 'failed', isFull, stack: cause instanceof Error ? String(cause.stack) : String(cause) })
}
