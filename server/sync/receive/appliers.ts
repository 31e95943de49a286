import type { FactKind } from '../../../schema/sync.ts'
import { applyAnnulment } from './annulment.ts'
import { applyAnswers } from './answers.ts'
import type { Applier } from './applier.ts'
import { applyCheckin } from './checkin.ts'
import { applyDevice } from './device.ts'
import { applyGiftCard } from './gift-card.ts'
import { applyLease } from './lease.ts'
import { applyOrder } from './order.ts'
import { applyPrint } from './print.ts'

export type Appliers = Readonly<Record<FactKind, Applier>>

/** How each kind of fact is applied. */
export const appliers: Appliers = {
  checkin: applyCheckin,
  annulment: applyAnnulment,
  answers: applyAnswers,
  order: applyOrder,
  device: applyDevice,
  lease: applyLease,
  gift_card: applyGiftCard,
  print: applyPrint,
}
