import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Contents, readContents } from '../../schema/updates/contents.ts'
import { compareVersions, machineOf, type Release, type ReleaseBuild } from '../../schema/updates/release.ts'
import { readSignedList } from '../../schema/updates/signed-list.ts'
import type { updatesIn } from '../../schema/updates/update-files.ts'
import { removeFolder, renameOver, settleFolder, writeWhole } from './durable-files.ts'

/** What versions are checked against, all of it from the installed package. */
export interface Trust {
  readonly keys: readonly string[]
  /** The version of the package. */
  readonly base: string
}

/** Why a version is not started. */
export class BadVersion extends Error {}

type UpdateFolders = ReturnType<typeof updatesIn>

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Where the program of a version lies. */
export const programIn = (folders: UpdateFolders, version: string): string =>
  join(folders.versions, version, 'program')

/** What a signed list says of a version for this machine. Throws where it may not be started here. */
function signedBuild(text: string, version: string, trust: Trust): ReleaseBuild {
  const list = readSignedList(text, trust.keys)
  if (!list) throw new BadVersion('The list of updates is not signed by a key of this program.')
  const release: Release | undefined = list.releases.find((one) => one.version === version)
  const build = release?.builds[machineOf(process.platform, process.arch)]
  if (!release || !build) throw new BadVersion(`The list of updates has no ${version} for this machine.`)
  if (compareVersions(version, trust.base) <= 0)
    throw new BadVersion(`${version} is not newer than the installed package, which is ${trust.base}.`)
  if (compareVersions(release.minimum, trust.base) > 0)
    throw new BadVersion(`${version} needs the package ${release.minimum} or newer.`)
  if (release.node > Number.parseInt(process.versions.node, 10))
    throw new BadVersion(`${version} needs Node ${release.node}.`)
  return build
}

function checkedBytes(file: string, sha256: string): Buffer {
  const bytes = readFileSync(file)
  if (sha256Of(bytes) !== sha256) throw new BadVersion(`${file} is not what was signed.`)
  return bytes
}

function contentsOf(bytes: Buffer, version: string): Contents {
  const contents = readContents(bytes.toString('utf8'))
  if (contents?.version !== version) throw new BadVersion(`The list of files is not one of ${version}.`)
  return contents
}

function writeProgram(program: string, { files }: Contents, bytes: Buffer): void {
  let at = 0
  const made = new Set<string>()
  for (const [path, size, sha256] of files) {
    const part = bytes.subarray(at, at + size)
    at += size
    if (part.length !== size || sha256Of(part) !== sha256)
      throw new BadVersion(`${path} is not what was signed.`)
    const file = join(program, path)
    const folder = dirname(file)
    if (!made.has(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    made.add(folder)
    // Not waited for until it is on the disk: what a power cut takes is noticed before the next start, and unpacked anew.
    writeFileSync(file, part, { flag: 'wx', mode: 0o600 })
  }
  if (at !== bytes.length) throw new BadVersion('The archive has more in it than was signed.')
}

/**
 * Unpacks a version from its two files, which the server has fetched, checking every file of it; it is there whole or not
 * at all. `list` is the signed list that offers it.
 */
export function unpackVersion(folders: UpdateFolders, version: string, list: string, trust: Trust): void {
  const { contents, archive } = signedBuild(list, version, trust)
  const target = join(folders.versions, version)
  const draft = `${target}.unpacking`
  removeFolder(draft)
  try {
    const listed = checkedBytes(join(folders.files, contents.sha256), contents.sha256)
    const files = contentsOf(listed, version)
    const packed = checkedBytes(join(folders.files, archive.sha256), archive.sha256)
    const size = files.files.reduce((sum, [, one]) => sum + one, 0)
    mkdirSync(join(draft, 'program'), { recursive: true, mode: 0o700 })
    writeProgram(join(draft, 'program'), files, gunzipSync(packed, { maxOutputLength: Math.max(1, size) }))
    writeWhole(join(draft, 'contents.json'), listed.toString('utf8'))
    writeWhole(join(draft, 'list.json'), list)
    removeFolder(target)
    renameOver(draft, target)
    settleFolder(folders.versions)
  } catch (error) {
    removeFolder(draft)
    throw error
  }
}

/**
 * Checks that a version is to the byte what was signed, with nothing added; throws BadVersion with what is wrong. Done
 * before every start, since others may have written to the folder.
 */
export function verifyVersion(folders: UpdateFolders, version: string, trust: Trust): void {
  const folder = join(folders.versions, version)
  const read = (name: string): Buffer => {
    try {
      return readFileSync(join(folder, name))
    } catch {
      throw new BadVersion(`${version} is not whole: it has no ${name}.`)
    }
  }
  const { contents } = signedBuild(read('list.json').toString('utf8'), version, trust)
  const listed = read('contents.json')
  if (sha256Of(listed) !== contents.sha256)
    throw new BadVersion(`The list of files of ${version} was changed.`)
  const { files } = contentsOf(listed, version)
  const program = join(folder, 'program')
  for (const [path, size, sha256] of files) {
    const file = join(program, path)
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (!found?.isFile() || found.size !== size || sha256Of(readFileSync(file)) !== sha256)
      throw new BadVersion(`${path} of ${version} was changed or is missing.`)
  }
  refuseOthers(program, new Set(files.map(([path]) => path)))
}

/** A file that nobody has signed could be found by the program before its own. */
function refuseOthers(program: string, known: ReadonlySet<string>): void {
  for (const entry of readdirSync(program, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue
    const path = relative(program, join(entry.parentPath, entry.name)).split(sep).join('/')
    if (!known.has(path)) throw new BadVersion(`${path} does not belong to it.`)
  }
}
