import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packPayload } from '../../../../main/package/payload.ts'
import { writeProgram } from '../../../../main/package/program-tree.ts'
import { makeTestKey, signSmall } from './small-release.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const target = { platform: 'linux', arch: process.arch === 'arm64' ? 'arm64' : 'x64' } as const

/** A package of this program as version 0.1.0, and newer versions of it that are published. */
export interface BuiltVersions {
  readonly folder: string
  /** The folder of the installed package's program. */
  readonly base: string
  /** Where newer versions are published. */
  readonly updates: string
  /** The public key that they are signed by. */
  readonly key: string
  /** Publishes the same program in another version, changed, for all stations or so many of a hundred. */
  publish(version: string, change: (program: string) => void, share?: 1 | 100): Promise<void>
  remove(): void
}

/** Makes the package as it would be installed. */
export function buildVersions(): BuiltVersions {
  const key = makeTestKey()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-versions-'))
  const base = join(folder, 'base')
  const updates = join(folder, 'updates')
  writeProgram({ from: root, to: base, target, version: '0.1.0', updateKeys: [key.public] })
  return {
    ...{ folder, base, updates, key: key.public },
    async publish(version, change, share = 100) {
      const program = join(folder, `program-${version}`)
      mkdirSync(program)
      for (const part of ['server', 'schema', 'package.json'])
        cpSync(join(base, part), join(program, part), { recursive: true })
      // These thousands of files are in all versions, and nobody changes them.
      for (const part of ['renderer', 'node_modules'])
        execFileSync('cp', ['-al', join(base, part), join(program, part)])
      const manifest = join(program, 'package.json')
      writeFileSync(
        manifest,
        readFileSync(manifest, 'utf8').replace('"version": "0.1.0"', `"version": "${version}"`),
      )
      change(program)
      await packPayload(program, { output: updates, version, target })
      rmSync(program, { recursive: true })
      signSmall(updates, key.secret, version, { share })
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Has a program bring its database through a further migration. */
export const addTable = (program: string, name: string): void =>
  writeFileSync(
    join(program, 'schema/database', `${name}.sql`),
    `CREATE TABLE added_${name.slice(0, 4)} (id BIGINT);\n`,
  )

/** Has a program end once its migrations are made. */
export function endAfterMigrations(program: string): void {
  const trial = join(program, 'server/trial.js')
  const source = readFileSync(trial, 'utf8')
  const migrated = 'await migrate(database, version);'
  const changed = source.replace(/await migrate\(database, version\)/, `${migrated} process.exit(9)`)
  if (changed === source) throw new Error('There is no such line in the program.')
  writeFileSync(trial, changed)
}
