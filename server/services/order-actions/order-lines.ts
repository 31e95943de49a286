import sql, { join } from 'sql-template-tag'
import { cartPosition } from '../../../schema/resources/carts/cart-position.ts'
import { numberPositions } from '../../domain/orders/order-numbers.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { removeRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { discountsOf } from '../catalogue/discount-behaviour.ts'
import { takenSecrets } from '../codes/order-codes.ts'
import { type Attempt, aligned, attempt } from '../input/attempts.ts'
import type { OrderCatalogue } from '../pricing/order-catalogue.ts'
import type { OrderScope, PositionDraft } from '../pricing/order-draft.ts'
import type { OrderInput } from '../pricing/order-input.ts'
import { type CheckedLine, loadParts, priceLines } from '../pricing/order-line-prices.ts'
import type { PriceTerms } from '../pricing/order-pricing.ts'
import { chooseSeats } from '../pricing/order-seats.ts'
import { findVouchers, takeUses, voucherFor } from '../pricing/order-voucher-check.ts'
import { checkAnswers, checkChoice } from '../pricing/position-check.ts'
import type { PositionInput } from '../pricing/position-input.ts'
import { quotasOf } from '../quotas/quota-usage.ts'

/** The values of a list without complaints; throws 400 with messages aligned with the positions. */
function allGood<T>(attempts: readonly Attempt<T>[]): T[] {
  const errors = aligned(attempts)
  if (errors) throw invalid({ positions: errors })
  return attempts.flatMap((one) => (one.ok ? [one.value] : []))
}

/** Holds the positions of a new order against the catalogue, all of them before anything is refused. */
export async function checkLines(
  tx: Tx,
  at: OrderScope,
  input: OrderInput,
  catalogue: OrderCatalogue,
): Promise<CheckedLine[]> {
  const { positions } = input
  const numbering = numberPositions(positions)
  const secrets = positions.flatMap(({ secret }) => secret || [])
  const taken = await takenSecrets(tx, at.place, secrets)
  const vouchers = await findVouchers(tx, at.place, positions)
  const seats = await seatsNamed(tx, at.place, positions)
  const quotas = vouchers.size > 0 ? await quotasOf(tx, at.place) : []
  return allGood(
    positions.map((position, index): Attempt<CheckedLine> => {
      const errors: FieldErrors = numbering.ok ? {} : { ...numbering.errors[index] }
      const { secret } = position
      if (secret && (taken.has(secret) || secrets.indexOf(secret) !== secrets.lastIndexOf(secret)))
        errors.secret = ['This ticket code is already in use.']
      const { seat, subevent } = position
      if (seat !== null && tx.site !== 0)
        errors.seat = ['Seats are given out by the central server, not here.']
      else if (seat !== null && !seats.has(seatKey(subevent ?? null, seat)))
        errors.seat = ['This seat does not exist in this event.']
      const item = attempt(() => checkChoice(catalogue, at, position, input.force))
      const answers = attempt(() => checkAnswers(catalogue, at, position.answers))
      const voucher = attempt(() => voucherFor(vouchers, quotas, position, tx))
      for (const read of [item, answers, voucher]) if (!read.ok) Object.assign(errors, read.errors)
      if (!item.ok || !answers.ok || !voucher.ok || Object.keys(errors).length > 0)
        return { ok: false, errors }
      const checked = { item: item.value, answers: answers.value, voucher: voucher.value }
      return { ok: true, value: { ...checked, input: position, positionid: index + 1 } }
    }),
  )
}

const seatKey = (subevent: number | null, guid: string): string => `${subevent}/${guid}`

/** Those of the seats that some positions name that exist, whoever has them. */
async function seatsNamed(
  tx: Tx,
  { organizer, event }: Place,
  positions: readonly PositionInput[],
): Promise<ReadonlySet<string>> {
  const guids = positions.flatMap(({ seat }) => seat ?? [])
  if (guids.length === 0) return new Set()
  const rows = await tx.all<{ subevent: number | null; seat_guid: string }>(
    sql`SELECT subevent, seat_guid FROM seat
        WHERE organizer = ${organizer} AND event = ${event} AND seat_guid IN (${join([...new Set(guids)])})`,
  )
  return new Set(rows.map(({ subevent, seat_guid }) => seatKey(subevent, seat_guid)))
}

/** The positions of a new order as they were checked, how they are priced, and the carts that become the order. */
export interface CheckedOrder {
  readonly terms: PriceTerms
  readonly lines: readonly CheckedLine[]
  readonly carts: readonly ConsumedCart[]
}

/** Takes vouchers and seats for the positions of a new order, in this order, and prices them. */
export async function priceAndSeat(
  tx: Tx,
  at: OrderScope,
  input: OrderInput,
  { terms, lines, carts }: CheckedOrder,
): Promise<PositionDraft[]> {
  const sure = await withUses(tx, at.place, lines, carts)
  const channel = input.facts.sales_channel ?? 'web'
  const own = {
    carts: new Set(carts.map(({ id }) => id)),
    vouchers: new Set(sure.flatMap(({ voucher }) => (voucher ? [voucher.id] : []))),
  }
  const wishes = sure.map(({ input: { item, subevent, seat } }) => ({
    ...{ item, subevent: subevent ?? null, seat },
  }))
  const seats = allGood(await chooseSeats(tx, at, wishes, { channel, own }))
  const parts = await loadParts(
    tx,
    at.place,
    sure.map((one) => one.input),
  )
  const discounts = await discountsOf(tx, at.place)
  const purchase = { now: tx.now, channel, step: terms.step }
  // Whoever stands at the screen of a till names a price only where the buyer may, and then none that is too small.
  const mayCostLess = at.actor.kind !== 'station'
  const drafts = allGood(priceLines({ ...terms, parts, discounts, purchase, mayCostLess }, sure))
  return drafts.map((draft, index) => ({ ...draft, seat: seats[index] ?? null }))
}

/** The same lines with their vouchers as they are while nobody else can use them. */
async function withUses(
  tx: Tx,
  place: Place,
  lines: readonly CheckedLine[],
  carts: readonly ConsumedCart[],
): Promise<CheckedLine[]> {
  const uses = await takeUses(
    tx,
    place,
    lines.map(({ voucher }) => voucher),
    carts,
  )
  return allGood(
    lines.map((line, index): Attempt<CheckedLine> => {
      const voucher = uses[index] ?? null
      return line.voucher && !voucher
        ? { ok: false, errors: { voucher: ['This voucher has been used as often as it can be.'] } }
        : { ok: true, value: { ...line, voucher } }
    }),
  )
}

/** What a cart holds of a product. */
export interface ConsumedCart {
  readonly id: number
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly addon_to: number | null
  /** Whether its place in the quotas is a voucher's, and not its own. */
  readonly by_voucher: number
}

/** What some carts hold that has not expired; nobody else takes it until the commit. */
export async function lockCarts(tx: Tx, place: Place, cartIds: readonly string[]): Promise<ConsumedCart[]> {
  if (cartIds.length === 0) return []
  const inPlace = sql`organizer = ${place.organizer} AND event = ${place.event}`
  const wanted = sql`${inPlace} AND cart_id IN (${join([...new Set(cartIds)])}) AND expires >= ${tx.now}`
  const locked = await tx.all<{ id: number }>(
    sql`SELECT id FROM cart_position WHERE ${wanted} ORDER BY id${tx.forUpdate}`,
  )
  if (locked.length === 0) return []
  return tx.all<ConsumedCart>(
    sql`SELECT c.id, c.item, c.variation, c.subevent, c.addon_to,
          CASE WHEN EXISTS (
            SELECT 1 FROM voucher v WHERE v.organizer = c.organizer AND v.id = c.voucher AND v.block_quota = 1
              AND (v.valid_until IS NULL OR v.valid_until >= ${tx.now})) THEN 1 ELSE 0 END AS by_voucher
        FROM cart_position c
        WHERE c.organizer = ${place.organizer} AND c.id IN (${join(locked.map(({ id }) => id))}) ORDER BY c.id`,
  )
}

/** Removes carts that have become an order. */
export async function consumeCarts(tx: Tx, place: Place, carts: readonly ConsumedCart[]): Promise<void> {
  const childrenFirst = [...carts].sort((a, b) => Number(a.addon_to === null) - Number(b.addon_to === null))
  for (const { id } of childrenFirst) await removeRow(tx, cartPosition, place, id)
}
