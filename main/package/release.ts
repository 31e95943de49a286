import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isVersion, type Release, type ReleaseList, releaseShares } from '../../schema/updates/release.ts'
import { readSignedList, signList } from '../../schema/updates/signed-list.ts'
import { PROGRAM_FOLDER } from '../common/program-files.ts'
import { buildPayload, payloadsIn } from './payload.ts'

const help = `npm run release -- key FILE
npm run release -- payload --release N [--arch ARCH] [--output DIR] [--update-keys FILE,FILE]
npm run release -- sign --key FILE --release N [--share 1|10|100] [--minimum N] [--days N] [--output DIR]

  key              makes a key that lists are signed with: FILE is the secret half, FILE.pub goes into the program
  payload          makes the files of a release from these sources
  sign             puts a release that lies in the folder into its list, or changes its share, and signs the list
  --release N      the number of the release, such as 1.2.3
  --arch ARCH      x64 or arm64 (default: that of this machine)
  --share N        how many of a hundred stations are offered it (default: 1)
  --minimum N      the oldest installed package that can start it (default: 0.1.0)
  --days N         how long the list is good (default: 90)
  --output DIR     where the files and the list lie (default: dist-updates)`

/** The public half of a secret key in PEM, as the program and `FILE.pub` have it. */
export const publicHalf = (privateKey: string): string =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64')

/** Makes a key; refuses to put one in the place of another. */
export function makeKey(file: string): string {
  if (existsSync(file))
    throw new Error(`${file} is there already. A key that lists were signed with is not replaced.`)
  const { privateKey } = generateKeyPairSync('ed25519')
  const secret = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  writeFileSync(file, secret, { mode: 0o600, flag: 'wx' })
  writeFileSync(`${file}.pub`, `${publicHalf(secret)}\n`)
  return `${file}.pub`
}

/** What a list is made of beside the payloads. */
interface Signing {
  readonly output: string
  /** The secret key in PEM. */
  readonly key: string
  readonly version: string
  readonly share: Release['share']
  readonly minimum: string
  readonly days: number
  readonly now: number
}

function listBefore(file: string, key: string): ReleaseList | null {
  if (!existsSync(file)) return null
  // A list of another key is continued as well: that is how one key follows the other.
  const text = readFileSync(file, 'utf8')
  const list = readSignedList(text, [publicHalf(key)])
  if (list) return list
  const { list: unchecked }: { readonly list: ReleaseList } = JSON.parse(text)
  return { ...unchecked, releases: [] }
}

/** Puts a release whose payloads lie in a folder into the list there, and signs it; the list. */
export function signRelease({ output, key, version, share, minimum, days, now }: Signing): ReleaseList {
  const file = join(output, 'list.json')
  const builds = payloadsIn(output).filter((payload) => payload.version === version)
  if (builds.length === 0) throw new Error(`There is no payload of ${version} in ${output}: make it first.`)
  const before = listBefore(file, key)
  const release: Release = {
    version,
    share,
    minimum,
    node: Number.parseInt(process.versions.node, 10),
    builds: Object.fromEntries(builds.map(({ machine, build }) => [machine, build])),
  }
  const list: ReleaseList = {
    format: 1,
    sequence: (before?.sequence ?? 0) + 1,
    issued: new Date(now).toISOString(),
    expires: new Date(now + days * 86_400_000).toISOString(),
    releases: [...(before?.releases ?? []).filter((one) => one.version !== version), release],
  }
  writeFileSync(`${file}.new`, signList(list, key))
  renameSync(`${file}.new`, file)
  return list
}

/** The public keys in files, as `FILE,FILE` names them. */
export const keysIn = (files: string): readonly string[] =>
  files.split(',').map((file) => readFileSync(file, 'utf8').trim())

async function run(args: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      arch: { type: 'string', default: process.arch },
      release: { type: 'string', default: '' },
      output: { type: 'string', default: 'dist-updates' },
      key: { type: 'string', default: '' },
      share: { type: 'string', default: '1' },
      minimum: { type: 'string', default: '0.1.0' },
      days: { type: 'string', default: '90' },
      'update-keys': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [what, file] = positionals
  const output = resolve(values.output)
  if (what === 'key' && file) return `${makeKey(resolve(file))}: put this one into the program.`
  if (values.help || (what !== 'payload' && what !== 'sign')) return help
  const { release: version, arch, minimum } = values
  if (!isVersion(version))
    throw new Error(`--release is a number such as 1.2.3, and not ${version || 'missing'}.`)
  if (what === 'payload') {
    if (arch !== 'x64' && arch !== 'arm64') throw new Error(`--arch is x64 or arm64, and not ${arch}.`)
    const updateKeys =
      values['update-keys'] === undefined ? {} : { updateKeys: keysIn(values['update-keys']) }
    const target = { platform: 'linux', arch } as const
    const { build } = await buildPayload({ from: PROGRAM_FOLDER, output, target, version, ...updateKeys })
    return `${join(output, build.archive.name)} (${Math.round(build.archive.size / 1e6)} MB)`
  }
  const share = releaseShares.find((one) => String(one) === values.share)
  if (share === undefined) throw new Error(`--share is 1, 10 or 100, and not ${values.share}.`)
  if (!isVersion(minimum)) throw new Error(`--minimum is a number such as 1.2.3, and not ${minimum}.`)
  const days = Number(values.days)
  if (!Number.isInteger(days) || days < 1 || days > 400)
    throw new Error(`--days is a number from 1 to 400, and not ${values.days}.`)
  if (values.key === '') throw new Error('Say with --key which secret key signs.')
  const key = readFileSync(resolve(values.key), 'utf8')
  const list = signRelease({ output, key, version, share, minimum, days, now: Date.now() })
  return `${join(output, 'list.json')}: list ${list.sequence} offers ${version} to ${share} of 100 stations until ${list.expires}.`
}

if (import.meta.main)
  run(process.argv.slice(2)).then(
    (said) => console.log(said),
    (error: Error) => {
      console.error(error.message)
      process.exitCode = 1
    },
  )
