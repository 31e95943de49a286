import type { Command } from 'commander'
import { raw } from 'sql-template-tag'
import { openData, openToServe } from '../data.ts'
import { fileIn, folderIn, publicAddress } from '../data-address.ts'
import { realEnv } from '../env.ts'
import { impossible } from '../errors.ts'
import { isThere } from '../make-folder.ts'
import {
  isUsed,
  markArrived,
  markMoved,
  movedTo,
  othersUsing,
} from '../services/operations/moved-database.ts'
import { epochOf } from '../services/operations/restored-database.ts'
import { copyTables, countAllRows } from '../storage/copy-tables.ts'
import type { Database, Queryable } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { tablesInOrder } from '../storage/table-order.ts'
import { dataFailure } from './failures.ts'
import { addressOption, type Common, dataCommand, print, printNotice, progressLine } from './options.ts'

interface Options extends Common {
  readonly to: string
  readonly cancel?: boolean
}

/** Adds the command that carries everything from SQLite to PostgreSQL, or back. */
export function addMove(program: Command): void {
  dataCommand(
    program,
    'move',
    'Move everything from a folder to a PostgreSQL database, or back. Stop the server first.',
  )
    .requiredOption('--to <address>', 'the folder or postgres:// address that takes the data, empty so far')
    .option('--cancel', 'stay here after a move that did not end')
    .action(move)
}

/** Works on data that no server uses meanwhile. */
async function withUnserved<T>(address: string, work: (database: Database) => Promise<T>): Promise<T> {
  try {
    const { database, release } = await openToServe(address)
    try {
      await migrate(database)
      if ((await othersUsing(database)) > 0)
        throw impossible(
          `Other programs are connected to ${publicAddress(address)}. Stop every server on it first; nothing was moved.`,
        )
      return await work(database)
    } finally {
      await database.close()
      release()
    }
  } catch (cause) {
    throw dataFailure(cause, address)
  }
}

async function move(options: Options): Promise<void> {
  const [source, target] = [addressOption(options), options.to]
  const folders = [source, target].map(folderIn).filter((folder) => folder !== null)
  if (folders.length !== 1)
    throw impossible(
      'Data are moved from a folder to a postgres:// address or from there to a folder. Between two of a kind, use "backup" and "restore", or the tools of PostgreSQL.',
    )
  const folder = folderIn(source)
  if (folder !== null && !(await isThere(fileIn(folder))))
    throw impossible(`There is no database in ${folder}. Name the right folder with --data.`)
  const found = await withUnserved(source, (from) =>
    withUnserved(target, (to) =>
      options.cancel ? stay({ from, to, target }) : carry({ from, to, target }, options),
    ),
  )
  print({ ...found, from: publicAddress(source), to: publicAddress(target) })
}

interface Both {
  readonly from: Database
  readonly to: Database
  readonly target: string
}

const isSame = async (from: Database, to: Database): Promise<boolean> =>
  (await isUsed(to)) && (await epochOf(from)) === (await epochOf(to))

/** Takes back that data were to be moved. */
async function stay({ from, to, target }: Both) {
  if (!(await movedTo(from))) throw impossible('Nothing is being moved from here.')
  if (await isSame(from, to))
    throw impossible(
      `The data are at ${publicAddress(target)} already, and two servers with the same data would contradict each other. Remove them there first.`,
    )
  await markMoved(from, null)
  return { moved: 0 }
}

/** Moves everything, and says so in what is left behind before it begins. */
async function carry(both: Both, options: Options) {
  const { from, to } = both
  const place = publicAddress(both.target)
  const before = await movedTo(from)
  if (before === undefined) throw impossible('There is nothing here that could be moved.')
  if (before !== null && before !== place)
    throw impossible(
      `The data are being moved to ${before} already. Go on with that, or stop it with --cancel.`,
    )
  if (before === place && (await isSame(from, to))) {
    if (!options.json) printNotice(`Everything was moved to ${place} already.`)
    return { moved: 0 }
  }
  if (await isUsed(to)) throw impossible(`There are other data at ${place}. Choose an empty place.`)
  await markMoved(from, place)
  const moved = await copyAll(both, options)
  if (!options.json)
    printNotice(
      `Start the server on ${place} from now on. What is left behind was not changed, and is not served any more; exports and mails that lie in files are not moved.`,
    )
  return { moved }
}

async function copyAll({ from, to }: Both, options: Options): Promise<number> {
  const progress = progressLine(options)
  const tables = await tablesInOrder(from.engine === 'sqlite' ? from : to)
  const all = await countAllRows(from, tables)
  const finish = async (tx: Queryable) => {
    await markArrived(tx)
    // Whoever opens it first makes everything findable, also where that is interrupted.
    await tx.run(raw('CREATE TABLE IF NOT EXISTS search_unfilled (since TEXT)'))
  }
  const moved = await copyTables(from, to, {
    tables,
    finish,
    progress: (rows) => progress(`Moving … ${Math.floor((rows / Math.max(all, 1)) * 100)} %`, rows === all),
  })
  if (!options.json) printNotice('Making orders findable …')
  await (await openData(to, realEnv)).release()
  if (to.engine === 'postgres') await to.script('ANALYZE;\n')
  return moved
}
