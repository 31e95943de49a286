import { rm, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import sql from 'sql-template-tag'
import { openDatabase } from '../data.ts'
import { fileIn, isPostgres } from '../data-address.ts'
import { instantOf, realEnv } from '../env.ts'
import { impossible } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'
import type { GivenOut } from '../services/operations/restored-database.ts'
import { StrangeDatabase } from '../storage/migrate.ts'
import { dataFailure } from './failures.ts'
import {
  addressOption,
  type Common,
  dataCommand,
  folderOf,
  print,
  printNotice,
  progressLine,
} from './options.ts'

/** Adds the commands that keep and bring back a copy of everything. */
export function addBackup(program: Command): void {
  dataCommand(program, 'backup', 'Copy the whole database to one file, also while the server runs.')
    .argument('<file>', 'the file to write; it may not be there yet')
    .action(backup)
  dataCommand(program, 'restore', 'Bring a copy back. Stop the server first.')
    .argument(
      '[file]',
      'the file that "backup" wrote; none for PostgreSQL, after its own tools have restored it',
    )
    .option('--replaces <address>', 'the folder or postgres:// address of the data that it replaces')
    .action(restore)
}

interface RestoreOptions extends Common {
  readonly replaces?: string
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

const onlyFiles = (): Error =>
  impossible(
    'A PostgreSQL database is copied with its own tools, such as pg_dump. After bringing it back, run "restore" without a file.',
  )

async function backup(file: string, options: Common): Promise<void> {
  if (isPostgres(addressOption(options))) throw onlyFiles()
  const { copyDatabase, damageOf } = await import('../storage/backup.ts')
  const source = fileIn(folderOf(options))
  if (!(await isThere(source))) throw impossible(`There is no database in ${folderOf(options)}.`)
  if (await isThere(file)) throw impossible(`${file} is there already. Choose a name that is free.`)
  const progress = progressLine(options)
  try {
    const { checkFile } = await import('../storage/sqlite-file.ts')
    await checkFile(source)
    await copyDatabase(source, file, (part) => progress(`Copying … ${Math.floor(part * 100)} %`, part === 1))
    const damage = damageOf(file)
    if (damage !== null)
      throw impossible(`The copy is damaged (${damage}), and so may be the database itself.`)
  } catch (cause) {
    await rm(file, { force: true })
    throw dataFailure(cause, folderOf(options))
  }
  print({ file, bytes: (await stat(file)).size })
}

async function restore(file: string | undefined, options: RestoreOptions): Promise<void> {
  const address = addressOption(options)
  const kept = isPostgres(address) === (file === undefined) ? null : onlyFiles()
  if (kept) throw kept
  const replaced = options.replaces === undefined ? undefined : await givenOutAt(options.replaces)
  const aside = file === undefined ? null : await putBack(file, folderOf(options))
  try {
    const database = await openDatabase(address)
    try {
      const { markRestored } = await import('../services/operations/restored-database.ts')
      const { migrate } = await import('../storage/migrate.ts')
      const { givenOutIn } = await import('../storage/backup.ts')
      await migrate(database)
      const chance = Buffer.from(realEnv.randomBytes(4)).readUInt32BE() / 2 ** 32
      const before = replaced ?? (aside === null ? undefined : givenOutIn(aside))
      await markRestored(database, { epoch: realEnv.uuid(), chance, before })
    } finally {
      await database.close()
    }
  } catch (cause) {
    throw dataFailure(cause, address)
  }
  if (!options.json) {
    if (aside) printNotice(`What was there before is kept as ${aside}.`)
    printNotice(
      'Stations load everything anew when they next reach this server, and tell again what they have done.',
    )
  }
  print({ restored: file ?? address, kept: aside })
}

/** How far the data at an address has come with what it gives out. */
async function givenOutAt(address: string): Promise<GivenOut> {
  const unreadable = (): Error =>
    impossible(`Nothing can be read at ${address}, which is said to be replaced; nothing was changed.`)
  if (!isPostgres(address)) {
    const { givenOutIn } = await import('../storage/backup.ts')
    const found = givenOutIn(fileIn(address))
    if (!found) throw unreadable()
    return found
  }
  const database = await openDatabase(address)
  try {
    const found = await database
      .get<GivenOut>(sql`SELECT next_id, next_site FROM node WHERE id = 1`)
      .catch(() => undefined)
    if (!found) throw unreadable()
    return found
  } finally {
    await database.close()
  }
}

/** Why a file cannot be restored, in a sentence, or null. */
async function troubleWith(file: string): Promise<string | null> {
  const { damageOf } = await import('../storage/backup.ts')
  const { checkFile } = await import('../storage/sqlite-file.ts')
  try {
    await checkFile(file)
    const damage = damageOf(file)
    return damage && `${damage}.`
  } catch (cause) {
    return cause instanceof StrangeDatabase ? cause.message : 'it is not a database.'
  }
}

/** Puts a file in the place of the database of a folder; where what was there is kept, or null. */
async function putBack(file: string, folder: string): Promise<string | null> {
  const { isInUse, putInPlaceOf } = await import('../storage/backup.ts')
  if (!(await isThere(file))) throw impossible(`There is no file ${file}.`)
  const damage = await troubleWith(file)
  if (damage !== null) throw impossible(`${file} cannot be restored: ${damage} Nothing was changed.`)
  const target = fileIn(folder)
  const before = await isThere(target)
  if (before && isInUse(target))
    throw impossible(`A server is running on ${folder}. Stop it first; nothing was changed.`)
  const moment = instantOf(realEnv.now()).slice(0, 19).replaceAll(':', '-')
  const aside = target.replace(/\.sqlite$/, `.before-restoring-${moment}.sqlite`)
  await makeFolder(folder)
  await putInPlaceOf(file, target, aside)
  return before ? aside : null
}
