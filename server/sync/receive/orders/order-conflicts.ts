import type { SentFact } from '../../../../schema/sync.ts'
import { counts, type QuotaFacts } from '../../../domain/quotas/quotas.ts'
import type { Tx } from '../../../resource/transactions.ts'
import { type RecordedConflict, recordConflict } from '../../../services/checkin/conflict-rows.ts'
import { quotaUsage } from '../../../services/quotas/quota-usage.ts'
import type { ApplyContext } from '../applier.ts'
import type { Renamed } from './order-identity.ts'
import type { SentOrder } from './order-payload.ts'

/** What came to light when an order was stored. */
export interface OrderFindings {
  readonly fact: SentFact
  /** The quotas that count its positions. */
  readonly quotas: readonly QuotaFacts[]
  /** The order as it is stored. */
  readonly sent: SentOrder
  /** The id it was made with, where that was another one's here. */
  readonly given: number | null
  readonly renamed: Renamed | null
  /** The codes that tickets were sold with, by position, where these were others' here. */
  readonly replaced: ReadonlyMap<number, string>
  /** A lease that it was sold from had ended here before it came. */
  readonly isLate: boolean
}

/** Keeps what contradicts an order that has just been stored: quotas that it takes over their size, ids and codes. */
export async function conflictsOf(
  tx: Tx,
  context: ApplyContext,
  found: OrderFindings,
): Promise<RecordedConflict[]> {
  const { fact, quotas } = found
  const { order, positions } = found.sent
  const record = (
    kind: RecordedConflict['kind'],
    key: string,
    position: number | null,
    data: object,
  ): Promise<RecordedConflict> =>
    recordConflict(tx, context.place, {
      key,
      kind,
      severity: 'warning',
      position,
      list: null,
      checkin: null,
      other_checkin: null,
      device: fact.device,
      other_device: null,
      datetime: context.at,
      other_datetime: null,
      data: { order: order.id, code: order.code, ...data },
    })
  const recorded: RecordedConflict[] = []
  if (found.given !== null)
    recorded.push(await record('id_taken', fact.nonce, null, { what: 'order', given: found.given }))
  if (found.renamed) {
    const { order: renamed, code, fresh } = found.renamed
    const data = { what: 'order code', taken: code, renamed, new_code: fresh }
    recorded.push(await record('id_taken', `${fact.nonce}/code`, null, data))
  }
  for (const [position, secret] of found.replaced)
    recorded.push(
      await record('id_taken', `${fact.nonce}/${position}`, position, { what: 'ticket code', taken: secret }),
    )
  if (order.status !== 'p' && order.status !== 'n') return recorded
  for (const { quota, excess } of await exceeded(tx, context, quotas)) {
    const position = positions.find((line) => counts(quota, line))?.id ?? null
    const { id, name, size } = quota
    const data = { quota: id, name, size, excess, at_risk: found.sent.atRisk, late: found.isLate }
    recorded.push(await record('oversold_quota', `${fact.nonce}/${id}`, position, data))
  }
  return recorded
}

interface Exceeded {
  readonly quota: QuotaFacts
  readonly excess: number
}

/** Those of some quotas of which more is sold than there is, and how many more. */
async function exceeded(tx: Tx, { place }: ApplyContext, quotas: readonly QuotaFacts[]): Promise<Exceeded[]> {
  const limited = quotas.filter(({ size }) => size !== null)
  const usage = await quotaUsage(tx, place, limited, tx.now)
  return limited.flatMap((quota) => {
    const { paid, pending } = usage.get(quota.id) ?? { paid: 0, pending: 0 }
    const excess = paid + pending - (quota.size ?? 0)
    return excess > 0 ? [{ quota, excess }] : []
  })
}
