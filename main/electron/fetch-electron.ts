import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Environment } from '../../schema/data-folder.ts'
import type { FetchedElectron } from '../common/choose-screen.ts'
import type { Cancel, ShellClock } from '../common/clock.ts'
import type { ShellLog } from '../common/log.ts'
import { findElectron } from '../common/program-files.ts'

/** What fetching Electron's program needs. */
interface FetchOptions {
  /** The folder in which the package of Electron is installed, without its program. */
  readonly programFolder: string
  readonly env: Environment
  readonly clock: ShellClock
  readonly log: ShellLog
  /** Whether somebody has asked for Electron: then a failure of before is no reason not to try. */
  readonly isAskedFor: boolean
  /** Milliseconds without a byte, and for all of it, after which it is given up. */
  readonly silentFor?: number
  readonly within?: number
}

/** What is used of the library by which Electron's own package fetches its program. */
interface Downloads {
  downloadArtifact(details: {
    readonly version: string
    readonly artifactName: string
    readonly checksums: object
    readonly cacheRoot?: string
    readonly downloadOptions: {
      readonly quiet: boolean
      readonly signal: AbortSignal
      readonly getProgressCallback: (progress: Progress) => void
    }
  }): Promise<string>
}

interface Progress {
  readonly transferred: number
  readonly total: number | null
}

/** After a failure it is not tried by itself for so long: a machine without network starts as quickly as any. */
const restFor = 24 * 3_600_000
const tellEvery = 3000
const megabyte = 1_000_000

/** Where Electron's program is fetched from, as Electron's own package chooses it. */
function hostOf(env: Environment): string {
  const mirror = env.npm_config_electron_mirror ?? env.ELECTRON_MIRROR ?? ''
  return URL.parse(mirror)?.host ?? 'github.com'
}

/** The failure that is remembered, in words; null where there is none, or it is long ago. */
function rememberedFailure(file: string, now: number): string | null {
  try {
    const { at, why }: { at?: unknown; why?: unknown } = JSON.parse(readFileSync(file, 'utf8'))
    const since = now - Number(at)
    return since >= 0 && since < restFor && typeof why === 'string' ? why : null
  } catch {
    return null
  }
}

function remember(file: string, now: number, why: string): void {
  try {
    writeFileSync(file, JSON.stringify({ at: now, why }))
  } catch {
    // Then it is tried again at the next start.
  }
}

/** What went wrong, in words. */
function whyNot(cause: unknown, host: string): string {
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? cause.code : undefined
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `${host} was not found; is there a network?`
  if (code === 'ECONNREFUSED') return `nothing answers at ${host}`
  if (code === 'ENOSPC') return 'the disk is full'
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `its folder cannot be written to`
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return `the connection to ${host} broke off`
  if (/did not match expected checksum/.test(cause.message))
    return `what ${host} sent is not what Electron’s makers published`
  if (cause.name === 'HTTPError') return `${host} does not have it`
  return cause.cause === undefined ? cause.message : whyNot(cause.cause, host)
}

/** Gives a download up that stands still or takes too long. */
function watchDownload({ clock, silentFor = 10_000, within = 300_000 }: FetchOptions, host: string) {
  const giveUp = new AbortController()
  const after = (milliseconds: number, why: string): Cancel =>
    clock.after(milliseconds, () => giveUp.abort(new Error(why)))
  const silent = () => after(silentFor, `${host} has sent nothing for ${silentFor / 1000} s`)
  const cancelLong = after(within, `it takes longer than ${Math.round(within / 60_000)} minutes`)
  let cancelSilent = silent()
  return {
    signal: giveUp.signal,
    heard() {
      cancelSilent()
      cancelSilent = silent()
    },
    end() {
      cancelSilent()
      cancelLong()
    },
  }
}

/** Fetches it into the library's own store of downloads, checked. */
async function download(options: FetchOptions, host: string): Promise<void> {
  const { programFolder, env, clock, log } = options
  const manifest = join(programFolder, 'node_modules', 'electron', 'package.json')
  const require = createRequire(manifest)
  const { version }: { version: string } = require('./package.json')
  const { downloadArtifact }: Downloads = await import(pathToFileURL(require.resolve('@electron/get')).href)
  const watched = watchDownload(options, host)
  let toldAt = clock.now()
  log(`Electron ${version} is fetched from ${host}, this once (about 120 MB) …`)
  try {
    await downloadArtifact({
      ...{ version, artifactName: 'electron', checksums: require('./checksums.json') },
      ...(env.electron_config_cache === undefined ? {} : { cacheRoot: env.electron_config_cache }),
      downloadOptions: {
        quiet: true,
        signal: watched.signal,
        getProgressCallback({ transferred, total }) {
          watched.heard()
          if (clock.now() - toldAt < tellEvery) return
          toldAt = clock.now()
          const of = total === null ? '' : ` of ${Math.round(total / megabyte)}`
          log(`Electron: ${Math.round(transferred / megabyte)}${of} MB`)
        },
      },
    })
  } catch (cause) {
    throw watched.signal.aborted ? watched.signal.reason : cause
  } finally {
    watched.end()
  }
}

/** Has Electron's own package unpack what was fetched, where it expects it. */
async function unpack({ programFolder, env, log }: FetchOptions): Promise<void> {
  log('Electron is unpacked …')
  const child = spawn(process.execPath, [scriptIn(programFolder)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...env },
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-2000)
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`it could not be unpacked: ${said.trim().split('\n')[0] ?? `code ${code}`}`)
}

const scriptIn = (programFolder: string): string =>
  join(programFolder, 'node_modules', 'electron', 'install.js')

/** Whether Electron's package is installed, which brings its program along or can fetch it. */
export const hasElectronPackage = (programFolder: string): boolean => existsSync(scriptIn(programFolder))

/**
 * Fetches Electron's program where its package is installed without it, with progress, and says why where that fails.
 * Throws nothing: a station goes on without Electron.
 */
export async function fetchElectron(options: FetchOptions): Promise<FetchedElectron> {
  const { programFolder, env, clock, isAskedFor } = options
  const folder = join(programFolder, 'node_modules', 'electron')
  const failures = join(folder, 'fetch-failed.json')
  if (!hasElectronPackage(programFolder)) return { why: 'its package is not installed' }
  if (env.ELECTRON_SKIP_BINARY_DOWNLOAD) return { why: 'ELECTRON_SKIP_BINARY_DOWNLOAD forbids to fetch it' }
  const before = isAskedFor ? null : rememberedFailure(failures, clock.now())
  if (before !== null)
    return { why: `${before}; it is tried again after a day, or at once with "npx install-electron"` }
  const host = hostOf(env)
  try {
    await download(options, host)
    await unpack(options)
    rmSync(failures, { force: true })
    const program = findElectron(programFolder, env)
    return program === null ? { why: 'what was fetched has no program in it' } : { program }
  } catch (cause) {
    const why = whyNot(cause, host)
    remember(failures, clock.now(), why)
    return { why }
  }
}
