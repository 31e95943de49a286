import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Permission, permissions } from '../../schema/permissions.ts'
import { type Common, collect, dataCommand, print, tell, wholeNumber, withData } from './options.ts'

/** Adds the commands that make organizers and who may work for them. */
export function addAccounts(program: Command): void {
  addOrganizer(program)
  addUser(program)
  addTeam(program)
  addToken(program)
}

function addOrganizer(program: Command): void {
  const group = program.command('organizer').description('Organizers.')
  dataCommand(group, 'create', 'Make an organizer.')
    .argument('<slug>', 'its short name in addresses')
    .requiredOption('--name <name>', 'its name')
    .action(async (slug: string, options: Common & { name: string }) => {
      const { createOrganizer } = await import('../services/accounts.ts')
      const made = await withData(options, (data) =>
        data.write((tx) => createOrganizer(tx, slug, options.name)),
      )
      if (!options.json) tell(`The organizer ${slug} is made.`)
      print(made)
    })
}

function addUser(program: Command): void {
  const group = program.command('user').description('People who sign in.')
  dataCommand(group, 'create', 'Make a user.')
    .argument('<email>', 'the address to sign in with')
    .option('--password <password>', 'at least eight characters; asked for when not given')
    .action(async (email: string, options: Common & { password?: string }) => {
      const { passwordFor } = await import('./ask-password.ts')
      const { hashPassword } = await import('../services/passwords.ts')
      const { createUser } = await import('../services/accounts.ts')
      const hash = await hashPassword(await passwordFor(options.password))
      const made = await withData(options, (data) => data.write((tx) => createUser(tx, email, hash)))
      if (!options.json) tell(`${email} can sign in now.`)
      print(made)
    })
}

function permission(text: string, before: readonly Permission[] = []): Permission[] {
  const known = permissions.find((one) => one === text)
  if (!known) throw new InvalidArgumentError(`Choose from ${permissions.join(', ')}.`)
  return [...before, known]
}

interface TeamOptions extends Common {
  readonly organizer: string
  readonly name: string
  readonly allPermissions?: boolean
  readonly permission?: readonly Permission[]
  readonly allEvents?: boolean
  readonly event?: readonly string[]
}

function addTeam(program: Command): void {
  const group = program.command('team').description('Teams: who may do what.')
  dataCommand(group, 'create', 'Make a team.')
    .requiredOption('--organizer <slug>', 'the organizer')
    .requiredOption('--name <name>', 'its name')
    .addOption(new Option('--all-permissions', 'everything may be done').conflicts('permission'))
    .option('--permission <flag>', 'one thing that may be done; repeat for more', permission)
    .addOption(new Option('--all-events', 'at every event').conflicts('event'))
    .option('--event <slug>', 'at one event; repeat for more', collect)
    .action(async (options: TeamOptions) => {
      const { createTeam, requireOrganizer } = await import('../services/accounts.ts')
      const { organizer, name, event: events = [], allEvents = false } = options
      const rights = {
        permissions: options.allPermissions ? permissions : (options.permission ?? []),
        allEvents,
        events,
      }
      const made = await withData(options, (data) =>
        data.write(async (tx) => createTeam(tx, await requireOrganizer(tx, organizer), name, rights)),
      )
      if (!options.json)
        tell(`The team ${name} is made. Give it a token with: token create --team ${made.id}`)
      print(made)
    })
}

interface TokenOptions extends Common {
  readonly organizer: string
  readonly team: number
  readonly name: string
}

function addToken(program: Command): void {
  const group = program.command('token').description('Static tokens of teams.')
  dataCommand(group, 'create', 'Make a token; it is shown this once only.')
    .requiredOption('--organizer <slug>', 'the organizer')
    .requiredOption('--team <id>', 'the team', wholeNumber)
    .requiredOption('--name <name>', 'what it is for')
    .action(async (options: TokenOptions) => {
      const { commandActor, createToken, requireOrganizer } = await import('../services/accounts.ts')
      const { organizer, team, name } = options
      const made = await withData(options, (data) =>
        data.write(async (tx) =>
          createToken(tx, commandActor, await requireOrganizer(tx, organizer), team, name),
        ),
      )
      if (!options.json) tell('Keep the token well: it is shown this once only.')
      print(made)
    })
}
