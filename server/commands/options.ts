import { homedir } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import { defaultDataFolder } from '../../schema/data-folder.ts'
import { fileIn, folderIn, isPostgres } from '../data-address.ts'
import { realEnv } from '../env.ts'
import { impossible } from '../errors.ts'
import { isThere } from '../make-folder.ts'
import type { Transactions } from '../resource/transactions.ts'
import { dataFailure } from './failures.ts'
import { secretOf } from './secrets.ts'

/** Where a command finds its data, and how it answers. */
export interface Common {
  readonly data?: string
  readonly database?: string
  readonly json?: boolean
}

/** The data folder that a command uses for files of its own. */
export const folderOf = (options: Common): string =>
  options.data ?? defaultDataFolder(process.platform, process.env, homedir())

/** The database that a command works on; its address may hold a password, so the environment or a file may name it. */
export function addressOption(options: Common): string {
  if (options.database !== undefined) return options.database
  const named = options.data === undefined ? secretOf('GATEHOUSE_DATABASE') : undefined
  if (named === undefined) return folderOf(options)
  if (!isPostgres(named))
    throw impossible('GATEHOUSE_DATABASE is not an address like postgres://user@host/name.')
  return named
}

/** Prints a result as one line of JSON. */
export const print = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

/** Says something to the person at the terminal, beside the result. */
export const printNotice = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** A line at the terminal that says how far a long task is, at most once a second; nothing where nobody looks. */
export function progressLine(options: Common): (text: string, last: boolean) => void {
  const quiet = options.json === true
  let shown = realEnv.elapsed()
  return (text, last) => {
    if (quiet || (!last && realEnv.elapsed() - shown < 1000)) return
    shown = realEnv.elapsed()
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}${last ? '\n' : ''}` : `${text}\n`)
  }
}

/** Refuses a folder in which there is no database: a command that only looks has nothing to do there. */
async function requireData(options: Common): Promise<void> {
  const folder = folderIn(addressOption(options))
  if (folder === null) return
  if (!(await isThere(fileIn(folder))))
    throw impossible(`There is no database in ${folder}. Name the right folder with --data.`)
}

/** The same as `withData` for commands that look at data, or change what is there: they make no database. */
export async function withOwnData<T>(
  options: Common,
  work: (transactions: Transactions) => Promise<T>,
): Promise<T> {
  await requireData(options)
  return withData(options, work)
}

/** Runs a command on its data, beside a running server if there is one. */
export async function withData<T>(
  options: Common,
  work: (transactions: Transactions) => Promise<T>,
): Promise<T> {
  const address = addressOption(options)
  try {
    const { openData, openDatabase } = await import('../data.ts')
    const database = await openDatabase(address)
    try {
      const transactions = await openData(database, realEnv)
      const result = await work(transactions)
      await transactions.release()
      return result
    } finally {
      await database.close()
    }
  } catch (cause) {
    throw dataFailure(cause, address)
  }
}

/** Reads a whole number of the command line. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number.')
  return Number(text)
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The longest that can be waited between two copies, in milliseconds. */
const longestSpan = 20 * 86_400_000

/** Reads a span of time of the command line, such as `30m`, `6h` or `1d`; milliseconds. */
export function span(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const milliseconds = Number(count) * (units[unit] ?? 0)
  if (milliseconds > 0 && milliseconds <= longestSpan) return milliseconds
  throw new InvalidArgumentError('Write it as 30m, 6h or 1d; at most 20d.')
}

/** Reads the address of a server of the command line, without a slash at its end. */
export function serverAddress(text: string): string {
  const address = URL.parse(text)
  if (!address || !/^https?:$/.test(address.protocol))
    throw new InvalidArgumentError('Write it as http://… or https://…')
  return address.href.replace(/\/+$/, '')
}

/** Reads a port of the command line. */
export function portNumber(text: string): number {
  const port = wholeNumber(text)
  if (port > 65535) throw new InvalidArgumentError('Give a port from 0 to 65535.')
  return port
}

function postgresAddress(text: string): string {
  if (!isPostgres(text))
    throw new InvalidArgumentError('Write it as postgres://user@host/name. A folder is named with --data.')
  return text
}

/** Gathers an option that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): string[] => [...before, value]

/** A command with the options that all commands on data have. */
export const dataCommand = (parent: Command, name: string, summary: string): Command =>
  parent
    .command(name)
    .description(summary)
    .option('--data <folder>', 'folder that holds the SQLite database (default: the usual data folder)')
    .option('--database <address>', 'a postgres:// address instead of a folder', postgresAddress)
    .option('--json', 'print one JSON object and nothing else')
