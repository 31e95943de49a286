import { randomBytes } from 'node:crypto'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { realEnv } from '../env.ts'
import { dataFailure, listenFailure } from './failures.ts'
import { addressOf, type Common, dataCommand, print, wholeNumber } from './options.ts'

interface Options extends Common {
  readonly host: string
  readonly port: number
  readonly station?: boolean
  readonly upstream?: string
  readonly deviceToken?: string
  readonly role: 'station' | 'hub'
}

function serverAddress(text: string): string {
  const address = URL.parse(text)
  if (!address || !/^https?:$/.test(address.protocol))
    throw new InvalidArgumentError('Write it as http://… or https://…')
  return address.href.replace(/\/+$/, '')
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
    .option('--upstream <address>', 'the server above this one', serverAddress)
    .option(
      '--device-token <token>',
      'the one-time token of the device that this server is there, for the first start',
    )
    .addOption(
      new Option('--role <role>', 'what this server is there').choices(['station', 'hub']).default('hub'),
    )
    .action(serve)
}

/** The server above, where one is named. Its token is needed the first time only. */
function upstreamOf({ upstream: url, deviceToken: token, role }: Options) {
  if (url === undefined) return {}
  return { upstream: { url, token: token ?? '', role } }
}

async function serve(options: Options): Promise<void> {
  const { startServer } = await import('../serve.ts')
  const { openLog } = await import('../log.ts')
  const key = options.station ? randomBytes(32).toString('base64url') : null
  const database = addressOf(options)
  const config = {
    database,
    host: options.host,
    port: options.port,
    stationKey: key,
    ...upstreamOf(options),
  }
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
