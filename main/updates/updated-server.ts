import { join } from 'node:path'
import type { ShellClock } from '../common/clock.ts'
import type { ShellLog } from '../common/log.ts'
import { PROGRAM_FOLDER, SERVER_SCRIPT } from '../common/program-files.ts'
import type { ForkServer } from '../server/server-process.ts'
import { openPrograms, updateKeysOf, versionOf } from './programs.ts'
import { beginTrial, isReadyAt, type Trial } from './trial.ts'

/** What starts the newest good version of the server. */
interface UpdatedOptions {
  readonly dataFolder: string
  /** Starts a script as the server; each shell has its own way to do it. */
  readonly forkScript: (script: string) => ForkServer
  readonly clock: ShellClock
  readonly log: ShellLog
  /** Whether a page is to show that it is alive before a new version is good. */
  readonly needsPage: boolean
  /** The script of the package's own server, where it is another one. */
  readonly script?: string
}

/** A server that is started in its newest good version. */
export interface UpdatedServer {
  readonly fork: ForkServer
  /** The server answers at this address. */
  readonly answersAt: (url: string) => void
  /** The page has asked something of its shell. */
  readonly sawPage: () => void
}

/** Starts the newest good version each time, and goes back from one that does not get healthy. */
export function updatedServer(options: UpdatedOptions): UpdatedServer {
  const { dataFolder, forkScript, clock, log, needsPage, script = SERVER_SCRIPT } = options
  const keys = updateKeysOf(PROGRAM_FOLDER)
  const base = versionOf(PROGRAM_FOLDER)
  const programs = openPrograms({ dataFolder, baseFolder: PROGRAM_FOLDER, base, keys, log, now: clock.now })
  const more = keys.length > 0 ? ['--update-itself', '--package-version', base] : []
  let trial: Trial | null = null

  return {
    fork(args) {
      const program = programs.next()
      const isBase = program.folder === PROGRAM_FOLDER
      const chosen = isBase ? script : join(program.folder, 'server', 'cli.js')
      const child = forkScript(chosen)([...args, ...more, ...(program.isOnTrial ? ['--on-trial'] : [])])
      if (!program.isOnTrial) {
        trial = null
        return child
      }
      const { kill } = child
      const begun = beginTrial({ programs, clock, needsPage, isReady: isReadyAt, kill })
      let wasAsked = false
      child.onExit(({ code }) => begun.ended(wasAsked, code))
      trial = begun
      const terminate = child.terminate
      return Object.assign(child, {
        terminate() {
          wasAsked = true
          terminate()
        },
      })
    },
    answersAt: (url) => trial?.answersAt(url),
    sawPage: () => trial?.sawPage(),
  }
}
