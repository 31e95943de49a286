import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { afterLastWords } from '../common/log.ts'
import type { ForkServer } from './server-process.ts'

const FOLLOW_PARENT = new URL(`./follow-parent${import.meta.url.slice(-3)}`, import.meta.url).href
const WINDOWS = process.platform === 'win32'

/** Starts the server's script as a child of this Node. */
export function forkNodeServer(script: string): ForkServer {
  return (args) => {
    const child = spawn(process.execPath, ['--import', FOLLOW_PARENT, script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A Ctrl+C in the terminal goes to the shell alone, which then stops the server in order.
      detached: !WINDOWS,
    })
    const stderr = child.stderr ?? new PassThrough()
    return {
      pid: child.pid,
      stdout: child.stdout ?? new PassThrough(),
      stderr,
      onExit(act) {
        child.once('exit', (code, signal) => afterLastWords(stderr, () => act({ code, signal })))
        child.once('error', () => {
          if (child.pid === undefined) act({ code: null, signal: null })
        })
      },
      terminate() {
        // Windows knows no SIGTERM; the server stops in order when its channel closes.
        if (!WINDOWS) child.kill('SIGTERM')
        else if (child.connected) child.disconnect()
      },
      kill: () => void child.kill('SIGKILL'),
    }
  }
}
