import type { Actor } from '../../resource/actor.ts'
import type { Tx } from '../../resource/transactions.ts'

/** Who stands at a till, as its receipts say. */
export interface Cashier {
  readonly cashier: string
  readonly staff: number | null
}

/** Who has signed in at the device of a caller; its name where nobody has. */
export async function cashierAt(_tx: Tx, actor: Actor): Promise<Cashier> {
  return { cashier: actor.name.slice(0, 190), staff: null }
}
