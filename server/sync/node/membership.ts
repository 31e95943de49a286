import { busy, Refusal } from '../../errors.ts'
import { pause } from '../replica/download.ts'
import { wipe } from '../replica/retention.ts'
import { createInitializer } from '../upstream/initializer.ts'
import type { UpstreamPairing } from '../upstream/joining.ts'
import { removeUpstream, type Upstream, writeUpstream } from '../upstream/upstream.ts'
import { countAll } from './readiness.ts'
import type { SyncSession } from './session.ts'
import type { SyncParts } from './sync.ts'

/** What joining and leaving need of a node, and change in it. */
interface Member {
  readonly upstream: () => Upstream | null
  readonly session: () => SyncSession | null
  /** Works with another upstream server from now on, or with none. */
  adopt(row: Upstream | null): void
  /** Says why it does not work yet. */
  report(problem: string): void
  /** Ends all work with the upstream server. */
  halt(): Promise<void>
}

/** How a node gets an upstream server, and gives it up. */
export interface NodeMembership {
  join(pairing: UpstreamPairing): Promise<void>
  /** Tries to join until that works or is given up. */
  joinUntilDone(pairing: UpstreamPairing, signal: AbortSignal): Promise<void>
  leave(exported: boolean): Promise<void>
}

const longestPause = 60_000

/** Has a node join and leave upstream servers. */
export function membershipOf(parts: SyncParts, node: Member): NodeMembership {
  const { transactions, env, log } = parts
  const { database } = transactions
  const initializer = createInitializer(env, parts.softwareVersion)

  async function join(wanted: UpstreamPairing): Promise<void> {
    if (database.engine !== 'sqlite')
      throw new Refusal(400, { detail: 'A server on PostgreSQL cannot be below another one.' })
    const up = node.upstream()
    if (up && (up.state === 'following' || up.state === 'revoked'))
      throw busy(`This machine belongs to ${up.url} already. Leave that server first.`)
    const row = await initializer.by(wanted)
    await node.halt()
    // Stored at once: the token can be used only once.
    await database.transaction((tx) => writeUpstream(tx, row))
    initializer.stored()
    node.adopt(row)
  }

  return {
    join,
    async joinUntilDone(wanted, signal) {
      for (let failures = 0; !signal.aborted && node.upstream() === null; failures += 1) {
        try {
          await join(wanted)
          return
        } catch (cause) {
          const problem = pairingTrouble(cause)
          node.report(problem)
          log.warn('not admitted yet', { why: problem })
        }
        await pause(env, Math.min(longestPause, 1000 * 2 ** Math.min(failures, 6)), signal)
      }
    },
    async leave(exported) {
      const up = node.upstream()
      if (up === null) return
      await node
        .session()
        ?.leases?.giveBack()
        .catch(() => 0)
      const { waiting } = await countAll(database)
      if (waiting > 0 && !exported && up.state !== 'joining')
        throw busy(
          `${waiting} scans and sales still wait to be sent to the server. Wait, or export them first.`,
        )
      await node.halt()
      // A machine whose access was revoked keeps nothing of that server, whoever is quicker.
      if (node.upstream()?.state === 'revoked') await wipe(transactions)
      await database.transaction(removeUpstream)
      node.adopt(null)
    },
  }
}

const spent: Readonly<Record<string, string>> = {
  unknown: 'The server does not know this token, or it was used already',
  used: 'This token was used already',
  revoked: 'The device of this token was revoked',
  refused: 'The server did not accept this token',
}

/** Why a node whose server was given when it was started is not admitted, in one sentence that says what to do. */
function pairingTrouble(cause: unknown): string {
  if (!(cause instanceof Refusal)) return cause instanceof Error ? cause.message : String(cause)
  const { reason, ...said } = { ...cause.body } as Readonly<Record<string, unknown>>
  const why = spent[String(reason)]
  if (why)
    return `${why}: make a new device there with device create, and start again with its token after --device-token.`
  return Object.values(said).flat().join(' ')
}
