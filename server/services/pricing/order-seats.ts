import type { OwnHolds, SeatState } from '../../domain/quotas/seats.ts'
import { invalid } from '../../errors.ts'
import type { Tx } from '../../resource/transactions.ts'
import { isSeated, seatProblems, seatsByGuid, shownSeat } from '../catalogue/seats.ts'
import type { Attempt } from '../input/attempts.ts'
import type { OrderScope } from './order-draft.ts'

/** What somebody wants to sit on: the seat by its name in the plan, or none. */
interface SeatWish {
  readonly item: number
  readonly subevent: number | null
  readonly seat: string | null
}

/** A seat as a ticket keeps it. */
export type SeatOfTicket = ReturnType<typeof shownSeat>

/** A seat, null where there is none, or complaints under `seat`. */
type SeatChoice = Attempt<SeatOfTicket | null>

const refused = (text: string): SeatChoice => ({ ok: false, errors: { seat: [text] } })

/** For whom seats are chosen. */
interface SeatTerms {
  /** The sales channel. */
  readonly channel: string
  /** What whoever asks holds already. */
  readonly own?: OwnHolds
}

/** Dates in an order in which everybody locks their seats. */
const sortedDates = (wishes: readonly SeatWish[]): (number | null)[] =>
  [...new Set(wishes.filter(({ seat }) => seat !== null).map(({ subevent }) => subevent))].sort(
    (a, b) => (a ?? 0) - (b ?? 0),
  )

/**
 * Chooses the seats of some tickets, which nobody else can take until the commit; one answer for each wish. A product
 * needs a seat exactly where the plan has seats for it.
 */
export async function chooseSeats(
  tx: Tx,
  { place, event: { settings } }: OrderScope,
  wishes: readonly SeatWish[],
  { channel, own = {} }: SeatTerms,
): Promise<SeatChoice[]> {
  const found = new Map<number | null, ReadonlyMap<string, SeatState>>()
  const problems = new Map<number | null, ReadonlyMap<string, string>>()
  for (const date of sortedDates(wishes)) {
    const guids = wishes.flatMap(({ subevent, seat }) => (subevent === date && seat !== null ? [seat] : []))
    const seats = await seatsByGuid(tx, place, date, guids)
    found.set(date, seats)
    problems.set(date, await seatProblems(tx, { place, date, settings, channel, own }, seats.values()))
  }
  const seated = new Map<string, boolean>()
  for (const { item, subevent } of wishes) {
    const key = `${item}/${subevent}`
    if (!seated.has(key)) seated.set(key, await isSeated(tx, place, subevent, item))
  }
  const chosen = new Set<number>()
  return wishes.map(({ item, subevent, seat: guid }) => {
    const needsSeat = seated.get(`${item}/${subevent}`) === true
    if (guid === null)
      return needsSeat ? refused('Choose a seat for this product.') : { ok: true, value: null }
    if (!needsSeat) return refused('This product is not sold with a seat.')
    const seat = found.get(subevent)?.get(guid)
    if (!seat) return refused('This seat does not exist in this event.')
    if (chosen.has(seat.id)) return refused('This seat is chosen twice.')
    chosen.add(seat.id)
    const problem = problems.get(subevent)?.get(guid)
    return problem === undefined ? { ok: true, value: shownSeat(seat) } : refused(problem)
  })
}

/** Chooses the seat of one ticket; throws 400 on `seat` when it cannot be had. */
export async function chooseSeat(
  tx: Tx,
  at: OrderScope,
  wish: SeatWish,
  terms: SeatTerms,
): Promise<SeatOfTicket | null> {
  const [choice] = await chooseSeats(tx, at, [wish], terms)
  if (!choice?.ok) throw invalid((choice?.errors ?? {}) as Record<string, unknown>)
  return choice.value
}
