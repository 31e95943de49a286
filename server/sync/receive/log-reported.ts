import type { FactResult, SentFact } from '../../../schema/sync.ts'
import { type Log, loggedCode, loggedNonce } from '../../log.ts'
import { readAnnulment } from './annulment.ts'
import { readCheckin } from './checkin-payload.ts'

/** A scan that a station has decided, in the words of the lines that are written for scans. */
function scanLine(fact: SentFact): Readonly<Record<string, unknown>> {
  const { row, secret } = readCheckin(fact)
  const code = secret ?? row.raw_barcode
  return {
    code: code === null ? undefined : loggedCode(code),
    type: row.type,
    result: row.successful ? 'ok' : 'error',
    ...(row.error_reason === null ? {} : { reason: row.error_reason }),
    list: row.list,
    position: row.position ?? undefined,
    nonce: loggedNonce(row.nonce),
    at: row.datetime,
  }
}

/** Writes down what a device has reported of scans, and how much of anything was refused. */
export function logReported(
  log: Log,
  device: number,
  { facts, results }: { readonly facts: readonly SentFact[]; readonly results: readonly FactResult[] },
): void {
  const applied = new Set(results.flatMap(({ status, nonce }) => (status === 'applied' ? [nonce] : [])))
  for (const fact of facts) {
    if (!applied.has(fact.nonce)) continue
    if (fact.kind === 'checkin') log.info('scan reported', { ...scanLine(fact), device })
    if (fact.kind === 'annulment')
      log.info('undone scan reported', { nonce: loggedNonce(readAnnulment(fact).nonce), device })
  }
  const refused = results.filter(({ status }) => status === 'rejected')
  if (refused.length === 0) return
  log.warn('facts refused', {
    device,
    count: refused.length,
    reasons: [...new Set(refused.map(({ reason }) => reason))],
  })
}
