import { marksOf } from '../../../schema/fields.ts'
import { type Voucher, voucher } from '../../../schema/resources/carts/voucher.ts'
import { resourceByName } from '../../../schema/resources/index.ts'
import { type FieldErrors, invalid, Refusal } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { blankRow } from '../../resource/defaults.ts'
import { readEntries } from '../../resource/input.ts'
import { referenceErrors } from '../../resource/references.ts'
import { insertRows } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { freshVoucherCodes, storedCode } from '../codes/voucher-codes.ts'
import { checkVoucher, loadChecks } from './voucher-check.ts'

/** The vouchers that a request asks for, complete but for their ids and missing codes; throws 400 with what is wrong. */
export function readVouchers(body: unknown, locale: string): Voucher[] {
  const { rows, errors } = readEntries(voucher.fields, body, locale)
  if (errors) throw invalid(Array.isArray(body) ? errors : { non_field_errors: errors })
  return rows.map((row) => ({ ...blankRow(voucher), ...row, code: storedCode(row.code) }))
}

/** Stores vouchers, all of them or none; throws 400 with a list of what is wrong with each. */
export async function createVouchers(tx: Tx, scope: Scope, asked: readonly Voucher[]): Promise<Voucher[]> {
  const repeated = repetitions(asked)
  const dangling = await danglingIn(tx, scope, asked)
  const checks = await loadChecks(tx, scope, asked)
  const errors: FieldErrors[] = []
  for (const [index, row] of asked.entries()) {
    const known = { ...repeated[index], ...dangling[index] }
    errors.push(
      Object.keys(known).length > 0 ? known : await errorsOf(() => checkVoucher(tx, scope, checks, { row })),
    )
  }
  if (errors.some((error) => Object.keys(error).length > 0)) throw invalid(errors)
  const codes = await freshVoucherCodes(tx, scope.place, asked.filter(({ code }) => code === '').length)
  const rows = asked.map((row) => ({ ...row, code: row.code || (codes.pop() ?? ''), id: tx.nextId() }))
  await insertRows(tx, voucher, scope.place, rows)
  for (const [index, { id }] of rows.entries())
    tx.audit(scope.place, scope.actor, {
      action: 'ticketsvc.event.voucher.added',
      resource: voucher.name,
      row: id,
      data: asked[index],
    })
  return rows
}

/** What is asked for twice in one request: a code, or a seat on one date. */
function repetitions(rows: readonly Voucher[]): FieldErrors[] {
  const codes = new Set<string>()
  const seats = new Set<string>()
  return rows.map(({ code, seat, subevent }) => {
    const errors: FieldErrors = {}
    const place = JSON.stringify([seat, subevent])
    if (seat !== null && seats.has(place)) errors.seat = ['Duplicate seat in request.']
    if (code !== '' && codes.has(code)) errors.code = ['Duplicate voucher code in request.']
    seats.add(place)
    codes.add(code)
    return errors
  })
}

const pointers = (Object.keys(voucher.fields) as (keyof Voucher)[]).filter(
  (name) => marksOf(voucher.fields[name]).to,
)

/** What each row points at that does not exist; most rows of a request point at the same. */
async function danglingIn(tx: Tx, scope: Scope, rows: readonly Voucher[]): Promise<FieldErrors[]> {
  const known = new Map<string, FieldErrors>()
  const errors: FieldErrors[] = []
  for (const row of rows) {
    const key = JSON.stringify(pointers.map((name) => row[name]))
    const found =
      known.get(key) ??
      (await referenceErrors(tx, resourceByName, { resource: voucher, place: scope.place }, row))
    known.set(key, found)
    errors.push(found)
  }
  return errors
}

async function errorsOf(check: () => Promise<void>): Promise<FieldErrors> {
  try {
    await check()
    return {}
  } catch (cause) {
    if (cause instanceof Refusal && cause.status === 400) return cause.body as FieldErrors
    throw cause
  }
}
