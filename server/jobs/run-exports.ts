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
import type { Database } from '../storage/database.ts'
import { readFrom } from '../storage/reading.ts'
import { type Claimed, Worker } from './worker.ts'

/** How often is looked for work, and noted that what is being done goes on. */
const every = 15_000

/** So many exports are written at the same time, whoever asked for them. */
const atOnce = 3

/** What exports are carried out with. */
interface ExportParts {
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

/** Starts carrying out exports; a node below another one has none, they are asked for upstream. */
export function startExports(parts: ExportParts): ExportRunner {
  const { transactions, env, folder } = parts
  const holder = env.uuid()
  const place = folder ?? join(tmpdir(), `gatehouse-exports-${holder}`)
  const work = transactions.site > 0 ? null : new ExportWork(parts, holder, place)
  return {
    look: () => work?.look(),
    pathOf: (file) => join(place, file),
    async stop() {
      await work?.stop()
      if (folder === null && existsSync(place)) await files.rm(place, { recursive: true, force: true })
    },
  }
}

class ExportWork {
  readonly #parts: ExportParts
  readonly #database: Database
  readonly #holder: string
  readonly #place: string
  readonly #worker: Worker<ExportRow>
  readonly #percentages = new Map<ExportRow, number>()

  constructor(parts: ExportParts, holder: string, place: string) {
    this.#parts = parts
    this.#database = parts.transactions.database
    this.#holder = holder
    this.#place = place
    const { env, log } = parts
    this.#worker = new Worker<ExportRow>({
      ...{ env, log, job: 'exports', every, atOnce },
      begin: () => this.#removeStrays().catch((cause: unknown) => this.#complain('exports', cause)),
      renew: (row) => this.#touch(row),
      claim: (room) => this.#claim(room),
      work: (row, signal) => this.#work(row, signal),
      describe: ({ id }) => ({ export: id }),
    })
  }

  look(): void {
    this.#worker.wake()
  }

  stop(): Promise<void> {
    return this.#worker.stop()
  }

  /** Removes files that nobody knows, such as those of a database that was put back. */
  async #removeStrays(): Promise<void> {
    if (!existsSync(this.#place)) return
    const found = await files.readdir(this.#place)
    const known = await knownFiles(this.#database, found)
    for (const file of found) if (!known.has(file)) await this.#remove(file)
  }

  async #claim(room: number): Promise<Claimed<ExportRow>> {
    const { transactions, instant } = this.#parts
    const isOnlyProgram = this.#database.engine === 'sqlite'
    await reviveExports(this.#database, instant(), this.#holder, isOnlyProgram)
    for (const file of await transactions.write((tx) => forgetExports(tx))) await this.#remove(file)
    const items: ExportRow[] = []
    while (items.length < room) {
      const row = await transactions.write((tx) => takeExport(tx, this.#holder))
      if (!row) return { items, more: items.length > 0 }
      items.push(row)
    }
    return { items, more: true }
  }

  async #work(row: ExportRow, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return this.#giveBack(row)
    const begun = this.#parts.env.elapsed()
    this.#percentages.set(row, 0)
    try {
      const ending = await this.#write(row, signal).catch((cause: unknown) => {
        return this.#noteFailure(row, cause, signal.aborted)
      })
      if (ending) await this.#note(row, ending, this.#parts.env.elapsed() - begun)
    } finally {
      this.#percentages.delete(row)
    }
  }

  /** Writes the file of an export; throws where it is broken off. */
  async #write(row: ExportRow, signal: AbortSignal): Promise<Ending> {
    const { data } = this.#parts
    const file = join(this.#place, row.file)
    await files.mkdir(this.#place, { recursive: true, mode: 0o700 })
    // What an earlier try has left.
    await this.#remove(row.file)
    const report = (percentage: number): void => {
      if (!this.#percentages.has(row)) return
      this.#percentages.set(row, percentage)
      void this.#touch(row)
    }
    const task = JSON.parse(row.task) as ExportTask
    const exporting = data
      ? (await import('../exporters/run/export-thread.ts')).exportInThread({ data, task, file }, report)
      : this.#writeHere(task, file, report)
    if (signal.aborted) await exporting.stop()
    const stop = (): void => void exporting.stop()
    signal.addEventListener('abort', stop)
    return exporting.ended.finally(() => signal.removeEventListener('abort', stop))
  }

  #writeHere(task: ExportTask, file: string, report: (percentage: number) => void): Exporting {
    const ended = import('../exporters/run/run-export.ts').then(({ runExport }) =>
      readFrom(this.#database, (db) => runExport(db, task, file, report)),
    )
    // There is nobody else who could break it off.
    return { ended, stop: () => ended.then(() => undefined).catch(() => undefined) }
  }

  async #note(row: ExportRow, ending: Ending, milliseconds: number): Promise<void> {
    if (ending.kind === 'nothing')
      await failExport(this.#database, row, this.#holder, { message: ending.message, isEmpty: true })
    else await finishExport(this.#database, row, this.#holder, ending)
    const fields = { exporter: row.exporter, ending: ending.kind, milliseconds: Math.round(milliseconds) }
    this.#parts.log.info('export', fields)
  }

  async #giveBack(row: ExportRow): Promise<void> {
    await returnExport(this.#database, row, this.#holder)
  }

  async #noteFailure(row: ExportRow, cause: unknown, isOurs: boolean): Promise<undefined> {
    await this.#remove(row.file).catch(() => undefined)
    if (isOurs) {
      await this.#giveBack(row)
      return
    }
    this.#complain(`export ${row.id}`, cause)
    const code = cause instanceof Error && 'code' in cause ? cause.code : ''
    const message =
      code === 'ENOSPC'
        ? 'The disk of the server is full.'
        : `Internal error. The log of the server has more under ${row.id}.`
    await failExport(this.#database, row, this.#holder, { message })
  }

  /** Notes how far an export is, and that this program goes on with it. */
  async #touch(row: ExportRow): Promise<void> {
    const percentage = this.#percentages.get(row) ?? 0
    const now = this.#parts.instant()
    await touchExport(this.#database, row, { holder: this.#holder, percentage, now }).catch(() => undefined)
  }

  /** Removes a file, and what a thread that was broken off has left beside it. */
  async #remove(file: string): Promise<void> {
    for (const suffix of ['', '-data', '-data-journal'])
      await files.rm(join(this.#place, file + suffix), { force: true })
  }

  #complain(what: string, cause: unknown): void {
    this.#parts.log.error(what, { stack: cause instanceof Error ? cause.stack : String(cause) })
  }
}
