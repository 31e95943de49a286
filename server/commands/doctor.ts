import type { Command } from 'commander'
import { folderIn } from '../data-address.ts'
import { realEnv } from '../env.ts'
import { makeFolder } from '../make-folder.ts'
import { version } from '../version.ts'
import type { Finding } from './doctor-checks.ts'
import {
  addressOption,
  type Common,
  dataCommand,
  portNumber,
  print,
  printNotice,
  serverAddress,
} from './options.ts'
import { secretOf } from './secrets.ts'

interface Options extends Common {
  readonly host: string
  readonly port: number
  readonly url?: string
  readonly upstream?: string
}

/** Adds the command that looks whether this machine can run a server, and says what to do where it cannot. */
export function addDoctor(program: Command): void {
  dataCommand(
    program,
    'doctor',
    'Look whether this machine can run a server: disk, database, port, clock, mail, certificate; ends with 1 where it cannot.',
  )
    .option('--host <address>', 'address that the server listens on', '127.0.0.1')
    .option('--port <number>', 'port that the server listens on', portNumber, 8000)
    .option(
      '--url <address>',
      'the address by which people reach it, whose certificate is looked at',
      serverAddress,
    )
    .option('--upstream <address>', 'the server to compare the clock with', serverAddress)
    .action(examine)
}

const marks: Readonly<Record<Finding['state'], string>> = { well: 'ok  ', look: 'LOOK', bad: 'BAD ' }

async function examine(options: Options): Promise<void> {
  const findings: Finding[] = []
  for (const check of await checksFor(options)) {
    const finding = await check()
    findings.push(finding)
    if (!options.json) printNotice(`${marks[finding.state]} ${finding.check}: ${finding.text}`)
  }
  const isWell = findings.every(({ state }) => state !== 'bad')
  print({ well: isWell, version, node: process.versions.node, findings })
  if (!isWell) process.exitCode = 1
}

async function checksFor(options: Options): Promise<(() => Promise<Finding>)[]> {
  const checks = await import('./doctor-checks.ts')
  const address = addressOption(options)
  const folder = folderIn(address)
  const { host, port, url, upstream } = options
  const smtp = secretOf('GATEHOUSE_SMTP')
  return [
    ...(folder === null
      ? []
      : [
          async () => {
            // What cannot be made is said by the look at it.
            await makeFolder(folder).catch(() => undefined)
            return checks.checkDisk(folder)
          },
        ]),
    () => checks.checkDatabase(address),
    () => checks.checkPort(host, port, realEnv),
    ...(upstream === undefined ? [] : [() => checks.checkClock(upstream, realEnv)]),
    ...(smtp === undefined ? [] : [() => checks.checkMail(smtp)]),
    ...(url?.startsWith('https:') ? [() => checks.checkCertificate(url, realEnv)] : []),
  ]
}

/** Milliseconds within which a server that is well has answered. */
const answersWithin = 4000

/** Adds the command that asks a running server whether it can do its work; it ends with 1 where it cannot. */
export function addHealth(program: Command): void {
  program
    .command('health')
    .description(
      'Ask a running server whether it can do its work, as containers do; ends with 1 where it cannot.',
    )
    .option('--server <address>', 'where it listens', serverAddress, 'http://127.0.0.1:8000')
    .action(async ({ server }: { server: string }) => {
      const trouble = await troubleOf(server)
      printNotice(trouble ?? `${server} is well.`)
      if (trouble !== null) process.exitCode = 1
    })
}

/** What keeps a server from its work, as a sentence; null for nothing. */
async function troubleOf(server: string): Promise<string | null> {
  try {
    const answer = await realEnv.fetch(`${server}/readyz`, { signal: AbortSignal.timeout(answersWithin) })
    const said = (await answer.text()).trim()
    return answer.ok ? null : `${server} cannot do its work (${answer.status}): ${said}`
  } catch {
    return `${server} does not answer. Start it, or name its address with --server.`
  }
}
