import { type FactResult, type FactStatus, factStatuses } from '../../../schema/sync.ts'
import { impossible, Refusal } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { describeFact } from '../outbox/describe-fact.ts'
import { readTransfer, type TransferHead } from '../outbox/transfer-file.ts'
import { type ReceiveParts, receiveFacts } from '../receive/receive.ts'
import { devicesById, type KnownDevice } from '../receive/senders.ts'

/** What importing a file came to. */
export interface TransferReport {
  readonly facts: number
  /** How many of them came to what. */
  readonly counts: Readonly<Record<FactStatus, number>>
  /** Those that are not known here afterwards, and why. */
  readonly problems: readonly Problem[]
}

type Problem = FactResult & { readonly text: string }

/** A problem that thousands share is listed often enough. */
const mostProblems = 200

/**
 * Receives the facts of a file as if its node had reported them; a person who may change the organizer's settings, or
 * the screen of a hub, vouches for it. Doing it again changes nothing. Throws 400 for a file that cannot be read or is
 * of another organizer, 409 for one of this node itself.
 */
export async function importTransfer(
  parts: ReceiveParts,
  organizer: { readonly id: number; readonly slug: string },
  actor: Actor,
  bytes: Uint8Array,
): Promise<TransferReport> {
  const { transactions } = parts
  const { head, batches } = await readTransfer(bytes)
  if (head.organizer !== organizer.slug)
    throw impossible(`The file belongs to the organizer "${head.organizer}".`)
  if (head.site === transactions.site)
    throw new Refusal(409, { detail: 'The file is of this machine itself, which knows all of it.' })
  const device = await deviceOf(parts, organizer.id, head, actor)
  const sender = { organizer: organizer.id, device, isVouchedFor: true }
  const counts = Object.fromEntries(factStatuses.map((status) => [status, 0])) as Record<FactStatus, number>
  const problems: Problem[] = []
  let count = 0
  for (const facts of batches) {
    count += facts.length
    const results = await receiveFacts(parts, sender, { clock: head.clock, live: false, facts })
    for (const { status } of results) counts[status] += 1
    problems.push(...problemsOf(facts, results))
  }
  await transactions.write(async (tx) =>
    tx.audit({ organizer: organizer.id, event: 0 }, actor, {
      action: 'ticketsvc.outbox.imported',
      resource: 'device',
      row: device.id,
      data: { site: head.site, exported: head.exported, ...counts },
    }),
  )
  return { facts: count, counts, problems: problems.slice(0, mostProblems) }
}

/** The device that wrote a file, or whoever brings it where that device is not known here. */
async function deviceOf(
  { transactions }: ReceiveParts,
  organizer: number,
  head: TransferHead,
  actor: Actor,
): Promise<KnownDevice> {
  const ids = head.device === null ? [] : [head.device]
  const [known] = (await devicesById(transactions.database, organizer, ids)).values()
  return known
    ? { ...known, isRevoked: false }
    : { id: head.device ?? 0, organizer, site: head.site, ranges: [], isRevoked: false, actor }
}

const problemsOf = (facts: readonly unknown[], results: readonly FactResult[]): Problem[] =>
  results.flatMap((result, index) =>
    result.status === 'rejected' || result.status === 'retry'
      ? [{ ...result, text: textOf(facts[index]) }]
      : [],
  )

const textOf = (fact: unknown): string => {
  if (typeof fact !== 'object' || fact === null) return 'A line that is no fact'
  const { kind, payload } = fact as { kind?: unknown; payload?: unknown }
  return describeFact({ kind: String(kind), payload })
}
