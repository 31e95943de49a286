import type { Command } from 'commander'
import sql from 'sql-template-tag'
import { type Common, dataCommand, print, printNotice, withOwnData } from './options.ts'

interface Unsent {
  readonly id: number
  readonly template: string
  readonly recipient: string
  readonly state: string
  readonly attempts: number
  readonly due: string
  readonly trouble: string | null
}

/** Adds the commands that look after mails that were not sent. */
export function addMails(program: Command): void {
  const group = program.command('mail').description('Mails that were not sent.')
  dataCommand(
    group,
    'list',
    'Show the mails that wait, were refused or given up, newest first, a hundred at most.',
  ).action(async (options: Common) => {
    const mails = await withOwnData(options, ({ database }) =>
      database.all<Unsent>(
        sql`SELECT id, "template", "recipient", "state", "attempts", "due", "trouble" FROM mail
              WHERE "state" <> 'sent' ORDER BY id DESC LIMIT 100`,
      ),
    )
    if (!options.json)
      for (const { id, template, recipient, state, attempts, trouble } of mails)
        printNotice(
          `${id}  ${state} after ${attempts} attempts  ${template} to ${recipient}  ${trouble ?? ''}`.trim(),
        )
    print({ count: mails.length, results: mails })
  })
  dataCommand(
    group,
    'retry',
    'Try every mail once more that was given up or waits for its next attempt.',
  ).action(async (options: Common) => {
    const count = await withOwnData(options, (data) =>
      data.write((tx) =>
        tx.run(
          sql`UPDATE mail SET "state" = 'waiting', "due" = ${tx.now}, "attempts" = 0
                WHERE "state" IN ('waiting', 'given up')`,
        ),
      ),
    )
    if (!options.json) printNotice(`${count} mails are tried again.`)
    print({ retried: count })
  })
}
