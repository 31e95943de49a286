import { type Log, openLog } from '../../../server/log.ts'

/** A line of the log as it is written. */
type LogLine = Readonly<Record<string, unknown>>

/** A log whose lines are kept. */
export function keepLog(): { readonly log: Log; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, lines }
}
