import type { Actor } from '../../resource/actor.ts'
import type { Tx } from '../../resource/transactions.ts'
import { staffAt } from '../accounts/staff-sign-in.ts'

/** Who stands at a till, as its receipts say. */
interface Cashier {
  readonly cashier: string
  readonly staff: number | null
}

/** Who has signed in at the device of a caller; the name of the device where nobody has. */
export async function cashierAt(tx: Tx, actor: Actor): Promise<Cashier> {
  const row = await staffAt(tx, actor)
  if (!row) return { cashier: actor.name.slice(0, 190), staff: null }
  return { cashier: row.short_name === '' ? row.name : row.short_name, staff: row.id }
}
