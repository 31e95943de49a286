import { readFile } from 'node:fs/promises'
import { updatesIn } from '../schema/updates/update-files.ts'
import { openToServe } from './data.ts'
import { folderIn } from './data-address.ts'
import type { Env } from './env.ts'
import type { Running } from './serve.ts'
import { answerScreens, type StartHears, type StartParts, startOrSay } from './standstill.ts'
import { migrate } from './storage/migrate.ts'
import { version } from './version.ts'

/** A version on trial that answers. */
interface RunningTrial {
  readonly url: string
  readonly port: number
  /** Resolves once what has started this program has found it to be good. */
  readonly passed: Promise<void>
  /** Gives everything back. */
  close(): Promise<void>
}

const lookEvery = 200

/** Whether the state of a data folder still has a version on trial. */
async function isOnTrial(folder: string): Promise<boolean> {
  try {
    const { trial }: { readonly trial?: unknown } = JSON.parse(
      await readFile(updatesIn(folder).state, 'utf8'),
    )
    return trial !== null && trial !== undefined
  } catch {
    return true
  }
}

/** Waits until what has started this program has found it to be good; gives how to stop waiting. */
function waitForVerdict(folder: string | null, env: Env): { passed: Promise<void>; cancel: () => void } {
  let cancel = (): void => {}
  const passed = new Promise<void>((resolve) => {
    const look = (): void => {
      cancel = env.after(lookEvery, () => {
        void (folder === null ? Promise.resolve(false) : isOnTrial(folder)).then((still) => {
          if (still) look()
          else resolve()
        })
      })
    }
    look()
  })
  return { passed, cancel: () => cancel() }
}

/**
 * Brings the database to this version and answers health and screens alone; no scan, no sale, nothing from below is taken
 * in, and no job runs, until the version is found to be good.
 */
async function startTrial(parts: StartParts): Promise<RunningTrial> {
  const { config, env, log } = parts
  const { database, release } = await openToServe(config.database)
  const end = async (): Promise<void> => {
    await database.close()
    release()
  }
  try {
    await migrate(database, version)
    const shown = await answerScreens({ reason: 'update_trial', version }, parts, database)
    const { passed, cancel } = waitForVerdict(folderIn(config.database), env)
    log.info('on trial', { port: shown.port })
    return {
      ...shown,
      passed,
      async close() {
        cancel()
        await shown.close()
        await end()
      },
    }
  } catch (cause) {
    await end()
    throw cause
  }
}

/** A version on trial until it is found to be good, then the server in its place; null where it was asked to stop. */
export async function tryThenServe(parts: StartParts, hears: StartHears): Promise<Running | null> {
  const trial = await startTrial(parts)
  hears.answersAt(trial.url)
  await trial.passed
  await trial.close()
  if (hears.isStopping()) return null
  return startOrSay({ ...parts, config: { ...parts.config, port: trial.port } }, hears)
}
