import type { Command } from 'commander'
import { openDatabase, openToServe } from '../../data.ts'
import { folderIn, publicAddress } from '../../data-address.ts'
import { instantOf, realEnv } from '../../env.ts'
import { impossible } from '../../errors.ts'
import { isThere } from '../../make-folder.ts'
import { openNode } from '../../services/operations/node-identity.ts'
import {
  exportOrganizer,
  openOrganizer,
  organizerHere,
  requireTop,
} from '../../services/organizer-move/export-organizer.ts'
import { importOrganizer } from '../../services/organizer-move/import-organizer.ts'
import type { Database } from '../../storage/database.ts'
import { version } from '../../version.ts'
import { dataFailure } from '../failures.ts'
import {
  addressOption,
  type Common,
  dataCommand,
  print,
  printNotice,
  progressLine,
  withOwnData,
} from '../options.ts'

interface ExportOptions extends Common {
  readonly to?: string
  readonly cancel?: boolean
}

/** Adds the commands that carry one organizer from a central server to another one. */
export function addOrganizerMove(group: Command): void {
  dataCommand(group, 'export', 'Write all of an organizer to a file, to go on with it on another server.')
    .argument('<slug>', 'its short name in addresses')
    .argument('[file]', 'the file to write, which may not be there yet; it holds personal data and keys')
    .option('--to <address>', 'where it goes: whoever still asks here is told')
    .option('--cancel', 'go on with it here: the file was not imported anywhere, and will not be')
    .action(exportIt)
  dataCommand(group, 'import', 'Bring an organizer in that "organizer export" has written.')
    .argument('<file>', 'the file')
    .action(importIt)
}

const now = (): string => instantOf(realEnv.now())

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    realEnv.after(200, resolve)
  })

const percent = (rows: number, all: number): number => Math.floor((rows / Math.max(all, 1)) * 100)

async function exportIt(slug: string, file: string | undefined, options: ExportOptions): Promise<void> {
  if (options.cancel) return reopen(slug, file, options)
  if (file === undefined) throw impossible('Name the file to write, such as: organizer export acme acme.move')
  if (await isThere(file))
    throw impossible(`There is a file ${file} already. Choose another name, or remove it first.`)
  const line = progressLine(options)
  const place = options.to ?? 'another server'
  const { rows } = await withOwnData(options, async ({ database }) => {
    await requireTop(database)
    return exportOrganizer(
      database,
      await organizerHere(database, slug),
      { file, place },
      {
        version,
        now,
        pause,
        waiting: (count) => line(`Waiting for ${count} transactions of servers …`, false),
        progress: (done, all) => line(`Exporting … ${percent(done, all)} %`, done === all),
      },
    )
  })
  if (!options.json)
    printNotice(
      `Nothing of "${slug}" is changed or answered here any more. Bring ${file} to the other server and import it there: organizer import ${file}. It holds personal data, keys and hashes of tokens: remove it afterwards. Should the import fail for good: organizer export ${slug} --cancel`,
    )
  print({ organizer: slug, file, rows, moved_to: place })
}

async function reopen(slug: string, file: string | undefined, options: ExportOptions): Promise<void> {
  if (file !== undefined) throw impossible('With --cancel no file is written: leave it out.')
  await withOwnData(options, async ({ database }) => {
    const { id, moved_to } = await organizerHere(database, slug)
    if (moved_to === null) throw impossible(`"${slug}" was not moved: it is served here.`)
    await openOrganizer(database, id)
  })
  if (!options.json)
    printNotice(
      `"${slug}" is served here again. Remove the file: two servers with the same organizer would contradict each other.`,
    )
  print({ organizer: slug, moved_to: null })
}

/** Works beside the servers of a PostgreSQL; a folder is for one program, since all of it is one long transaction. */
async function withTarget<T>(address: string, work: (database: Database) => Promise<T>): Promise<T> {
  try {
    const { database, release } =
      folderIn(address) === null
        ? { database: await openDatabase(address), release: () => undefined }
        : await openToServe(address)
    try {
      const transactions = await openNode(database, {
        instant: now,
        randomBytes: realEnv.randomBytes,
        uuid: realEnv.uuid,
      })
      const result = await work(database)
      await transactions.release()
      return result
    } finally {
      await database.close()
      release()
    }
  } catch (cause) {
    throw dataFailure(cause, address)
  }
}

async function importIt(file: string, options: Common): Promise<void> {
  if (!(await isThere(file))) throw impossible(`There is no file ${file}.`)
  const address = addressOption(options)
  const line = progressLine(options)
  const imported = await withTarget(address, async (database) => {
    const done = await importOrganizer(database, file, {
      now,
      progress: (what, rows, all) => line(`${what} … ${percent(rows, all)} %`, rows === all),
    })
    if (database.engine === 'postgres') await database.script('ANALYZE;\n')
    return done
  })
  const { slug } = imported.organizer
  if (!options.json) {
    printNotice(
      `"${slug}" is at ${publicAddress(address)} now. Lead the name that its stations and programs know to this server: they go on by themselves. Then remove ${file}.`,
    )
    for (const { email, teams, scheduled_exports: exports } of imported.not_found) {
      if (teams.length > 0)
        printNotice(
          `${email} has no account here. To let them in again: ${teams.map((team) => `user create ${email} --organizer ${slug} --team ${team}`).join('; ')}, or invite them in the team.`,
        )
      if (exports > 0)
        printNotice(`${exports} scheduled exports of ${email}, who has no account here, were left out.`)
    }
  }
  print(imported)
}
