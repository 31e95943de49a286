import { PassThrough, type Readable } from 'node:stream'
import { utilityProcess } from 'electron'
import type { ForkServer } from '../server/server-process.ts'

/** Starts the server's script in a process of Electron's, which ends with Electron. */
export function forkUtilityServer(script: string): ForkServer {
  return (args) => {
    const child = utilityProcess.fork(script, [...args], { stdio: 'pipe', serviceName: 'Gatehouse server' })
    let pid: number | undefined
    child.once('spawn', () => {
      pid = child.pid
    })
    return {
      get pid() {
        return pid
      },
      stdout: asReadable(child.stdout),
      stderr: asReadable(child.stderr),
      onExit: (act) => void child.once('exit', (code) => act({ code, signal: null })),
      terminate: () => void child.kill(),
      kill() {
        // Electron's own kill only asks; a process that is gone already needs nothing.
        try {
          if (pid !== undefined) process.kill(pid, 'SIGKILL')
        } catch {}
      },
    }
  }
}

// Typed as the older interface of streams, and a Readable in fact.
function asReadable(stream: NodeJS.ReadableStream | null): Readable {
  return (stream ?? new PassThrough()) as Readable
}
