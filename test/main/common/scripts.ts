import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own, removed by `remove`. */
export interface TestFolder {
  readonly path: string
  /** Writes a file into it and gives its path. */
  write(name: string, text: string): string
  remove(): void
}

/** Makes such a folder. */
export function makeTestFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  return {
    path,
    write(name, text) {
      const file = join(path, name)
      writeFileSync(file, text)
      return file
    },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Whether a process lives. A zombie that nobody has waited for yet counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Connects to a server. `gone` resolves when that has ended, in order or not: its end of the connection is
 * closed then.
 */
export async function watchServer(url: string | URL): Promise<{ readonly gone: Promise<void> }> {
  const connection = connect(Number(new URL(url).port), '127.0.0.1')
  connection.on('error', () => {})
  const gone = new Promise<void>((resolve) => connection.once('close', () => resolve()))
  await new Promise<void>((resolve) => connection.once('connect', resolve))
  return { gone }
}

/** A server that answers every request with its own arguments, tells of requests on stderr, and stops in order. */
export const GOOD_SERVER = `
  import { createServer } from 'node:http'
  const args = process.argv.slice(2)
  const server = createServer((request, response) => {
    if (request.url === '/crash') process.exit(3)
    console.error('request ' + request.method + ' ' + request.url)
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>' + process.pid + '</title>' + args.join(' '))
  })
  server.listen(Number(args[args.indexOf('--port') + 1]), '127.0.0.1', () => {
    const url = 'http://127.0.0.1:' + server.address().port
    console.log('some other line')
    console.log(JSON.stringify({ url, open: url + '/open?key=' + process.pid, key: String(process.pid) }))
  })
  process.on('SIGTERM', () => {
    console.error('stopped in order')
    server.closeAllConnections()
    server.close(() => process.exit(0))
  })
`
