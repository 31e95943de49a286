import type { Command } from 'commander'
import type { Tx } from '../resource/transactions.ts'
import { type Common, dataCommand, print, printNotice, wholeNumber, withOwnData } from './options.ts'

interface Options extends Common {
  readonly organizer: string
}

/** Adds the commands that look after the numbers under which stations and hubs make ids. */
export function addSites(program: Command): void {
  const group = program
    .command('site')
    .description('The numbers under which stations and hubs make what they make.')
  dataCommand(group, 'list', 'Show how many numbers an organizer has, and which devices have them.')
    .requiredOption('--organizer <slug>', 'the organizer')
    .action(list)
  dataCommand(group, 'return', 'Get numbers back that a device was given and never used.')
    .requiredOption('--organizer <slug>', 'the organizer')
    .requiredOption('--device <number>', 'the number of the device; revoke it before', wholeNumber)
    .action(giveBack)
  dataCommand(group, 'allow', 'Say how many numbers an organizer may have.')
    .requiredOption('--organizer <slug>', 'the organizer')
    .requiredOption('--numbers <count>', 'so many; a hub takes 1024', wholeNumber)
    .action(allow)
}

/** Does something in an organizer, in one transaction. */
async function inOrganizer<T>(options: Options, work: (tx: Tx, organizer: number) => Promise<T>): Promise<T> {
  const { requireOrganizer } = await import('../services/accounts/accounts.ts')
  return withOwnData(options, (data) =>
    data.write(async (tx) => work(tx, await requireOrganizer(tx, options.organizer))),
  )
}

async function list(options: Options): Promise<void> {
  const { sitesOf } = await import('../services/devices/site-returns.ts')
  const shown = await inOrganizer(options, sitesOf)
  if (!options.json) {
    printNotice(`${shown.given} of ${shown.share} numbers are given out; this server has ${shown.left} left.`)
    for (const { device_id, name, revoked, numbers, times } of shown.devices)
      printNotice(
        `${device_id}  ${name}${revoked ? ' (revoked)' : ''}: ${numbers} numbers, joined ${times} times`,
      )
  }
  print(shown)
}

async function giveBack(options: Options & { readonly device: number }): Promise<void> {
  const { commandActor } = await import('../services/accounts/accounts.ts')
  const { returnSites } = await import('../services/devices/site-returns.ts')
  const result = await inOrganizer(options, (tx, organizer) =>
    returnSites(tx, commandActor, organizer, options.device),
  )
  if (!options.json) printNotice(`${result.returned} numbers can be given to others.`)
  print(result)
}

async function allow(options: Options & { readonly numbers: number }): Promise<void> {
  const { commandActor } = await import('../services/accounts/accounts.ts')
  const { allowSites, sitesOf } = await import('../services/devices/site-returns.ts')
  const shown = await inOrganizer(options, async (tx, organizer) => {
    await allowSites(tx, commandActor, organizer, options.numbers)
    return sitesOf(tx, organizer)
  })
  if (!options.json) printNotice(`${shown.given} of ${shown.share} numbers are given out.`)
  print(shown)
}
