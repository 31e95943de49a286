import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The port of the last start, or 0. A station that answers on the same port every time keeps its page's
 * origin, and with it what the page has stored in the browser.
 */
export function readPort(dataFolder: string): number {
  try {
    const port = Number(readFileSync(join(dataFolder, 'port'), 'utf8'))
    return Number.isInteger(port) && port >= 1024 && port <= 65_535 ? port : 0
  } catch {
    return 0
  }
}

/** Remembers the port for the next start. A folder that cannot be written only costs the memory. */
export function keepPort(dataFolder: string, port: number): void {
  if (port === readPort(dataFolder)) return
  try {
    writeFileSync(join(dataFolder, 'port'), `${port}\n`, { mode: 0o600 })
  } catch {}
}
