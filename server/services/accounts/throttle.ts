import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import sql from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { Tx } from '../../resource/transactions.ts'

/** How often something may be tried within a time, counted by who or what tries. */
export interface Allowance {
  readonly key: string
  readonly most: number
  readonly seconds: number
}

/** What is stored of a key: neither addresses of users nor of machines are kept. */
const hashOf = ({ key }: Allowance): string => hash('sha256', key)

/** The network that an address belongs to: an address of version 4 itself, and what one customer has of version 6. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const read = ipaddr.process(address)
  return read.kind() === 'ipv4' ? read.toString() : read.toByteArray().slice(0, 8).join('.')
}

/** What guessing a password may cost: by account and network together, by network, and by account. */
export const passwordAllowances = (account: string, address: string): readonly Allowance[] => [
  { key: `password ${account} ${networkOf(address)}`, most: 10, seconds: 900 },
  { key: `password from ${networkOf(address)}`, most: 50, seconds: 900 },
  { key: `password of ${account}`, most: 100, seconds: 3600 },
]

/** What guessing a code of the second factor may cost; the password is known to whoever gets here. */
export const codeAllowances = (user: number): readonly Allowance[] => [
  { key: `code of ${user}`, most: 5, seconds: 900 },
  { key: `code of ${user} in a day`, most: 30, seconds: 86_400 },
]

/** How many mails anybody can have sent to an account, and from a network. */
export const mailAllowances = (account: string, address: string): readonly Allowance[] => [
  { key: `reset of ${account}`, most: 3, seconds: 3600 },
  { key: `reset from ${networkOf(address)}`, most: 20, seconds: 3600 },
]

/**
 * Counts an attempt before it is made, so that many at once count as well; 0 when it may be made, otherwise the seconds
 * until it may.
 */
export async function spend(tx: Tx, allowances: readonly Allowance[]): Promise<number> {
  let wait = 0
  for (const allowance of allowances) {
    const { most, seconds } = allowance
    const resets = instantAt(microsecondsOf(tx.now) + seconds * 1e6)
    const row = await tx.get<{ spent: number; resets: string }>(
      sql`INSERT INTO sign_in_attempt (key_hash, spent, resets) VALUES (${hashOf(allowance)}, 1, ${resets})
          ON CONFLICT (key_hash) DO UPDATE SET
            spent = CASE WHEN sign_in_attempt.resets <= ${tx.now} THEN 1 ELSE sign_in_attempt.spent + 1 END,
            resets = CASE WHEN sign_in_attempt.resets <= ${tx.now} THEN ${resets} ELSE sign_in_attempt.resets END
          RETURNING spent, resets`,
    )
    if (row && row.spent > most)
      wait = Math.max(wait, Math.ceil((microsecondsOf(row.resets) - microsecondsOf(tx.now)) / 1e6))
  }
  return wait
}

/** Gives back what a successful attempt has cost; failures before it on the same keys are forgotten with `wholly`. */
export async function giveBack(tx: Tx, allowances: readonly Allowance[], wholly: boolean): Promise<void> {
  for (const [index, allowance] of allowances.entries())
    await (wholly && index === 0
      ? tx.run(sql`DELETE FROM sign_in_attempt WHERE key_hash = ${hashOf(allowance)}`)
      : tx.run(
          sql`UPDATE sign_in_attempt SET spent = spent - 1 WHERE key_hash = ${hashOf(allowance)} AND spent > 0`,
        ))
}
