import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { defaultDataFolder, type Environment } from '../../schema/data-folder.ts'
import { realClock } from '../common/clock.ts'
import { logToStderr } from '../common/log.ts'
import { PROGRAM_FOLDER } from '../common/program-files.ts'
import { openPrograms, type Program, type Programs, updateKeysOf, versionOf } from './programs.ts'
import { beginTrial, isReadyAt } from './trial.ts'

/** What of the command line says how the program itself is chosen. */
interface ChosenBy {
  readonly dataFolder: string
  /** Whether it is the server, and is to update itself. */
  readonly isUpdatingServer: boolean
}

/** Reads that of a command line; what else there is belongs to the commands. */
export function readChoice(args: readonly string[], env: Environment): ChosenBy {
  const { values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    options: { data: { type: 'string' }, config: { type: 'string' }, 'update-itself': { type: 'boolean' } },
  })
  const inFile = typeof values.config === 'string' ? settingsIn(values.config) : {}
  const data = typeof values.data === 'string' ? values.data : inFile.data
  return {
    dataFolder: typeof data === 'string' ? data : defaultDataFolder(process.platform, env, homedir()),
    isUpdatingServer:
      positionals[0] === 'serve' && (values['update-itself'] === true || inFile['update-itself'] === true),
  }
}

/** The options in a file; the command itself says what is wrong with one that cannot be read. */
function settingsIn(file: string): { readonly data?: unknown; readonly 'update-itself'?: unknown } {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The versions on a data folder, with what the package trusts. */
export const programsOn = (dataFolder: string): Programs =>
  openPrograms({
    dataFolder,
    baseFolder: PROGRAM_FOLDER,
    base: versionOf(PROGRAM_FOLDER),
    keys: updateKeysOf(PROGRAM_FOLDER),
    log: logToStderr,
    now: realClock.now,
  })

/** The environment of the server: systemd watches whoever feeds its watchdog, which is the server itself. */
function environment(): NodeJS.ProcessEnv {
  const { WATCHDOG_PID: _, ...env } = process.env
  return env
}

/**
 * Runs a server without a screen in its newest good version until it ends for another reason than an update; answers how
 * it ended. Signals are passed on to it.
 */
export async function runUpdatingServer(args: readonly string[], programs: Programs): Promise<number> {
  let stop: (signal: NodeJS.Signals) => void = () => {}
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      isStopping = true
      stop(signal === 'SIGHUP' ? 'SIGTERM' : signal)
    })
  for (;;) {
    const code = await runOnce(args, programs.next(), programs, {
      isStopping: () => isStopping,
      onStop: (act) => {
        stop = act
      },
    })
    if (isStopping || code !== null) return code ?? 0
  }
}

/** Asks a server to end in order: Windows knows no signal for that, and a closed channel says the same there. */
export function stopInOrder(
  child: Pick<ChildProcess, 'kill' | 'connected' | 'disconnect'>,
  signal: NodeJS.Signals,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform !== 'win32') child.kill(signal)
  else if (child.connected) child.disconnect()
}

interface Stopping {
  readonly isStopping: () => boolean
  readonly onStop: (act: (signal: NodeJS.Signals) => void) => void
}

/** Runs it once; null where another version is to be started now. */
async function runOnce(
  args: readonly string[],
  program: Program,
  programs: Programs,
  { isStopping, onStop }: Stopping,
): Promise<number | null> {
  const script = join(program.folder, 'server', `cli${import.meta.url.slice(-3)}`)
  const more = ['--package-version', versionOf(PROGRAM_FOLDER), ...(program.isOnTrial ? ['--on-trial'] : [])]
  const child = spawn(process.execPath, [script, ...args, ...more], {
    // By the channel the server notices that this program is gone, even one that was killed, and stops.
    stdio: ['inherit', 'pipe', 'inherit', 'ipc'],
    env: environment(),
  })
  onStop((signal) => stopInOrder(child, signal))
  const trial = program.isOnTrial
    ? beginTrial({
        programs,
        clock: realClock,
        needsPage: false,
        isReady: isReadyAt,
        kill: () => child.kill('SIGKILL'),
      })
    : null
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      process.stdout.write(`${line}\n`)
      const url = /^\{"url":"([^"]+)"/.exec(line)?.[1]
      if (url !== undefined) trial?.answersAt(url)
    })
  const [code, signal] = await once(child, 'exit')
  trial?.ended(isStopping(), typeof code === 'number' ? code : null)
  if (trial !== null || programs.hasWanted()) return isStopping() ? Number(code ?? 0) : null
  return typeof code === 'number' ? code : signal === null ? 0 : 1
}
