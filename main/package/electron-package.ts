import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Target, writeProgram } from './program-tree.ts'

/** What the packages with Electron are made of. */
export interface ElectronBuild {
  /** The folder of the sources. */
  readonly from: string
  readonly output: string
  readonly target: Target
  readonly version: string
  /** See ProgramTree. */
  readonly updateKeys?: readonly string[]
  /** The unpacked program of Electron; null where electron-builder is to fetch it. */
  readonly electron: string | null
  /** What is made, instead of all that the kind of system has. */
  readonly targets?: readonly string[]
}

/** What is made for each kind of system, on a machine of that kind. */
const targetsOf = { linux: ['deb', 'rpm', 'AppImage'], win32: ['nsis'], darwin: ['dmg'] } as const
const systems = { linux: '--linux', win32: '--win', darwin: '--mac' } as const

async function runBuilder(from: string, args: readonly string[]): Promise<string | null> {
  const builder = join(from, 'node_modules', 'electron-builder', 'cli.js')
  const child = spawn(process.execPath, [builder, ...args], { cwd: from, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      said = `${said}${text}`.slice(-4000)
      process.stderr.write(text)
    })
  }
  const [code] = await once(child, 'close')
  return code === 0 ? null : said
}

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(ya?ml|blockmap)$/.test(entry.name))
    .map((entry) => join(folder, entry.name))

/**
 * Builds the packages with Electron by electron-builder, and answers their paths. Each kind is tried, whatever became of
 * the ones before; throws a sentence with those that could not be made.
 */
export async function buildElectronPackages(build: ElectronBuild): Promise<readonly string[]> {
  const { from, output, target, version, electron, updateKeys } = build
  const app = join(output, 'app')
  const made = join(output, 'electron')
  rmSync(app, { recursive: true, force: true })
  writeProgram({ from, to: app, target, version, ...(updateKeys ? { updateKeys } : {}) })
  const failed: string[] = []
  for (const kind of build.targets ?? targetsOf[target.platform]) {
    const said = await runBuilder(from, [
      ...[systems[target.platform], kind, `--${target.arch}`, '--publish', 'never'],
      ...[`-c.directories.app=${app}`, `-c.directories.output=${made}`],
      ...(electron === null ? [] : [`-c.electronDist=${electron}`]),
    ])
    if (said !== null) failed.push(kind)
  }
  rmSync(app, { recursive: true, force: true })
  if (failed.length > 0)
    throw new Error(
      `These packages were not made: ${failed.join(', ')}. What electron-builder said above names the reason; ` +
        'it fetches Electron and its tools from GitHub once, unless --electron and its own variables name them.',
    )
  return filesOf(made)
}
