import sql, { type Sql } from 'sql-template-tag'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { denied } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { flagParameter, type Query, single } from '../../resource/query.ts'
import { countRows } from '../../resource/store.ts'
import { freshVoucherCodes, storedCode } from '../codes/voucher-codes.ts'
import { checkVoucher, loadChecks } from './voucher-check.ts'

/** What vouchers must keep to. */
export const voucherRules: Behaviour = {
  async prepare(tx, scope, { next, before }) {
    const code = storedCode(String(next.code)) || String(before?.code ?? '')
    const row = { ...next, code }
    await checkVoucher(tx, scope, await loadChecks(tx, scope, [row], before), row, before)
    return code === '' ? { ...row, code: (await freshVoucherCodes(tx, scope.place, 1))[0] } : row
  },
  conditions: (_, query, now) => [...codeConditions(query), ...activeConditions(query, now)],
  async beforeDelete(tx, scope, row) {
    const isUsed =
      Number(row.redeemed) > 0 ||
      (await countRows(tx, orderPosition, scope.place, sql`voucher = ${Number(row.id)}`)) > 0
    if (isUsed) throw denied('This voucher has been redeemed and cannot be deleted.')
  },
}

function codeConditions(query: Query): Sql[] {
  const code = single(query, 'code')
  return code === undefined || code === '' ? [] : [sql`code = ${storedCode(code)}`]
}

/** A voucher is active while it can still be used. */
function activeConditions(query: Query, now: string): Sql[] {
  const wanted = flagParameter(query, 'active')
  if (wanted === undefined) return []
  return wanted
    ? [sql`redeemed < max_usages`, sql`(valid_until IS NULL OR valid_until > ${now})`]
    : [sql`(redeemed >= max_usages OR valid_until <= ${now})`]
}
