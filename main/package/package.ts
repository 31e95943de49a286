import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PROGRAM_FOLDER } from '../common/program-files.ts'
import { buildDebianPackage, debianPackages } from './debian-package.ts'
import { buildElectronPackages } from './electron-package.ts'
import { nodeProgram } from './node-program.ts'
import { type Target, writeProgram } from './program-tree.ts'
import { keysIn } from './release.ts'

const packages = [...debianPackages, 'electron'] as const

/** What can be asked for: the packages, and the program in a folder, as containers take it. */
const kinds = [...packages, 'program'] as const
type Kind = (typeof kinds)[number]

const help = `npm run package -- [options] [kind ...]

  kinds            ${packages.join(', ')}; all of these where none is named;
                   program: the folder that containers take
  --arch ARCH      x64 or arm64 (default: that of this machine)
  --release N      the number of the release (default: that of package.json)
  --output DIR     where packages are put (default: dist-package)
  --update-keys FILE,FILE  the public keys that lists of updates are signed with (default: those of the sources)
  --electron DIR   the unpacked program of Electron (default: electron-builder fetches it)
  --help           this text`

interface Order {
  readonly kinds: readonly Kind[]
  readonly target: Target
  readonly version: string
  readonly output: string
  readonly electron: string | null
  readonly updateKeys: readonly string[] | null
}

function versionOfSources(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(PROGRAM_FOLDER, 'package.json'), 'utf8'),
  )
  return manifest.version
}

function readOrder(args: readonly string[]): Order | null {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      arch: { type: 'string', default: process.arch },
      release: { type: 'string', default: versionOfSources() },
      output: { type: 'string', default: 'dist-package' },
      electron: { type: 'string' },
      'update-keys': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return null
  const unknown = positionals.find((name) => !kinds.some((kind) => kind === name))
  if (unknown !== undefined) throw new Error(`There is no package ${unknown}; there are ${kinds.join(', ')}.`)
  if (values.arch !== 'x64' && values.arch !== 'arm64')
    throw new Error(`--arch is x64 or arm64, and not ${values.arch}.`)
  if (!/^\d+\.\d+\.\d+$/.test(values.release))
    throw new Error(`--release is a number such as 1.2.3, and not ${values.release}.`)
  return {
    kinds: positionals.length === 0 ? packages : kinds.filter((kind) => positionals.includes(kind)),
    target: { platform: 'linux', arch: values.arch },
    version: values.release,
    output: resolve(values.output),
    electron: values.electron === undefined ? null : resolve(values.electron),
    updateKeys: values['update-keys'] === undefined ? null : keysIn(values['update-keys']),
  }
}

async function makePackages({ kinds, ...order }: Order): Promise<void> {
  mkdirSync(order.output, { recursive: true })
  for (const kind of kinds) {
    console.error(`Packing ${kind} ${order.version} for ${order.target.arch} …`)
    for (const file of await make(kind, order))
      console.log(`${file} (${Math.round(statSync(file).size / 1e6)} MB)`)
  }
}

async function make(kind: Kind, order: Omit<Order, 'kinds'>): Promise<readonly string[]> {
  const { target, version, output, electron, updateKeys } = order
  const from = PROGRAM_FOLDER
  const keys = updateKeys === null ? {} : { updateKeys }
  if (kind === 'electron') return buildElectronPackages({ from, output, target, version, electron, ...keys })
  if (kind !== 'program')
    return [
      buildDebianPackage({
        name: kind,
        from,
        output,
        target,
        version,
        node: nodeProgram(target, output),
        ...keys,
      }),
    ]
  const to = join(output, 'program')
  rmSync(to, { recursive: true, force: true })
  writeProgram({ from, to, target, version, ...keys })
  console.log(to)
  return []
}

try {
  const order = readOrder(process.argv.slice(2))
  if (order === null) console.log(help)
  else await makePackages(order)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
