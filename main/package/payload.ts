import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Contents, type ContentsEntry, readContents } from '../../schema/updates/contents.ts'
import { machineOf, type ReleaseBuild, type ReleaseFile } from '../../schema/updates/release.ts'
import { type Target, writeProgram } from './program-tree.ts'

/** A release for one kind of machine, made and to be signed; lies beside its two files. */
export interface Payload {
  readonly version: string
  readonly machine: string
  readonly build: ReleaseBuild
}

/** What the files of a payload end in. */
export const payloadEnding = '.release.json'

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

function entriesOf(program: string): readonly ContentsEntry[] {
  return readdirSync(program, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => {
      const bytes = readFileSync(file)
      return [relative(program, file).split(sep).join('/'), bytes.length, sha256Of(bytes)] as const
    })
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

async function* bytesOf(program: string, { files }: Contents): AsyncGenerator<Buffer> {
  for (const [path] of files) for await (const part of createReadStream(join(program, path))) yield part
}

function described(output: string, name: string): ReleaseFile {
  const bytes = readFileSync(join(output, name))
  return { name, size: bytes.length, sha256: sha256Of(bytes) }
}

/** Makes the files of a release of a program's folder, and answers what a list says of them. */
export async function packPayload(
  program: string,
  { output, target, version }: { readonly output: string; readonly target: Target; readonly version: string },
): Promise<Payload> {
  const machine = machineOf(target.platform, target.arch)
  const name = `gatehouse_${version}_${machine}`
  const contents: Contents = { version, files: entriesOf(program) }
  const text = JSON.stringify(contents)
  if (readContents(text) === null)
    throw new Error('The program has a file whose name cannot be in an update.')
  mkdirSync(output, { recursive: true })
  writeFileSync(join(output, `${name}.contents.json`), text)
  await pipeline(
    bytesOf(program, contents),
    createGzip({ level: 9 }),
    createWriteStream(join(output, `${name}.gz`)),
  )
  const migrations = readdirSync(join(program, 'schema', 'database')).filter((one) => one.endsWith('.sql'))
  const payload: Payload = {
    version,
    machine,
    build: {
      contents: described(output, `${name}.contents.json`),
      archive: described(output, `${name}.gz`),
      unpacked: contents.files.reduce((sum, [, size]) => sum + Math.ceil(size / 4096) * 4096, 0),
      migration: migrations.sort().at(-1) ?? '',
    },
  }
  writeFileSync(join(output, `${name}${payloadEnding}`), `${JSON.stringify(payload, null, 1)}\n`)
  return payload
}

/** Makes a release of the sources: the server, the screens, and what they depend on; the shell is the package's own. */
export async function buildPayload(build: {
  readonly from: string
  readonly output: string
  readonly target: Target
  readonly version: string
  readonly updateKeys?: readonly string[]
}): Promise<Payload> {
  const program = join(build.output, `payload-${build.version}`)
  rmSync(program, { recursive: true, force: true })
  writeProgram({ ...build, to: program })
  rmSync(join(program, 'main'), { recursive: true })
  const payload = await packPayload(program, build)
  rmSync(program, { recursive: true, force: true })
  return payload
}

/** The payloads that lie in a folder, whose files are still what was made. */
export function payloadsIn(folder: string): readonly Payload[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(payloadEnding))
    .map((name) => {
      const payload: Payload = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      for (const file of [payload.build.contents, payload.build.archive])
        if (
          statSync(join(folder, file.name)).size !== file.size ||
          described(folder, file.name).sha256 !== file.sha256
        )
          throw new Error(`${file.name} is not what was made: make the payload again.`)
      return payload
    })
}
