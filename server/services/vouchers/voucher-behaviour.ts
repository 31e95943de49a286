import sql, { type Sql } from 'sql-template-tag'
import type { voucher } from '../../../schema/resources/carts/voucher.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { denied } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { flagParameter, type Query, single } from '../../resource/query.ts'
import { countRows } from '../../resource/store.ts'
import { freshVoucherCodes, storedCode } from '../codes/voucher-codes.ts'
import { checkVoucher, loadChecks } from './voucher-check.ts'

/** What vouchers must keep to. */
export const voucherBehaviour: Behaviour<typeof voucher> = {
  async prepare(tx, scope, { next, before }) {
    const code = storedCode(next.code) || (before?.code ?? '')
    const row = { ...next, code }
    await checkVoucher(tx, scope, await loadChecks(tx, scope, [row], before), { row, before })
    if (code !== '') return row
    const [fresh = ''] = await freshVoucherCodes(tx, scope.place, 1)
    return { ...row, code: fresh }
  },
  conditions: (_, query, now) => [...codeConditions(query), ...activeConditions(query, now)],
  async beforeDelete(tx, scope, row) {
    const isUsed =
      row.redeemed > 0 || (await countRows(tx, orderPosition, scope.place, sql`voucher = ${row.id}`)) > 0
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
