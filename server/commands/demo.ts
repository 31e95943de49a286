import { randomInt } from 'node:crypto'
import { join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { type Language, languages } from '../../schema/texts/translate.ts'
import { impossible } from '../errors.ts'
import { type Common, dataCommand, folderOf, print, printNotice, progressLine, withData } from './options.ts'

interface Options extends Common {
  readonly out?: string
  readonly language: Language
}

const steps = 2 ** 32

/** Chance as numbers from 0 up to 1. */
const chance = (): number => randomInt(steps) / steps

/** Adds the command that makes the demo event. */
export function addDemo(program: Command): void {
  dataCommand(program, 'demo', 'Make an event with 5,000 orders to try everything on.')
    .option('--out <folder>', 'where to write the sample tickets (default: demo in the data folder)')
    .addOption(
      new Option('--language <code>', 'language of the demo').choices(Object.keys(languages)).default('en'),
    )
    .action(makeIt)
}

async function makeIt(options: Options): Promise<void> {
  const { demoToken, makeDemo } = await import('../services/import/demo.ts')
  const { writeDemoSheet } = await import('../exporters/tickets/demo-sheet.ts')
  const { language } = options
  const line = progressLine(options)
  const { demo, token } = await withData(options, async (transactions) => {
    const demo = await makeDemo(
      transactions,
      chance,
      (done, total) => line(`Making orders: ${done} of ${total}`, done === total),
      language,
    )
    return { demo, token: await demoToken(transactions, demo) }
  })
  const samples = demo.samples[language] ?? demo.samples.en
  const folder = resolve(options.out ?? join(folderOf(options), 'demo'))
  const sheet = await writeDemoSheet(folder, samples, language).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw impossible(`The sample tickets cannot be written (${why}). Choose another folder with --out.`)
  })
  if (!options.json)
    printNotice(
      `Sample tickets to print or to show to a camera: ${sheet.pdf} and ${sheet.pngs.length} pictures beside it.`,
    )
  print({
    organizer: demo.organizer,
    event: demo.event,
    token: token.token,
    sheet: sheet.pdf,
    tickets: samples.map((ticket, index) => ({ ...ticket, png: sheet.pngs[index] })),
  })
}
