import type { ScanResult } from '../../schema/bodies/scan-result.ts'

/** The four ways a result can look and sound. */
export type ResultKind = 'ok' | 'attention' | 'refused' | 'question'

/** What kind of answer a result is for the person at the gate. */
export function resultKind(result: ScanResult): ResultKind {
  if (result.status === 'incomplete') return 'question'
  if (result.status === 'error') return offersUnpaid(result) ? 'question' : 'refused'
  return result.require_attention || result.checkin_texts.length > 0 ? 'attention' : 'ok'
}

/** Whether something can be done about an unpaid ticket: it may be admitted all the same, or paid here. */
export const offersUnpaid = (result: ScanResult): boolean =>
  result.status === 'error' &&
  result.reason === 'unpaid' &&
  (result.can_ignore_unpaid || result.owed !== null)
