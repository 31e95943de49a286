import sql, { join } from 'sql-template-tag'
import type { FieldErrors } from '../../errors.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

/** The kinds of membership that an item or variation names. */
interface MembershipNames {
  readonly require_membership_types: readonly number[]
  readonly grant_membership_type?: number | null
}

const unknown = (id: unknown): string => `Invalid pk "${id}" - object does not exist.`

/**
 * Messages about membership types that an item or variation requires or grants and that do not exist. Those that do are
 * not deleted until the commit.
 */
export async function membershipErrors(tx: Tx, place: Place, row: MembershipNames): Promise<FieldErrors> {
  const required = row.require_membership_types
  const granted = row.grant_membership_type ?? null
  const named = [...new Set([...required, ...(granted === null ? [] : [granted])])]
  if (named.length === 0) return {}
  const found = await tx.all<{ id: number }>(
    sql`SELECT id FROM membership_type WHERE organizer = ${place.organizer} AND id IN (${join(named)})
        ORDER BY id${tx.forUpdate}`,
  )
  const known = new Set(found.map(({ id }) => id))
  const missing = required.filter((id) => !known.has(id))
  return {
    ...(missing.length > 0 ? { require_membership_types: missing.map(unknown) } : {}),
    ...(granted === null || known.has(granted) ? {} : { grant_membership_type: [unknown(granted)] }),
  }
}
