import { existsSync, promises as files } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Env } from '../env.ts'
import type { DataAddress, Exporting } from '../exporters/run/export-thread.ts'
import type { Ending, ExportTask } from '../exporters/run/run-export.ts'
import type { Log } from '../log.ts'
import type { Transactions } from '../resource/transactions.ts'
import {
  type ExportRow,
  failExport,
  finishExport,
  forgetExports,
  knownFiles,
  returnExport,
  reviveExports,
  takeExport,
  touchExport,
} from '../services/operations/export-runs.ts'
import { readFrom } from '../storage/reading.ts'

/** How often is looked for work, and told that what is being done goes on. */
const every = 15_000

/** So many exports are written at the same time, whoever asked for them. */
const atOnce = 3

/** What exports are carried out with. */
export interface ExportParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly instant: () => string
  /** Where a thread of its own finds the data; null where only this program has it. */
  readonly data: DataAddress | null
  /** Where files are kept; null: in a folder that goes with this program. */
  readonly folder: string | null
}

/** Carries out the exports that are asked for. */
export interface ExportRunner {
  /** Says that there may be something to do. */
  look(): void
  /** Where the file of an export is, whether it is there or not. */
  pathOf(file: string): string
  /** Breaks off what is being done, to be begun anew by whoever comes next. */
  stop(): Promise<void>
}

interface Current {
  readonly row: ExportRow
  readonly exporting: Exporting
  percentage: number
  readonly done: Promise<void>
}

/** Starts carrying out exports; a node below another one has none, they are asked for above. */
export function startExports(parts: ExportParts): ExportRunner {
  const { transactions, env, log, instant, folder } = parts
  const { database } = transactions
  const holder = env.uuid()
  const place = folder ?? join(tmpdir(), `gatehouse-exports-${holder}`)
  const current = new Map<string, Current>()
  let stopped = transactions.site > 0
  let stopTimer = (): void => {}
  let looking: Promise<void> | null = null
  let isAskedAgain = false

  const complain = (what: string, cause: unknown): void =>
    log.error(what, { stack: cause instanceof Error ? cause.stack : String(cause) })

  async function begin(row: ExportRow): Promise<void> {
    const file = join(place, row.file)
    await files.mkdir(place, { recursive: true, mode: 0o700 })
    // What an earlier try has left.
    await files.rm(file, { force: true })
    const report = (percentage: number): void => {
      const known = current.get(row.id)
      if (!known) return
      known.percentage = percentage
      void touchExport(database, row, holder, percentage, instant()).catch(() => undefined)
    }
    const task = JSON.parse(row.task) as ExportTask
    const exporting = parts.data
      ? (await import('../exporters/run/export-thread.ts')).exportInThread(
          { data: parts.data, task, file },
          report,
        )
      : exportHere(task, file, report)
    const begun = env.elapsed()
    const done = exporting.ended.then(
      (ending) => note(row, ending, env.elapsed() - begun),
      (cause: unknown) => noteFailure(row, cause),
    )
    current.set(row.id, { row, exporting, percentage: 0, done: done.finally(() => current.delete(row.id)) })
    void done.then(look)
  }

  function exportHere(task: ExportTask, file: string, report: (percentage: number) => void): Exporting {
    const ended = import('../exporters/run/run-export.ts').then(({ runExport }) =>
      readFrom(database, (db) => runExport(db, task, file, report)),
    )
    // There is nobody else who could break it off.
    return { ended, stop: () => ended.then(() => undefined).catch(() => undefined) }
  }

  async function note(row: ExportRow, ending: Ending, milliseconds: number): Promise<void> {
    try {
      if (ending.kind === 'nothing') await failExport(database, row, holder, ending.message)
      else await finishExport(database, row, holder, ending.name, ending.type)
      log.info('export', {
        exporter: row.exporter,
        ending: ending.kind,
        milliseconds: Math.round(milliseconds),
      })
    } catch (cause) {
      complain('export', cause)
    }
  }

  async function noteFailure(row: ExportRow, cause: unknown): Promise<void> {
    await files.rm(join(place, row.file), { force: true }).catch(() => undefined)
    const isOurs = stopped
    if (!isOurs) complain(`export ${row.id}`, cause)
    const code = cause instanceof Error && 'code' in cause ? cause.code : ''
    const message =
      code === 'ENOSPC'
        ? 'The disk of the server is full.'
        : `Internal error. The log of the server has more under ${row.id}.`
    await (isOurs ? returnExport(database, row, holder) : failExport(database, row, holder, message)).catch(
      (problem: unknown) => complain('export', problem),
    )
  }

  async function work(): Promise<void> {
    const alone = database.engine === 'sqlite'
    await reviveExports(database, instant(), holder, alone)
    for (const file of await transactions.write((tx) => forgetExports(tx)))
      await files.rm(join(place, file), { force: true })
    while (!stopped && current.size < atOnce) {
      const row = await transactions.write((tx) => takeExport(tx, holder))
      if (!row) break
      await begin(row).catch((cause: unknown) => noteFailure(row, cause))
    }
  }

  function look(): void {
    if (stopped) return
    isAskedAgain = true
    looking ??= (async () => {
      while (isAskedAgain && !stopped) {
        isAskedAgain = false
        await work().catch((cause: unknown) => complain('exports', cause))
      }
    })().finally(() => {
      looking = null
    })
  }

  async function tick(): Promise<void> {
    for (const { row, percentage } of current.values())
      await touchExport(database, row, holder, percentage, instant()).catch(() => undefined)
    look()
  }

  function wait(): void {
    stopTimer = env.after(every, () => {
      void tick()
      if (!stopped) wait()
    })
  }

  /** Removes files that nobody knows, such as those of a database that was put back. */
  async function tidy(): Promise<void> {
    if (!existsSync(place)) return
    const found = await files.readdir(place)
    const known = await knownFiles(database, found)
    for (const file of found) if (!known.has(file)) await files.rm(join(place, file), { force: true })
  }

  if (!stopped) {
    wait()
    looking = tidy()
      .catch((cause: unknown) => complain('exports', cause))
      .finally(() => {
        looking = null
        look()
      })
  }

  return {
    look,
    pathOf: (file) => join(place, file),
    async stop() {
      stopped = true
      stopTimer()
      await looking
      const left = [...current.values()]
      await Promise.all(left.map(({ exporting }) => exporting.stop()))
      await Promise.all(left.map(({ done }) => done))
      if (folder === null && existsSync(place)) await files.rm(place, { recursive: true, force: true })
    },
  }
}
