import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type ProgramTree, type Target, writeProgram } from './program-tree.ts'

/** The packages for Debian: a server without a screen, and a station with Chromium as its screen. */
export const debianPackages = ['gatehouse-server', 'gatehouse-station'] as const

/** One of them. */
export type DebianPackage = (typeof debianPackages)[number]

/** What a package for Debian is made of. */
export interface DebianBuild {
  readonly name: DebianPackage
  /** The folder of the sources. */
  readonly from: string
  /** Where the package is put, and a folder that it is put together in. */
  readonly output: string
  readonly target: Target
  /** The program of Node for the target. */
  readonly node: string
  readonly version: string
  /** See ProgramTree. */
  readonly updateKeys?: readonly string[]
}

const architectures = { x64: 'amd64', arm64: 'arm64' } as const

/** Kilobytes of a folder, as Debian counts them. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return files.reduce(
    (sum, file) =>
      sum + (file.isFile() ? Math.ceil(statSync(join(file.parentPath, file.name)).size / 1024) : 1),
    0,
  )
}

/** Programs may be run, settings with passwords are root's alone, everything else is for everybody to read. */
function modeOf(path: string, isFolder: boolean): number {
  if (isFolder) return 0o755
  if (/^\/(DEBIAN\/(post|pre)|usr\/bin\/|usr\/lib\/[\w-]+\/node$)/.test(path)) return 0o755
  return path.startsWith('/etc/default/') ? 0o600 : 0o644
}

function setModes(stage: string): void {
  for (const entry of readdirSync(stage, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, modeOf(path.slice(stage.length), entry.isDirectory()))
  }
  chmodSync(stage, 0o755)
}

/** What Debian's packages bring for people: who may use it, what is new, and how it is run. */
function writeDocuments(from: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(from, 'LICENSE'), join(folder, 'copyright'))
  copyFileSync(join(from, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'))
  copyFileSync(join(from, 'docs', 'operations.md'), join(folder, 'operations.md'))
}

function writeControl(stage: string, { target, version }: DebianBuild): void {
  const path = join(stage, 'DEBIAN', 'control')
  const control = readFileSync(path, 'utf8')
    .replace('@VERSION@', version)
    .replace('@ARCH@', architectures[target.arch])
    .replace('@SIZE@', String(sizeOf(stage)))
  writeFileSync(path, control)
}

/** Builds a package by Debian's own `dpkg-deb`, and answers its path. */
export function buildDebianPackage(build: DebianBuild): string {
  const { name, from, output, target, version, node, updateKeys } = build
  const stage = join(output, `${name}-tree`)
  rmSync(stage, { recursive: true, force: true })
  const program = join(stage, 'usr', 'lib', name)
  cpSync(join(from, 'main', 'package', 'debian', name), stage, { recursive: true })
  const tree: ProgramTree = {
    from,
    to: join(program, 'app'),
    target,
    version,
    ...(updateKeys ? { updateKeys } : {}),
  }
  writeProgram(tree)
  copyFileSync(node, join(program, 'node'))
  writeDocuments(from, join(stage, 'usr', 'share', 'doc', name))
  writeControl(stage, build)
  setModes(stage)
  const file = join(output, `${name}_${version}_${architectures[target.arch]}.deb`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z6', '--build', stage, file], { stdio: 'pipe' })
  rmSync(stage, { recursive: true, force: true })
  return file
}
