import { fieldNames } from '../domain/guest-list/columns.ts'
import type { GuestList } from '../domain/guest-list/guest-list.ts'
import type { ImportReport } from '../services/import/import-guests.ts'
import { printNotice } from './options.ts'

const problemsShown = 100

const delimiters: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}

/** Says how a list was read. */
export function printLayout(list: GuestList): void {
  const guess = list.guessed ? ' (a guess: look at the umlauts)' : ''
  const delimiter = delimiters[list.delimiter] ?? list.delimiter
  printNotice(`Read as ${list.encoding}${guess}, columns separated by ${delimiter}.`)
  for (const { title, field } of list.plan.columns)
    printNotice(`  ${oneLine(title) || '(no title)'}: ${field === null ? 'not imported' : fieldNames[field]}`)
  for (const { field, titles, used } of list.plan.ambiguous)
    printNotice(
      `  More than one column could be the ${fieldNames[field]} (${titles.map(oneLine).join(', ')}); ${used ? `${oneLine(used)} is used` : 'none is used'}.`,
    )
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** How many rows have something wrong. */
export const badRows = ({ problems }: ImportReport): number =>
  new Set(problems.map((problem) => problem.line)).size

/** Says what was imported, or would be. */
export function printReport(report: ImportReport, dryRun: boolean): void {
  for (const { line, column, message } of report.problems.slice(0, problemsShown))
    printNotice(`Line ${line}${column ? `, ${oneLine(column)}` : ''}: ${message}`)
  const more = report.problems.length - problemsShown
  if (more > 0) printNotice(`… and ${more} more; --json lists all of them.`)
  if (dryRun)
    for (const guest of report.preview) {
      const { _scheme, ...names } = guest.attendee_name_parts
      const who = Object.values(names).join(' ') || guest.attendee_email || guest.code
      printNotice(`  Line ${guest.line}: ${who}, ${guest.quantity} ticket(s)`)
    }
  const { guests, tickets, unchanged, skipped, refused } = report
  printNotice(
    `${dryRun || refused ? 'Would import' : 'Imported'} ${guests} rows with ${tickets} tickets; ${unchanged} were there already, ${badRows(report)} have problems, ${skipped} are empty or totals.`,
  )
  if (refused) printNotice('Nothing was imported, because some rows have problems (--strict).')
}
