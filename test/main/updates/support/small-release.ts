import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Payload, packPayload } from '../../../../main/package/payload.ts'
import { publicHalf, signRelease } from '../../../../main/package/release.ts'
import type { ReleaseList } from '../../../../schema/updates/release.ts'
import { updatesIn } from '../../../../schema/updates/update-files.ts'

/** A key of this run. */
export function makeTestKey(): { readonly secret: string; readonly public: string } {
  const secret = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  return { secret, public: publicHalf(secret) }
}

const arch = process.arch === 'arm64' ? 'arm64' : 'x64'

/** Makes a release of a program of a few files, quickly. */
export function packSmall(output: string, version: string): Promise<Payload> {
  const program = join(output, `small-${version}`)
  for (const folder of ['server', 'schema/database']) mkdirSync(join(program, folder), { recursive: true })
  writeFileSync(join(program, 'package.json'), JSON.stringify({ version, type: 'module' }))
  writeFileSync(join(program, 'server', 'cli.js'), `console.log(${JSON.stringify(version)})\n`)
  writeFileSync(join(program, 'schema', 'database', '0001-first.sql'), '-- nothing\n')
  return packPayload(program, { output, version, target: { platform: 'linux', arch } })
}

/** Signs what lies in a folder for all stations. */
export const signSmall = (
  output: string,
  key: string,
  version: string,
  more: {
    readonly now?: number
    readonly days?: number
    readonly minimum?: string
    readonly share?: 1 | 100
  } = {},
): ReleaseList =>
  signRelease({ output, key, version, share: 100, minimum: '0.1.0', days: 90, now: Date.now(), ...more })

/** Puts the files of a release where the server puts what it has fetched, and asks for it to be installed. */
export function leaveWanted(
  output: string,
  dataFolder: string,
  { version, build }: Payload,
  hasCopy = false,
): void {
  const { files, wanted } = updatesIn(dataFolder)
  mkdirSync(files, { recursive: true })
  for (const { name, sha256 } of [build.contents, build.archive])
    copyFileSync(join(output, name), join(files, sha256))
  const list = readFileSync(join(output, 'list.json'), 'utf8')
  writeFileSync(wanted, JSON.stringify({ version, list, hasCopy }))
}
