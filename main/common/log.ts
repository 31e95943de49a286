import type { Readable } from 'node:stream'

/** Takes one line for the operator of the machine; never a ticket's code. */
export type ShellLog = (message: string) => void

/** Writes each message with its time to stderr. */
export const logToStderr: ShellLog = (message) => {
  process.stderr.write(`${new Date().toISOString()} ${message}\n`)
}

/**
 * Forwards a child's output and remembers how it ended: the returned function gives its last lines,
 * which is what explains a child that died.
 */
export function keepLastLines(stream: Readable, forward: (text: string) => void, lines = 20): () => string {
  let tail = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    forward(text)
    tail = `${tail}${text}`.slice(-4000)
  })
  stream.on('error', () => {})
  return () => tail.trimEnd().split('\n').slice(-lines).join('\n')
}

/**
 * Calls `act` when the output of an ended process is read to its end. A helper of that process may hold it
 * open, so this takes 200 ms at most; what has come by then is read, also where this process was held up itself.
 */
export function afterLastWords(stream: Readable, act: () => void): void {
  let late: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    late = setImmediate(finish)
  }, 200)
  function finish(): void {
    clearTimeout(timer)
    clearImmediate(late)
    stream.off('close', finish)
    act()
  }
  if (stream.closed) finish()
  else stream.once('close', finish)
}
