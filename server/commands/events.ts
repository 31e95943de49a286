import type { Command } from 'commander'
import { describeNextStep } from './next-step.ts'
import { type Common, collect, dataCommand, print, printNotice, withData } from './options.ts'

interface Options extends Common {
  readonly organizer: string
  readonly name: string
  readonly starts: string
  readonly timezone: string
  readonly currency: string
  readonly product?: readonly string[]
}

/** Adds the command that makes an event with an entrance. */
export function addEvents(program: Command): void {
  const group = program.command('event').description('Events.')
  dataCommand(group, 'create', 'Make an event with ticket types that cost nothing and one check-in list.')
    .argument('<slug>', 'its short name in addresses')
    .requiredOption('--organizer <slug>', 'the organizer')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--starts <time>', 'when it begins, on its own clocks, like 2030-12-31T19:30')
    .option('--timezone <zone>', 'where its clocks are, like Europe/Berlin', ownZone())
    .option('--currency <code>', 'three letters', 'EUR')
    .option('--product <name>', 'a ticket type; repeat for more (default: Guest)', collect)
    .action(async (slug: string, options: Options) => {
      const { requireOrganizer } = await import('../services/accounts/accounts.ts')
      const { createEvent } = await import('../services/event-setup/new-event.ts')
      const { organizer, product = ['Guest'], ...wanted } = options
      const made = await withData(options, (data) =>
        data.write(async (tx) => {
          const id = await requireOrganizer(tx, organizer)
          return createEvent(tx, { id, slug: organizer }, { ...wanted, slug, products: product })
        }),
      )
      if (!options.json)
        printNotice(
          `The event ${slug} is made. Bring its guests in with: ${describeNextStep(options, `import csv FILE --organizer ${organizer} --event ${slug}`)}`,
        )
      print(made)
    })
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
