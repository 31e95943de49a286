import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Standstill } from '../schema/updates/standstill.ts'
import type { Config } from './config.ts'
import { fileIn, folderIn } from './data-address.ts'
import type { Env } from './env.ts'
import { createStandstillApp } from './http/standstill.ts'
import type { Log } from './log.ts'
import { type Running, startServer } from './serve.ts'
import { type Database, isDiskFull } from './storage/database.ts'
import { NewerDatabase } from './storage/migrate.ts'
import { checkFile } from './storage/sqlite-file.ts'
import { diskFree } from './sync/node/readiness.ts'
import { version } from './version.ts'

/** A server that answers its screens, and nothing else. */
export interface ScreensOnly {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** Answers screens alone, with why; `database` says how the server is, where it can be used. */
export async function answerScreens(
  standstill: Standstill,
  { config, env, log }: StartParts,
  database: Database | null = null,
): Promise<ScreensOnly> {
  const { stationKey, host } = config
  const server = createServer(createStandstillApp({ standstill, database, env, log, stationKey }).callback())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shown}:${port}`,
    port,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

/** What a start needs. */
export interface StartParts {
  readonly config: Config
  readonly env: Env
  readonly log: Log
}

/** Who hears of a start that takes its time. */
export interface StartHears {
  /** Screens are answered at this address, whatever they are told. */
  readonly answersAt: (url: string) => void
  readonly isStopping: () => boolean
}

/** A server writes at its start, and others write beside it. */
const roomToStart = 64 * 2 ** 20

const lookEvery = 3000

async function standstillOf(cause: unknown, folder: string): Promise<Standstill | null> {
  if (cause instanceof NewerDatabase) {
    const writtenBy = cause.writtenBy === version ? null : cause.writtenBy
    return { reason: 'newer_database', version, written_by: writtenBy }
  }
  if (!isDiskFull(cause)) return null
  const free = (await diskFree(folder)) ?? 0
  return { reason: 'disk_full', version, missing: Math.max(2 ** 20, roomToStart - free) }
}

/** Whether what kept a server from starting is over. */
async function isOver({ reason }: Standstill, folder: string): Promise<boolean> {
  if (reason === 'disk_full') return ((await diskFree(folder)) ?? roomToStart) >= roomToStart
  return checkFile(fileIn(folder)).then(
    () => true,
    () => false,
  )
}

/**
 * Starts the server of a station. Where it cannot start for a reason that a person there can do something about, it says
 * so on its screens, changes nothing, and starts once that is over; null where it was asked to stop before.
 */
export async function startOrSay(parts: StartParts, hears: StartHears): Promise<Running | null> {
  const { config, env, log } = parts
  const folder = folderIn(config.database)
  try {
    return await startServer(config, env, log)
  } catch (cause) {
    const standstill = folder === null ? null : await standstillOf(cause, folder)
    if (folder === null || standstill === null) throw cause
    log.error('not started', { why: String(cause) })
    const shown = await answerScreens(standstill, parts)
    hears.answersAt(shown.url)
    do await new Promise<void>((resolve) => void env.after(lookEvery, resolve))
    while (!hears.isStopping() && !(await isOver(standstill, folder)))
    await shown.close()
    if (hears.isStopping()) return null
    return startOrSay({ ...parts, config: { ...config, port: shown.port } }, hears)
  }
}
