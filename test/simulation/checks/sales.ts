import type { Run } from '../run.ts'
import type { Held } from './reading.ts'

/** Whether each key has sold once, wherever orders are held; what a disk has lost may have been sold again. */
export function checkSales({ record }: Run, central: Held, others: readonly Held[]): void {
  for (const held of [central, ...others])
    for (const { email, count } of held.all<{ email: string; count: number }>(
      `SELECT email, count(*) AS count FROM orders WHERE email LIKE '%@sale.test'
       GROUP BY email HAVING count(*) > 1`,
    ))
      if (!record.sales.get(email)?.mayDiffer)
        record.wrongs.push(`${held.name} has ${count} orders of one sale, ${email}`)
}
