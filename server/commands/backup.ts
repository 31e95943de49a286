import type { Command } from 'commander'
import sql from 'sql-template-tag'
import { openDatabase } from '../data.ts'
import { fileIn, isPostgres } from '../data-address.ts'
import { instantOf, realEnv, waitRunning } from '../env.ts'
import { impossible } from '../errors.ts'
import { isThere, makeFolder } from '../make-folder.ts'
import type { GivenOut } from '../services/operations/restored-database.ts'
import { StrangeDatabase } from '../storage/migrate.ts'
import { dataFailure, sentence } from './failures.ts'
import {
  addressOption,
  type Common,
  dataCommand,
  folderOf,
  print,
  printNotice,
  progressLine,
  span,
  wholeNumber,
} from './options.ts'

/** Adds the commands that keep and bring back a copy of everything. */
export function addBackup(program: Command): void {
  dataCommand(program, 'backup', 'Copy the whole database to one file, also while the server runs.')
    .argument('<file>', 'the file to write, which may not be there yet; with --every or --keep, a folder')
    .option('--every <span>', 'go on making copies in the folder, one each 30m, 6h or 1d', span)
    .option('--keep <count>', 'keep so many copies in the folder, and remove older ones', wholeNumber)
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

const onlyFiles = (): Error =>
  impossible(
    'A PostgreSQL database is copied with its own tools, such as pg_dump. After bringing it back, run "restore" without a file.',
  )

interface BackupOptions extends Common {
  /** Milliseconds. */
  readonly every?: number
  readonly keep?: number
}

async function backup(place: string, options: BackupOptions): Promise<void> {
  if (isPostgres(addressOption(options))) throw onlyFiles()
  if (!(await isThere(fileIn(folderOf(options)))))
    throw impossible(`There is no database in ${folderOf(options)}.`)
  if (options.keep === 0) throw impossible('Keep at least one copy: --keep 1 or more.')
  if (options.every === undefined && options.keep === undefined) {
    if (await isThere(place)) throw impossible(`${place} is there already. Choose a name that is free.`)
    print(await copied(place, options))
  } else await keepCopies(place, options)
}

async function copied(file: string, options: Common) {
  const progress = progressLine(options)
  const { takeCopy } = await import('./kept-copies.ts')
  return takeCopy(fileIn(folderOf(options)), file, (part) =>
    progress(`Copying … ${Math.floor(part * 100)} %`, part === 1),
  ).catch((cause: unknown) => {
    throw dataFailure(cause, folderOf(options))
  })
}

/** Makes a copy in a folder, again and again where that is wanted; one that fails is said, and does not end that. */
async function keepCopies(folder: string, options: BackupOptions): Promise<void> {
  const { every, keep } = options
  const { copyIn, removeOldCopies } = await import('./kept-copies.ts')
  await makeFolder(folder).catch((cause: unknown) => {
    throw impossible(`No copies can be kept in ${folder}: ${sentence(cause)}`)
  })
  const make = async () => {
    const copy = await copied(copyIn(folder, realEnv.now()), options)
    print({ ...copy, removed: keep === undefined ? [] : await removeOldCopies(folder, keep) })
  }
  if (every === undefined) return make()
  for (;;) {
    const next = waitRunning(every)
    await make().catch((cause: unknown) =>
      printNotice(`${instantOf(realEnv.now())} No copy was made: ${sentence(cause)} It is tried again.`),
    )
    await next
  }
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
