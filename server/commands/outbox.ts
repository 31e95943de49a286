import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { instantOf, realEnv } from '../env.ts'
import { impossible } from '../errors.ts'
import { type Common, dataCommand, print, printNotice, withData } from './options.ts'

interface ExportOptions extends Common {
  readonly all?: boolean
}

interface ImportOptions extends Common {
  readonly organizer: string
}

/** Adds the commands that carry what a station has not reported by hand. */
export function addOutbox(program: Command): void {
  dataCommand(
    program,
    'export-outbox',
    'Write what this machine has not yet sent to the central server or hub to a file.',
  )
    .argument('<file>', 'the file to write; it may not be there yet')
    .option('--all', 'everything that is still stored, also what the central server or hub knows')
    .action(exportOutbox)
  const group = program.commands.find((one) => one.name() === 'import') ?? program.command('import')
  dataCommand(group, 'outbox', 'Bring in a file with what a station has not sent yet.')
    .argument('<file>', 'the file that the station has exported')
    .requiredOption('--organizer <slug>', 'whose it is')
    .action(importOutbox)
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

async function exportOutbox(file: string, options: ExportOptions): Promise<void> {
  const { transferLines } = await import('../sync/outbox/transfer-file.ts')
  const { transferHead } = await import('../sync/outbox/transfer-head.ts')
  const head = await withData(options, async ({ database, site }) => {
    const exported = instantOf(realEnv.now())
    // This program's own clock counts from another start than those of the facts.
    const clocks = { deviceTime: exported, mono: 0, boot: '', clockOffset: null }
    const head = await transferHead(database, site, exported, clocks)
    const lines = Readable.from(transferLines(database, head, options.all ?? false))
    await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })).catch(
      (cause: unknown) => {
        throw impossible(`The file ${file} cannot be written (${reasonOf(cause)}).`)
      },
    )
    return head
  })
  if (!options.json)
    printNotice(
      `Bring ${file} to the central server or hub: there, run "import outbox", or import it on its screens.`,
    )
  print({ file, organizer: head.organizer, site: head.site, exported: head.exported })
}

async function importOutbox(file: string, options: ImportOptions): Promise<void> {
  const { commandActor, requireOrganizer } = await import('../services/accounts/accounts.ts')
  const { importTransfer } = await import('../sync/node/import-transfer.ts')
  const { openLog } = await import('../log.ts')
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw impossible(`The file ${file} cannot be read (${reasonOf(cause)}).`)
  })
  const report = await withData(options, async (transactions) => {
    const { database } = transactions
    const id = await requireOrganizer(database, options.organizer)
    const parts = { transactions, env: realEnv, log: openLog('error') }
    return importTransfer(parts, { id, slug: options.organizer }, commandActor, bytes)
  })
  const { counts, problems, facts } = report
  if (!options.json)
    for (const { text, reason, detail } of problems)
      printNotice(`${text}: ${detail ?? reason ?? 'not imported'}`)
  print({ facts, ...counts, ...(options.json ? { problems } : {}) })
  // Scripts see that somebody has to look.
  if (counts.rejected + counts.retry > 0) process.exitCode = 2
}
