import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** One thing that a traced program asked of a file. */
export type Step =
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'cut'; readonly file: string; readonly size: number }
  | { readonly kind: 'sync'; readonly file: string }
  | { readonly kind: 'said'; readonly text: string }

const bytesOf = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex')
const nameOf = (text: string): string => bytesOf(text).toString().split('/').at(-1) ?? ''

const call = /(\w+)\(\d+<((?:\\x[0-9a-f]{2})+)>(.*)$/
const positioned = /^, "((?:\\x[0-9a-f]{2})*)", \d+, (\d+)\)\s+= \d+/
const appended = /^, "((?:\\x[0-9a-f]{2})*)", \d+\)\s+= \d+/
const shortened = /^, (\d+)\)\s+= 0/

/**
 * The steps of a trace that `strace -f -y -xx` wrote, for the files of a database and the file `acknowledged`, in their
 * order. Throws at a call that was interrupted by another one's line, for its order would be unknown.
 */
export async function readTrace(file: string, acknowledged: string): Promise<Step[]> {
  const steps: Step[] = []
  const kept = new Map<string, string>()
  for await (const raw of createInterface({ input: createReadStream(file) })) {
    // A call that another thread's interrupts is told in two lines; it counts where it ends.
    const thread = /^(?:\[pid +)?(\d+)/.exec(raw)?.[1] ?? ''
    if (raw.includes('<unfinished ...>')) {
      kept.set(thread, raw.replace(/ *<unfinished \.\.\.>.*$/, ''))
      continue
    }
    const line = raw.replace(/^.*<\.\.\. \w+ resumed>/, () => kept.get(thread) ?? '')
    const [, name, path = '', rest = ''] = call.exec(line) ?? []
    if (name === undefined) continue
    const of = nameOf(path)
    if (of === acknowledged) {
      const [, text = ''] = appended.exec(rest) ?? []
      if (name === 'write') steps.push({ kind: 'said', text: bytesOf(text).toString() })
      continue
    }
    if (!/\.sqlite(-wal)?$/.test(of)) continue
    const [, data = '', at = ''] = positioned.exec(rest) ?? []
    const [, size = ''] = shortened.exec(rest) ?? []
    if (name === 'pwrite64' && at !== '')
      steps.push({ kind: 'write', file: of, at: Number(at), bytes: bytesOf(data) })
    else if (name === 'ftruncate' && size !== '') steps.push({ kind: 'cut', file: of, size: Number(size) })
    else if (name === 'fsync' || name === 'fdatasync') steps.push({ kind: 'sync', file: of })
    else throw new Error(`The trace holds a call that is not understood: ${line.slice(0, 300)}`)
  }
  return steps
}
