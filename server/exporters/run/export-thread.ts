import { startThread } from '../../storage/thread.ts'
import type { Ending, ExportTask } from './run-export.ts'

/** Where a thread finds the data: it opens a connection of its own. */
export type DataAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly address: string }

/** What the thread begins with. */
export interface ExportBeginning {
  readonly data: DataAddress
  readonly task: ExportTask
  readonly file: string
}

/** What the thread says. */
export type ExportAnswer =
  | { readonly kind: 'part'; readonly percentage: number }
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'failed'; readonly isFull: boolean; readonly stack: string }

/** The copy of a SQLite file that an export is written from, beside what it writes. */
export const copyBeside = (file: string): string => `${file}-data`

/** An export that is being written. */
export interface Exporting {
  readonly ended: Promise<Ending>
  /** Breaks it off; what was written so far is left. */
  stop(): Promise<void>
}

/** What a thread may use; more would be a sign that it holds whole tables. Mebibytes. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

/** Writes an export in a thread of its own, so that no scan waits for it. */
export function exportInThread(beginning: ExportBeginning, report: (percentage: number) => void): Exporting {
  const { promise, resolve, reject } = Promise.withResolvers<Ending>()
  const thread = startThread<ExportAnswer>(
    new URL('./export-worker.ts', import.meta.url),
    { workerData: beginning, resourceLimits },
    {
      hear(answer) {
        if (answer.kind === 'part') report(answer.percentage)
        else if (answer.kind === 'ended') resolve(answer.ending)
        else {
          const failure = new Error('The export failed.')
          failure.stack = answer.stack
          reject(answer.isFull ? Object.assign(failure, { code: 'ENOSPC' }) : failure)
        }
      },
      fail: reject,
    },
  )
  return {
    ended: promise,
    stop: () => thread.end(),
  }
}
