import { hostname } from 'node:os'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { JsonObject } from '../../schema/fields.ts'
import type { Scope } from '../resource/api.ts'
import { type Common, collect, dataCommand, print, printNotice, wholeNumber, withData } from './options.ts'

interface Options extends Common {
  readonly organizer: string
  readonly name: string
  readonly profile?: string
  readonly allEvents?: boolean
  readonly event?: readonly string[]
  readonly gate?: number
  readonly url: string
}

const handshakeVersion = 1

function webAddress(text: string): string {
  const address = URL.parse(text)
  if (!address || !/^https?:$/.test(address.protocol))
    throw new InvalidArgumentError('Write it as http://… or https://…')
  return address.href.replace(/\/$/, '')
}

/** Adds the command that lets a device in. */
export function addDevices(program: Command): void {
  const group = program.command('device').description('Stations and other devices.')
  dataCommand(group, 'create', 'Make a device, to be set up with the code that is shown.')
    .requiredOption('--organizer <slug>', 'the organizer')
    .requiredOption('--name <name>', 'its name')
    .option('--profile <name>', 'what it is for: full, scan, kiosk, gate or boxoffice (default: full)')
    .addOption(new Option('--all-events', 'at every event').conflicts('event'))
    .option('--event <slug>', 'at one event; repeat for more', collect)
    .option('--gate <id>', 'the gate it stands at', wholeNumber)
    .option(
      '--url <address>',
      'where devices reach the server',
      webAddress,
      `http://${hostname().toLowerCase()}:8000`,
    )
    .action(create)
}

async function create(options: Options): Promise<void> {
  const { commandActor, requireOrganizer } = await import('../services/accounts/accounts.ts')
  const { createDevice } = await import('../services/devices/devices.ts')
  const { device } = await import('../../schema/resources/devices/device.ts')
  const { organizer: slug, name, gate = null } = options
  const { allEvents: all_events = false, event: limit_events = [] } = options
  const body = { name, all_events, limit_events, gate, security_profile: options.profile ?? 'full' }
  const row = await withData(options, (data) =>
    data.write(async (tx) => {
      const id = await requireOrganizer(tx, slug)
      const scope: Scope = {
        actor: commandActor,
        place: { organizer: id, event: 0 },
        organizer: { id, slug },
        event: null,
      }
      return createDevice(tx, scope, body)
    }),
  )
  if (!options.json) await showPairing(options, row)
  const shown: JsonObject = row
  print(Object.fromEntries(Object.keys(device.fields).map((field) => [field, shown[field]])))
}

/** Shows at the terminal what the device has to scan to be set up. */
async function showPairing(
  { url, allEvents, event = [] }: Options,
  row: { readonly initialization_token: string | null },
): Promise<void> {
  const { qrForTerminal } = await import('../exporters/tickets/barcode.ts')
  const token = row.initialization_token
  const content = JSON.stringify({ handshake_version: handshakeVersion, url, token })
  printNotice(qrForTerminal(content, { colour: process.stderr.isTTY }))
  printNotice(`Scan this with the device, or type there: address ${url}, token ${token}`)
  if (!allEvents && event.length === 0)
    printNotice('It may not enter any event: make it with --event or --all-events to let it in.')
}
