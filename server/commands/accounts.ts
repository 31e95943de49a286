import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Permission, permissions } from '../../schema/permissions.ts'
import { describeNextStep } from './next-step.ts'
import { type Common, collect, dataCommand, print, printNotice, wholeNumber, withData } from './options.ts'
import { addOrganizerMove } from './organizer/organizer-move.ts'

/** Adds the commands that make organizers and who may work for them. */
export function addAccounts(program: Command): void {
  addOrganizer(program)
  addUser(program)
  addTeam(program)
  addToken(program)
  addApplication(program)
}

function addOrganizer(program: Command): void {
  const group = program.command('organizer').description('Organizers.')
  dataCommand(group, 'create', 'Make an organizer.')
    .argument('<slug>', 'its short name in addresses')
    .requiredOption('--name <name>', 'its name')
    .action(async (slug: string, options: Common & { name: string }) => {
      const { createOrganizer } = await import('../services/accounts/accounts.ts')
      const made = await withData(options, (data) =>
        data.write((tx) => createOrganizer(tx, slug, options.name)),
      )
      if (!options.json)
        printNotice(
          `The organizer ${slug} is made. Make an event, such as: ${describeNextStep(options, `event create gala --organizer ${slug} --name Gala --starts 2030-12-31T19:30`)}`,
        )
      print(made)
    })
  addOrganizerMove(group)
}

function addUser(program: Command): void {
  const group = program.command('user').description('People who sign in.')
  dataCommand(group, 'create', 'Make a user.')
    .argument('<email>', 'the address to sign in with')
    .option('--password <password>', 'at least eight characters; asked for when not given')
    .option('--organizer <slug>', 'with --team: the organizer to work for')
    .option('--team <id>', 'a team to belong to', wholeNumber)
    .action(createUserAccount)
  dataCommand(group, 'password', 'Give somebody a new password; every login of theirs ends.')
    .argument('<email>', 'the address they sign in with')
    .option('--password <password>', 'at least eight characters; asked for when not given')
    .option('--no-second-factor', 'also turn two-factor authentication off, for a lost telephone')
    .action(changePassword)
  dataCommand(group, 'disable', 'Close an account: nobody gets in with it any more.')
    .argument('<email>', 'the address they sign in with')
    .action((email: string, options: Common) => closeOrOpen(email, options, true))
  dataCommand(group, 'enable', 'Open an account that was closed.')
    .argument('<email>', 'the address they sign in with')
    .action((email: string, options: Common) => closeOrOpen(email, options, false))
}

interface UserOptions extends Common {
  readonly password?: string
  readonly organizer?: string
  readonly team?: number
}

async function createUserAccount(email: string, options: UserOptions): Promise<void> {
  const { organizer, team } = options
  if ((organizer === undefined) !== (team === undefined))
    throw new InvalidArgumentError('Give --organizer and --team together.')
  const { passwordFor } = await import('./ask-password.ts')
  const { hashPassword } = await import('../services/accounts/passwords.ts')
  const { joinTeam, createUser, requireOrganizer } = await import('../services/accounts/accounts.ts')
  const hash = await hashPassword(await passwordFor(options.password, email))
  const made = await withData(options, (data) =>
    data.write(async (tx) => {
      const user = await createUser(tx, email, hash)
      if (organizer !== undefined && team !== undefined)
        await joinTeam(tx, await requireOrganizer(tx, organizer), team, user.id)
      return user
    }),
  )
  if (!options.json) printNotice(`${email} can sign in now.`)
  print(made)
}

async function changePassword(
  email: string,
  options: Common & { password?: string; secondFactor: boolean },
): Promise<void> {
  const { passwordFor } = await import('./ask-password.ts')
  const { hashPassword } = await import('../services/accounts/passwords.ts')
  const { setPassword } = await import('../services/accounts/accounts.ts')
  const hash = await hashPassword(await passwordFor(options.password, email))
  const changed = await withData(options, (data) =>
    data.write((tx) => setPassword(tx, email, hash, !options.secondFactor)),
  )
  if (!options.json) printNotice(`${email} can sign in with the new password.`)
  print(changed)
}

async function closeOrOpen(email: string, options: Common, isDisabled: boolean): Promise<void> {
  const { setDisabled } = await import('../services/accounts/accounts.ts')
  const changed = await withData(options, (data) => data.write((tx) => setDisabled(tx, email, isDisabled)))
  const closed = `${email} cannot sign in any more. Every login is ended, and programs that acted for them are stopped.`
  if (!options.json) printNotice(isDisabled ? closed : `${email} can sign in again.`)
  print(changed)
}

interface ApplicationOptions extends Common {
  readonly user: string
  readonly name: string
  readonly redirectUri: readonly string[]
  readonly public?: boolean
}

function addApplication(program: Command): void {
  const group = program.command('application').description('Programs that people can let act for them.')
  dataCommand(group, 'create', 'Register an application; its secret is shown this once only.')
    .requiredOption('--user <email>', 'whose application it is')
    .requiredOption('--name <name>', 'what people are asked about')
    .requiredOption('--redirect-uri <address>', 'where people are sent back to; repeat for more', collect)
    .option('--public', 'it runs in a browser or on a telephone, and can keep no secret')
    .action(createApplication)
}

async function createApplication(options: ApplicationOptions): Promise<void> {
  const { redirectProblem } = await import('../domain/accounts/redirect-uris.ts')
  const { requireUser } = await import('../services/accounts/accounts.ts')
  const { registerApplication } = await import('../services/accounts/applications.ts')
  const { name, redirectUri: redirectUris, public: isPublic = false } = options
  for (const uri of redirectUris)
    if (redirectProblem(uri))
      throw new InvalidArgumentError(
        `"${uri}" is not an address to send people back to: write it out in full, with https:// and without #.`,
      )
  const { application, secret } = await withData(options, (data) =>
    data.write(async (tx) =>
      registerApplication(tx, await requireUser(tx, options.user), { name, redirectUris, isPublic }),
    ),
  )
  if (!options.json && secret !== null) printNotice('Keep the secret well: it is shown this once only.')
  print({ client_id: application.clientId, client_secret: secret })
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
      const { createTeam, requireOrganizer } = await import('../services/accounts/accounts.ts')
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
        printNotice(
          `The team ${name} is made. Give it a token with: ${describeNextStep(options, `token create --organizer ${organizer} --team ${made.id} --name API`)}`,
        )
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
      const { createTeamToken, requireOrganizer } = await import('../services/accounts/accounts.ts')
      const { organizer, team, name } = options
      const made = await withData(options, (data) =>
        data.write(async (tx) => createTeamToken(tx, await requireOrganizer(tx, organizer), team, name)),
      )
      if (!options.json) printNotice('Keep the token well: it is shown this once only.')
      print(made)
    })
}
