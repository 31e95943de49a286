import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { billOfMaterials } from './bill-of-materials.ts'

/** A kind of machine that a program is packed for, in Node's words. */
export interface Target {
  readonly platform: 'linux' | 'win32' | 'darwin'
  readonly arch: 'x64' | 'arm64'
}

/** What a packed program is made of. */
export interface ProgramTree {
  /** The folder of the sources, with its dependencies installed and its screens built. */
  readonly from: string
  /** The folder that it is written to. */
  readonly to: string
  readonly target: Target
  /** The number of the release. */
  readonly version: string
  /** The public keys that lists of updates are signed with, where not those of the sources. */
  readonly updateKeys?: readonly string[]
}

interface Manifest {
  readonly name: string
  readonly description: string
  readonly license: string
  readonly author: string
  readonly homepage: string
  readonly dependencies: Readonly<Record<string, string>>
}

interface LockedPackage {
  readonly dev?: boolean
  readonly devOptional?: boolean
}

const sources = ['schema', 'server', 'main'] as const

/** What makes packages, and is of no use in one. */
const packaging = 'main/package'

/** What packages carry along to be built again or read by people, and no program opens. */
const needless =
  /\/(\.bin|\.github)$|\/fonts-(sc|kr)\/fonts\/(?!.*-(Regular|Bold)\.otf$)|\/pdfium\/dist\/(.*base64.*|worker.*|index\.(cjs|esm\.(browser|cdn|worker).*))$|\/(better-sqlite3|node-hid)\/(deps|src|hidapi)$|\.(d\.[cm]?ts|map|md|markdown|gyp|tsbuildinfo)$/

/** The source of a module as JavaScript, line by line where it was, which imports JavaScript. */
export function plainSource(source: string): string {
  return stripTypeScriptTypes(source).replace(/(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g, '$1$2.js$1')
}

const plainName = (name: string): string => name.replace(/\.ts$/, '.js').replace(/\.cts$/, '.cjs')

function writeSources(tree: ProgramTree, folder: string): void {
  mkdirSync(join(tree.to, folder), { recursive: true })
  for (const entry of readdirSync(join(tree.from, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (path === packaging || /\.d\.m?ts$/.test(path)) continue
    const from = join(tree.from, path)
    const to = join(tree.to, plainName(path))
    if (entry.isDirectory()) writeSources(tree, path)
    else if (/\.(ts|cts|mjs)$/.test(path)) writeFileSync(to, plainSource(readFileSync(from, 'utf8')))
    else copyFileSync(from, to)
  }
}

/** Whether a file of a dependency is of use on the machine that is packed for. */
export function isOfUse(path: string, { platform, arch }: Target): boolean {
  const prebuild = /\/prebuilds\/(?:HID(?:_hidraw)?-)?([a-z0-9]+)-([a-z0-9]+?)(-musl)?(?:\.node)?$/.exec(path)
  if (prebuild) return prebuild[1] === platform && prebuild[2] === arch && prebuild[3] === undefined
  return !needless.test(path)
}

/** The folders of what the program depends on, from the list of what is installed. */
function dependencyFolders(from: string): readonly string[] {
  const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    readFileSync(join(from, 'package-lock.json'), 'utf8'),
  )
  return Object.entries(lock.packages)
    .filter(([folder, { dev, devOptional }]) => folder !== '' && !dev && !devOptional)
    .map(([folder]) => folder)
    .filter((folder) => existsSync(join(from, folder)))
}

function writeDependencies({ from, to, target }: ProgramTree): void {
  for (const folder of dependencyFolders(from)) {
    const source = join(from, folder)
    cpSync(source, join(to, folder), {
      recursive: true,
      dereference: true,
      filter(path) {
        const inside = path.slice(source.length)
        // What a dependency has installed for itself is listed on its own.
        return inside === '' || (!inside.startsWith('/node_modules') && isOfUse(path, target))
      },
    })
  }
}

function writeManifest({ from, to, version }: ProgramTree): void {
  const manifest: Manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  const { name, description, license, author, homepage, dependencies } = manifest
  const packed = {
    name,
    version,
    description,
    license,
    author,
    homepage,
    type: 'module',
    main: 'main/index.js',
    desktopName: 'gatehouse-desktop.desktop',
  }
  writeFileSync(join(to, 'package.json'), `${JSON.stringify({ ...packed, dependencies }, null, 2)}\n`)
}

/**
 * Writes the program as it is packed: JavaScript instead of TypeScript, the built screens, and what it depends on as
 * far as the machine needs it. Throws a sentence where the screens are not built.
 */
export function writeProgram(tree: ProgramTree): void {
  const screens = join(tree.from, 'renderer', 'dist')
  if (!existsSync(join(screens, 'index.html')))
    throw new Error('The screens are not built yet: run "npm run build" first.')
  for (const folder of sources) writeSources(tree, folder)
  cpSync(screens, join(tree.to, 'renderer', 'dist'), { recursive: true })
  writeDependencies(tree)
  writeManifest(tree)
  if (tree.updateKeys)
    writeFileSync(
      join(tree.to, 'schema', 'updates', 'keys.json'),
      `${JSON.stringify({ keys: tree.updateKeys })}\n`,
    )
  copyFileSync(join(tree.from, 'LICENSE'), join(tree.to, 'LICENSE'))
  const bill = JSON.stringify(billOfMaterials(tree.from), null, 2)
  writeFileSync(join(tree.to, 'bill-of-materials.json'), `${bill}\n`)
}
