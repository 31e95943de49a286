import { type Command, InvalidArgumentError } from 'commander'
import type { SealHead } from '../services/operations/audit-seals.ts'
import { type AuditProblem, verifyAudit } from '../services/operations/audit-verify.ts'
import { type Common, dataCommand, print, printNotice, withOwnData } from './options.ts'

interface Options extends Common {
  readonly head?: readonly SealHead[]
}

function sealHead(text: string, before: readonly SealHead[] = []): readonly SealHead[] {
  const [, organizer, number, hash] = /^(\d{1,16}):(\d{1,16}):([\w-]{43})$/.exec(text) ?? []
  if (!organizer || !number || !hash)
    throw new InvalidArgumentError('Write it as organizer:number:hash, as "verify" and the log show it.')
  return [...before, { organizer: Number(organizer), number: Number(number), hash }]
}

const sentenceOf = ({ what, entry, seal, organizer }: AuditProblem): string =>
  `organizer ${organizer}: ${entry === null ? `seal ${seal}` : `entry ${entry}`} ${what.replace('seal ', 'was ')}`

/** Adds the command that looks whether the audit trail is what it was. */
export function addVerify(program: Command): void {
  dataCommand(
    program,
    'verify',
    'Compare the audit trail with its seals, also while the server runs; ends with 1 where they differ.',
  )
    .option(
      '--head <organizer:number:hash>',
      'a seal that was noted elsewhere, such as in the log; may be given several times',
      sealHead,
    )
    .action(async (options: Options) => {
      const found = await withOwnData(options, ({ database }) => verifyAudit(database, options.head))
      const [first] = found.problems
      if (!options.json) {
        printNotice(
          first
            ? `The audit trail is not as it was sealed. First: ${sentenceOf(first)}. After an older back-up was restored, newer seals are missing; otherwise somebody has changed it.`
            : `${found.entries} entries are as they were sealed; ${found.unsealed} wait for their seal.`,
        )
      }
      print({ intact: first === undefined, ...found })
      if (first) process.exitCode = 1
    })
}
