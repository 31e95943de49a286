import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../crash/bad-days/own-postgres.ts'
import { until } from '../../support/servers/nodes.ts'

/** A print server of a test's own: Debian's CUPS on this machine alone, with a folder of its own. */
export interface OwnCups {
  /** Where a queue is printed at. */
  addressOf(queue: string): string
  /** Makes a queue that hands what it is sent to a printer at a port of this machine, as it is. */
  addQueue(queue: string, port: number): void
  /** Runs one of its commands, such as `cupsdisable`. */
  run(command: string, ...args: readonly string[]): void
  close(): Promise<void>
}

const files = (folder: string): string => `
ServerRoot ${folder}/root
StateDir ${folder}/state
CacheDir ${folder}/cache
RequestRoot ${folder}/spool
TempDir ${folder}/spool/tmp
ErrorLog ${folder}/log
AccessLog ${folder}/access
PageLog ${folder}/pages
Sandboxing relaxed
User lp
Group lp
SystemGroup root
`

const server = (port: number): string => `
Listen 127.0.0.1:${port}
LogLevel info
Browsing No
WebInterface No
DefaultAuthType None
<Location />
  Order allow,deny
  Allow from 127.0.0.1
</Location>
<Policy default>
  JobPrivateAccess all
  JobPrivateValues none
  <Limit All>
    Order deny,allow
  </Limit>
</Policy>
`

/** Starts one; it needs to be started by root. */
export async function startCups(): Promise<OwnCups> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cups-'))
  chmodSync(folder, 0o755)
  for (const name of ['root', 'state', 'cache', 'spool', 'spool/tmp']) mkdirSync(join(folder, name))
  execFileSync('chown', ['-R', 'lp:lp', join(folder, 'state'), join(folder, 'cache'), join(folder, 'spool')])
  const port = await freePort()
  writeFileSync(join(folder, 'cups-files.conf'), files(folder))
  writeFileSync(join(folder, 'cupsd.conf'), server(port))
  const started = ['-f', '-c', join(folder, 'cupsd.conf'), '-s', join(folder, 'cups-files.conf')]
  const child: ChildProcess = spawn('/usr/sbin/cupsd', started, { stdio: 'ignore' })
  const run = (command: string, ...args: readonly string[]): void => {
    execFileSync(command, ['-h', `127.0.0.1:${port}`, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  }
  const answers = (): boolean => {
    try {
      run('lpstat', '-r')
      return true
    } catch {
      if (child.exitCode !== null)
        throw new Error(`cupsd has ended: ${readFileSync(join(folder, 'log'), 'utf8')}`)
      return false
    }
  }
  await until('the print server answers', answers)
  return {
    addressOf: (queue) => `ipp://127.0.0.1:${port}/printers/${queue}`,
    addQueue: (queue, printer) =>
      run('lpadmin', '-p', queue, '-E', '-v', `socket://127.0.0.1:${printer}/?waiteof=false`, '-m', 'raw'),
    run,
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill()
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
