import { Command } from 'commander'
import { addAccounts } from './commands/accounts.ts'
import { addBackup } from './commands/backup.ts'
import { addDemo } from './commands/demo.ts'
import { addDevices } from './commands/devices.ts'
import { addDoctor, addHealth } from './commands/doctor.ts'
import { addEvents } from './commands/events.ts'
import { sentence } from './commands/failures.ts'
import { addImport } from './commands/import-csv.ts'
import { addMails } from './commands/mails.ts'
import { addMove } from './commands/move.ts'
import { printNotice } from './commands/options.ts'
import { addOutbox } from './commands/outbox.ts'
import { addServe } from './commands/serve.ts'
import { addSites } from './commands/sites.ts'
import { addVerify } from './commands/verify.ts'
import { version } from './version.ts'

// What is written here, back-ups and tickets among it, is for this user alone.
process.umask(0o077)

const program = new Command('gatehouse')
  .description('Check-in and box office that go on working when the network is gone.')
  .version(version)
  .showHelpAfterError('Add --help to see what can be said here.')

addServe(program)
addAccounts(program)
addEvents(program)
addDevices(program)
addSites(program)
addDemo(program)
addImport(program)
addMails(program)
addOutbox(program)
addBackup(program)
addMove(program)
addVerify(program)
addDoctor(program)
addHealth(program)

program.parseAsync().catch((cause: unknown) => {
  printNotice(`gatehouse: ${sentence(cause)}`)
  process.exitCode ??= 1
})
