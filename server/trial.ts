import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { updatesIn } from '../schema/updates/update-files.ts'
import type { Config } from './config.ts'
import { openToServe } from './data.ts'
import { folderIn } from './data-address.ts'
import type { Env } from './env.ts'
import { createTrialApp } from './http/on-trial.ts'
import type { Log } from './log.ts'
import { migrate } from './storage/migrate.ts'

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

/**
 * Brings the database to this version and answers health and screens alone; no scan, no sale, nothing from below is taken
 * in, and no job runs, until the version is found to be good.
 */
export async function startTrial(config: Config, env: Env, log: Log): Promise<RunningTrial> {
  const { database, release } = await openToServe(config.database)
  const folder = folderIn(config.database)
  const end = async (): Promise<void> => {
    await database.close()
    release()
  }
  try {
    await migrate(database)
    const app = createTrialApp({ database, env, log, stationKey: config.stationKey })
    const server = createServer(app.callback())
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(config.port, config.host, resolve)
    })
    const { port } = server.address() as AddressInfo
    const shown =
      config.host === '0.0.0.0' ? '127.0.0.1' : config.host.includes(':') ? `[${config.host}]` : config.host
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
    log.info('on trial', { port })
    return {
      url: `http://${shown}:${port}`,
      port,
      passed,
      async close() {
        cancel()
        server.closeAllConnections()
        await new Promise<void>((resolve) => void server.close(() => resolve()))
        await end()
      },
    }
  } catch (cause) {
    await end()
    throw cause
  }
}
