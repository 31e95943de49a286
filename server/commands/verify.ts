import { type Command, InvalidArgumentError } from 'commander'
import { type TillProblem, verifyTills } from '../services/drawer/verify-tills.ts'
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

const tillSentence = ({ organizer, kind, till, site, number, problem }: TillProblem): string =>
  `organizer ${organizer}: ${kind} ${number} of device ${till} at node ${site} is ${problem.replace('_', ' ')}`

/** Adds the command that looks whether the audit trail, and the receipts of tills, are what they were. */
export function addVerify(program: Command): void {
  dataCommand(
    program,
    'verify',
    'Compare the audit trail with its seals, and receipts of tills with their chains, also while the server runs; ends with 1 where they differ.',
  )
    .option(
      '--head <organizer:number:hash>',
      'a seal that was noted elsewhere, such as in the log; may be given several times',
      sealHead,
    )
    .action(async (options: Options) => {
      const { found, tills } = await withOwnData(options, async ({ database }) => ({
        found: await verifyAudit(database, options.head),
        tills: await verifyTills(database),
      }))
      const [first] = found.problems
      const [firstTill] = tills.problems
      if (!options.json) {
        printNotice(
          first
            ? `The audit trail is not as it was sealed. First: ${sentenceOf(first)}. After an older back-up was restored, newer seals are missing; otherwise somebody has changed it.`
            : `${found.entries} entries are as they were sealed; ${found.unsealed} wait for their seal.`,
        )
      }
      if (!options.json && firstTill)
        printNotice(
          `The receipts of tills are not as they were written. First: ${tillSentence(firstTill)}. What has not been reported yet is missing; otherwise somebody has changed it.`,
        )
      const isIntact = first === undefined && firstTill === undefined
      print({ intact: isIntact, ...found, tills })
      if (!isIntact) process.exitCode = 1
    })
}
