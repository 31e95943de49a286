import { readFile } from 'node:fs/promises'
import { scheduler } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { type ColumnChoices, fieldNames } from '../domain/guest-list/columns.ts'
import type { GuestList } from '../domain/guest-list/guest-list.ts'
import { realEnv } from '../env.ts'
import { impossible } from '../errors.ts'
import type { Place, Transactions } from '../resource/transactions.ts'
import type { GuestsAt } from '../services/import/imported-guests.ts'
import type { Queryable } from '../storage/database.ts'
import { type Common, dataCommand, print, progressLine, wholeNumber, withData } from './options.ts'

interface Options extends Common {
  readonly organizer?: string
  readonly event?: string
  readonly subevent?: number
  readonly product?: string
  readonly column: ColumnChoices
  readonly dryRun?: boolean
  readonly strict?: boolean
}

function choice(text: string, before: ColumnChoices): ColumnChoices {
  const cut = text.lastIndexOf('=')
  const field = text.slice(cut + 1)
  const known = Object.keys(fieldNames).find((name) => name === field) as keyof typeof fieldNames | undefined
  if (cut < 1 || (known === undefined && field !== 'ignore'))
    throw new InvalidArgumentError(
      `Write TITLE=FIELD, with one of ${Object.keys(fieldNames).join(', ')} or ignore.`,
    )
  return { ...before, [text.slice(0, cut)]: known ?? null }
}

/** Adds the command that brings guest lists in. */
export function addImport(program: Command): void {
  const group = program.command('import').description('Bring in what is elsewhere.')
  dataCommand(group, 'csv', 'Import a guest list.')
    .argument('<file>', 'the list, as text: any delimiter, UTF-8, UTF-16 or Latin-1')
    .option('--organizer <slug>', 'whose event it is, where there are several')
    .option('--event <slug>', 'for which event, where there are several')
    .option('--subevent <id>', 'for which date, where the event is a series', wholeNumber)
    .option('--product <name>', 'the ticket type of rows that name none')
    .option('--column <title=field>', 'what a column is; repeat for more', choice, {})
    .option('--dry-run', 'only show what would happen')
    .option('--strict', 'import nothing at all if any row has a problem')
    .action(importList)
}

async function importList(file: string, options: Options): Promise<void> {
  const { findEvent } = await import('./find-event.ts')
  const { badRows, printLayout, printReport } = await import('./import-report.ts')
  const dryRun = options.dryRun ?? false
  const { list, report } = await withData(options, async (transactions) => {
    const at = await findEvent(transactions.database, options)
    const list = await openList(transactions.database, at.place, file, options)
    if (!options.json) printLayout(list)
    const { problem } = list.plan
    if (problem)
      throw impossible(`${problem.reason} ${problem.next_step} The options --column and --product do it too.`)
    return { list, report: await run(transactions, at, list, options) }
  })
  if (!options.json) printReport(report, dryRun)
  const { preview, problems, ...counts } = report
  print({
    ...counts,
    bad: badRows(report),
    dry_run: dryRun,
    ...(options.json ? { problems, columns: list.plan.columns, ...(dryRun ? { preview } : {}) } : {}),
  })
  // Scripts see that somebody has to look; everything without a problem is in, unless it was refused.
  if (problems.length > 0) process.exitCode = 2
}

async function openList(db: Queryable, place: Place, file: string, options: Options): Promise<GuestList> {
  const { openGuestList } = await import('../domain/guest-list/guest-list.ts')
  const { findProduct, indexCatalogue } = await import('../domain/guest-list/products.ts')
  const { guestCatalogue } = await import('../services/import/guest-catalogue.ts')
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw impossible(`The file ${file} cannot be read (${cause instanceof Error ? cause.message : cause}).`)
  })
  const known = await guestCatalogue(db, place, null)
  const named = options.product === undefined ? null : findProduct(indexCatalogue(known), options.product, '')
  if (named && 'problem' in named) throw impossible(named.problem)
  const list = openGuestList(bytes, { ...known, defaultItem: named?.item ?? null }, options.column)
  if ('problem' in list) throw impossible(list.problem)
  const titles = list.plan.columns.map(({ title }) => title)
  const unknown = Object.keys(options.column).find((title) => !titles.includes(title))
  if (unknown !== undefined)
    throw impossible(`The list has no column "${unknown}". Its columns are: ${titles.join(', ')}.`)
  return list
}

async function run(transactions: Transactions, at: GuestsAt, list: GuestList, options: Options) {
  const { importGuests } = await import('../services/import/import-guests.ts')
  const line = progressLine(options)
  return importGuests(transactions, at, list, {
    mode: options.dryRun ? 'look' : options.strict ? 'strict' : 'import',
    progress: (step, done, total) => {
      if (total > 0)
        line(`${step === 'reading' ? 'Reading' : 'Writing'}: ${done} of ${total}`, done === total)
    },
    rest: rests(),
  })
}

/** How long somebody who has written something is given way to. */
const politeFor = 3000

/** Of the time that was worked: what is rested where nobody else is there, so that who comes gets in at all. */
const breath = 1 / 8

/**
 * Rests of long work on a database that a server beside us may be using: SQLite lets one write at a time, and whoever
 * waits does not learn when it is free but looks again and again. While others write, as long as was worked since the
 * last rest; else a breath.
 */
function rests(): (others: boolean) => Promise<void> {
  let rested = realEnv.elapsed()
  let seen = Number.NEGATIVE_INFINITY
  return async (others) => {
    const now = realEnv.elapsed()
    if (others) seen = now
    await scheduler.wait((now - rested) * (now - seen < politeFor ? 1 : breath))
    rested = realEnv.elapsed()
  }
}
