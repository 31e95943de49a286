import { randomBytes } from 'node:crypto'
import { type Command, InvalidArgumentError } from 'commander'
import { realEnv } from '../env.ts'
import { dataFailure, listenFailure } from './failures.ts'
import { addressOf, type Common, dataCommand, print, wholeNumber } from './options.ts'

interface Options extends Common {
  readonly host: string
  readonly port: number
  readonly station?: boolean
}

function portNumber(text: string): number {
  const port = wholeNumber(text)
  if (port > 65535) throw new InvalidArgumentError('Give a port from 0 to 65535.')
  return port
}

/** Adds the command that runs the server until it is told to stop. */
export function addServe(program: Command): void {
  dataCommand(program, 'serve', 'Run the server.')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 picks a free one', portNumber, 8000)
    .option('--station', 'serve the screens of this machine to its own shell')
    .action(serve)
}

async function serve(options: Options): Promise<void> {
  const { startServer } = await import('../serve.ts')
  const { openLog } = await import('../log.ts')
  const key = options.station ? randomBytes(32).toString('base64url') : null
  const database = addressOf(options)
  const config = { database, host: options.host, port: options.port, stationKey: key }
  const starting = startServer(config, realEnv, openLog())
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    starting
      .then((running) => running.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', stop)
  const { url } = await starting.catch((cause: unknown) => {
    throw listenFailure(cause) ?? dataFailure(cause, database)
  })
  print(key === null ? { url } : { url, open: `${url}/api/v1/station/open?key=${key}`, key })
}
