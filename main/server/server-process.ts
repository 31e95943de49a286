import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { ShellClock } from '../common/clock.ts'
import { keepLastLines, type ShellLog } from '../common/log.ts'
import { START_COMMAND } from '../common/program-files.ts'
import { readServerAddress, type ServerAddress } from '../common/server-address.ts'
import { type Child, keepRunning, type SupervisedServer } from './keep-running.ts'

/** The server as a child process, with what it prints. */
interface ServerChild extends Child {
  readonly stdout: Readable
  readonly stderr: Readable
}

/** Starts the server's script with these arguments; each shell has its own way to do it. */
export type ForkServer = (args: readonly string[]) => ServerChild

/** What the server is started with, and who hears about it. */
export interface ServerOptions {
  readonly fork: ForkServer
  readonly dataFolder: string
  /** The port to try first; 0 for any. */
  readonly port?: number
  readonly clock: ShellClock
  readonly log: ShellLog
  /** Where the server's own log lines go. */
  readonly forward: (text: string) => void
  /** The server answers at this address, at first and after each restart. */
  readonly onReady: (address: ServerAddress) => void
  /** The server has ended; it will be started again. */
  readonly onDown: () => void
  /** The server never became ready, however often it was started; it is not started again. */
  readonly onFailed: (message: string) => void
  /** Milliseconds a start may take, migrations included. */
  readonly readyWithin?: number
  readonly stopWithin?: number
  readonly stableAfter?: number
}

const TRIES = 4

/** The server's arguments; a port of 0 lets it pick one. */
export function serverArguments(dataFolder: string, port: number): readonly string[] {
  return ['serve', '--station', '--data', dataFolder, '--host', '127.0.0.1', '--port', String(port)]
}

/**
 * Runs the embedded server and starts it again when it ends, on the port it had before, so that an open
 * page only has to reconnect. Gives up only when it has never been ready.
 */
export function keepServer(options: ServerOptions): SupervisedServer {
  const { clock, log, dataFolder, readyWithin = 60_000 } = options
  let port = options.port ?? 0
  let wasReady = false
  let lastLines = () => ''

  function start(): ServerChild {
    const child = options.fork(serverArguments(dataFolder, port))
    const lines = createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })
    let ready = false
    lastLines = keepLastLines(child.stderr, options.forward)
    const cancelLate = clock.after(readyWithin, () => {
      log(`The server was not ready within ${readyWithin / 1000} s and is started again`)
      child.kill()
    })
    lines.on('line', (line) => {
      const address = ready ? null : readServerAddress(line)
      if (address === null) {
        options.forward(`${line}\n`)
        return
      }
      ready = true
      wasReady = true
      cancelLate()
      port = Number(new URL(address.url).port)
      options.onReady(address)
    })
    child.onExit(() => {
      cancelLate()
      lines.close()
      // The port may have been taken by another program meanwhile: the next start picks a new one.
      if (!ready) port = 0
      else options.onDown()
    })
    return child
  }

  return keepRunning({
    name: 'The server',
    start,
    clock,
    log,
    stableAfter: options.stableAfter,
    stopWithin: options.stopWithin,
    again(_exit, failures) {
      if (wasReady || failures < TRIES) return true
      options.onFailed(explainFailure(dataFolder, lastLines()))
      return false
    },
  })
}

function explainFailure(dataFolder: string, said: string): string {
  return [
    `The server did not start in ${TRIES} tries.`,
    `Check that ${dataFolder} can be written, that the disk is not full and that the program is installed whole,`,
    `or start with another folder: ${START_COMMAND} --data DIR`,
    ...(said === '' ? [] : [`The last it said was:\n${said}`]),
  ].join('\n')
}
