import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { endedForRoom } from '../../schema/updates/update-files.ts'
import type { Config } from '../config.ts'
import { folderIn } from '../data-address.ts'
import { isMailAddress } from '../domain/notifications/mail-schedule.ts'
import { readNetwork } from '../domain/notifications/webhook-targets.ts'
import { realEnv } from '../env.ts'
import { impossible } from '../errors.ts'
import type { Running } from '../serve.ts'
import type { StartHears, StartParts } from '../standstill.ts'
import { isDiskFull } from '../storage/database.ts'
import type { UpdateToInstall } from '../sync/updates/updater.ts'
import { applyConfigFile } from './config-file.ts'
import { dataFailure, listenFailure } from './failures.ts'
import { leaveUpdate } from './leave-update.ts'
import {
  addressOption,
  type Common,
  collect,
  dataCommand,
  folderOf,
  portNumber,
  print,
  serverAddress,
  wholeNumber,
} from './options.ts'
import { secretOf } from './secrets.ts'
import { tellSystemd } from './systemd.ts'

interface Options extends Common {
  readonly host: string
  readonly port: number
  readonly station?: boolean
  readonly url?: string
  readonly exports?: string
  readonly rateLimit?: number
  readonly behindProxy?: boolean
  readonly mailFolder?: string
  readonly mailFrom?: string
  readonly upstream?: string
  readonly deviceToken?: string
  readonly role: 'station' | 'hub'
  readonly webhookNetwork: readonly string[]
  readonly updates?: string
  readonly updateItself?: boolean
  readonly packageVersion?: string
  readonly onTrial?: boolean
}

function mailAddress(text: string): string {
  if (!isMailAddress(text)) throw new InvalidArgumentError('Write it as tickets@example.org.')
  return text
}

/** How mails go and whom they are from; a password is not for the command line, where others of the machine see it. */
function mailOf({ mailFolder, mailFrom }: Options): Config['mail'] {
  const smtp = secretOf('GATEHOUSE_SMTP')
  if (smtp !== undefined && !/^smtps?:$/.test(URL.parse(smtp)?.protocol ?? ''))
    throw impossible('GATEHOUSE_SMTP is not an address like smtps://user:password@mail.example.org.')
  if (smtp !== undefined && mailFrom === undefined)
    throw impossible('Say with --mail-from which address mails come from.')
  return {
    ...(smtp === undefined ? {} : { route: { kind: 'smtp', address: smtp } as const }),
    ...(smtp === undefined && mailFolder !== undefined
      ? { route: { kind: 'folder', folder: resolve(mailFolder) } as const }
      : {}),
    ...(mailFrom === undefined ? {} : { from: mailFrom }),
  }
}

function network(text: string, before: readonly string[] = []): readonly string[] {
  if (!readNetwork(text)) throw new InvalidArgumentError('Write it as 10.0.0.0/8 or fd00::/8.')
  return collect(text, before)
}

/** Adds the command that runs the server until it is asked to stop; that command. */
export function addServe(program: Command): Command {
  return (
    dataCommand(program, 'serve', 'Run the server.')
      .option(
        '--config <file>',
        'a JSON file with options of this command by their names, such as {"port": 8000}; the command line goes before it',
      )
      .hook('preAction', (_, command) => {
        const { config } = command.opts<{ config?: string }>()
        if (config !== undefined) applyConfigFile(command, config)
      })
      .option('--host <address>', 'address to listen on', '127.0.0.1')
      .option('--port <number>', 'port to listen on; 0 picks a free one', portNumber, 8000)
      .option('--station', 'serve the screens of this machine to its own shell')
      .option(
        '--url <address>',
        'the address by which people reach this server, for links in mails',
        serverAddress,
      )
      .option(
        '--rate-limit <number>',
        'how many requests a minute each credential may make, and each address without one; 0 for no limit (with --url 360, else none)',
        wholeNumber,
      )
      .option('--behind-proxy', 'requests come through one proxy, which says where from in X-Forwarded-For')
      .option(
        '--exports <folder>',
        'where files of exports are kept for a day, instead of in the data folder',
      )
      .option('--mail-from <address>', 'the address that mails come from', mailAddress)
      .option(
        '--mail-folder <folder>',
        'where mails are put as files where GATEHOUSE_SMTP does not name a server to send them by, such as smtps://user:password@mail.example.org',
      )
      .option('--upstream <address>', 'the central server or hub that this one follows', serverAddress)
      .option(
        '--device-token <token>',
        'the one-time token of the device that this server is there, for the first start',
      )
      .addOption(
        new Option('--role <role>', 'what this server is there').choices(['station', 'hub']).default('hub'),
      )
      .option(
        '--webhook-network <network>',
        'a network that webhooks may be in though it is not public, such as 10.0.0.0/8; may be given several times',
        network,
        [],
      )
      .option(
        '--updates <place>',
        'the folder, or the address of a web server, with updates of the program for this server and all below it; else they come from upstream',
      )
      .option('--update-itself', 'install updates when nobody is at work; for a server that a package starts')
      // What has started this program knows the package's version, and whether this version is new there.
      .addOption(new Option('--package-version <version>').hideHelp())
      .addOption(new Option('--on-trial').hideHelp())
      .action(serve)
  )
}

/** Where a server is reached from outside, callers are kept within limits unless somebody says otherwise. */
const usualRate = 360

/** What concerns servers that others reach. A token is not for the command line, where others of the machine see it. */
function exposureOf({ rateLimit, url, station, upstream, behindProxy }: Options) {
  const isCentral = station !== true && upstream === undefined
  const rate = rateLimit ?? (url !== undefined && isCentral ? usualRate : 0)
  const token = secretOf('GATEHOUSE_METRICS_TOKEN')
  return {
    ...(rate > 0 ? { rateLimit: rate } : {}),
    // Whoever is reached by https has a proxy in front that holds the certificate.
    behindProxy: behindProxy ?? url?.startsWith('https:') ?? false,
    ...(token ? { metricsToken: token } : {}),
  }
}

/** The upstream server, where one is named. Its token is needed the first time only. */
function upstreamOf({ upstream: url, deviceToken: token, role }: Options) {
  if (url === undefined) return {}
  return { upstream: { url, token: token ?? '', role } }
}

/** What the server has to do with updates of the program. */
function updatesOf(options: Options, install: (update: UpdateToInstall) => void): Config['updates'] {
  const { updates: place, updateItself, packageVersion: base } = options
  const isAddress = place !== undefined && /^https?:\/\//.test(place)
  return {
    folder: folderOf(options),
    ...(place === undefined ? {} : { place: isAddress ? place : resolve(place) }),
    ...(base === undefined ? {} : { base }),
    ...(updateItself && folderIn(addressOption(options)) !== null ? { install } : {}),
  }
}

/** How a server is started: on trial first, at a station so that its screens say why it cannot, or as it is. */
async function begin(options: Options, parts: StartParts, hears: StartHears): Promise<Running | null> {
  if (options.onTrial) return (await import('../trial.ts')).tryThenServe(parts, hears)
  if (options.station) return (await import('../standstill.ts')).startOrSay(parts, hears)
  return (await import('../serve.ts')).startServer(parts.config, parts.env, parts.log)
}

async function serve(options: Options): Promise<void> {
  const { openLog } = await import('../log.ts')
  const key = options.station ? randomBytes(32).toString('base64url') : null
  const database = addressOption(options)
  const mail = mailOf(options)
  const config: Config = {
    database,
    host: options.host,
    port: options.port,
    stationKey: key,
    ...(options.url === undefined ? {} : { publicUrl: options.url }),
    ...(options.exports === undefined ? {} : { exportsFolder: options.exports }),
    ...upstreamOf(options),
    ...exposureOf(options),
    webhookNetworks: options.webhookNetwork,
    updates: updatesOf(options, (update) => void stop(update)),
    ...(mail ? { mail } : {}),
  }
  const log = openLog()
  const systemd = tellSystemd(realEnv, log, process.env)
  let stopping = false
  let hasAnswered = false
  const answersAt = (url: string): void => {
    if (hasAnswered) return
    hasAnswered = true
    systemd.ready()
    print(key === null ? { url } : { url, open: `${url}/open#key=${key}`, key })
  }
  const parts = { config, env: realEnv, log }
  const starting = begin(options, parts, { answersAt, isStopping: () => stopping })
  const stop = (update?: UpdateToInstall): void => {
    if (stopping) return
    stopping = true
    // For the service manager an update is no end.
    if (!update) systemd.stopping()
    if (hasAnswered && !isServing) process.exit(0)
    starting
      .then((running) => running?.close())
      .then(() => (update ? leaveUpdate(folderOf(options), update, log) : undefined))
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  let isServing = false
  for (const ending of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(ending, () => stop())
  // To hear of its end must not keep a server running that could not start.
  process.channel?.unref()
  const running = await starting.catch((cause: unknown) => {
    if (options.onTrial && isDiskFull(cause)) process.exitCode = endedForRoom
    throw listenFailure(cause) ?? dataFailure(cause, database)
  })
  isServing = true
  if (running) answersAt(running.url)
}
