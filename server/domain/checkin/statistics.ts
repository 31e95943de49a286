import type { ListStatistics, NamedPasses, QuarterPasses } from '../../../schema/bodies/station-state.ts'
import type { Reason } from '../rules/facts.ts'

/** How many went in and out in a quarter of an hour (`2026-11-25T17:45`, in UTC) at a gate. */
export interface PassCount {
  readonly quarter: string
  readonly gate: number | null
  readonly entries: number
  readonly exits: number
}

/** How many tickets of a product came first in a quarter of an hour at a gate, and how often they went in and out in all. */
export interface TicketCount {
  /** Null for those that have only left. */
  readonly quarter: string | null
  /** The id of the gate as text; empty or null for none. */
  readonly gate: string | null
  readonly item: number | null
  readonly variation: number | null
  readonly tickets: number
  readonly entries: number
  readonly exits: number
}

/** How many scans were refused for a reason. */
export interface RefusedCount {
  readonly reason: Reason
  readonly count: number
}

/** The scans of a list as the database sums them. */
export interface ListSums {
  readonly passes: readonly PassCount[]
  readonly tickets: readonly TicketCount[]
  readonly refused: readonly RefusedCount[]
}

/** The names that the numbers of a list are shown under. */
export interface StatisticsNames {
  readonly gates: ReadonlyMap<number, string>
  /** Products and their variations, in the order in which they are shown. */
  readonly items: ReadonlyMap<number, string>
  readonly variations: ReadonlyMap<number, string>
}

interface Passes {
  first_entries: number
  reentries: number
  exits: number
}

const none = (): Passes => ({ first_entries: 0, reentries: 0, exits: 0 })

const quarterLength = 15 * 60_000

/** How many quarters are shown one by one: a day, so that an evening that goes past midnight is one picture. */
const mostQuarters = 96

/** The numbers of a list as they are shown, from what the database has summed. */
export function listStatistics(
  { passes, tickets, refused }: ListSums,
  names: StatisticsNames,
): Omit<ListStatistics, 'list_name' | 'timezone'> {
  const byGate = new Map<number | null, Passes>()
  const byQuarter = new Map<string, Passes>()
  const total = none()
  for (const { quarter, gate, entries, exits } of passes)
    for (const sums of [total, of(byGate, gate), of(byQuarter, quarter)]) {
      sums.reentries += entries
      sums.exits += exits
    }
  // What was no first entry came again.
  for (const { quarter, gate, tickets: first } of tickets)
    if (quarter !== null)
      for (const sums of [total, of(byGate, gate ? Number(gate) : null), of(byQuarter, quarter)]) {
        sums.first_entries += first
        sums.reentries -= first
      }
  return {
    total: { ...total, refused: refused.reduce((sum, { count }) => sum + count, 0) },
    ...inQuarters(byQuarter),
    products: productsOf(tickets, names),
    gates: inOrder(byGate, names.gates),
    refused,
  }
}

/** The sums of a key, none at first. */
function of<Key>(sums: Map<Key, Passes>, key: Key): Passes {
  const known = sums.get(key) ?? none()
  sums.set(key, known)
  return known
}

/** The last quarters without a gap, and the sum of all before them. */
function inQuarters(sums: ReadonlyMap<string, Passes>): Pick<ListStatistics, 'quarters' | 'earlier'> {
  const starts = [...sums.keys()].map((quarter) => Date.parse(`${quarter}Z`))
  const last = Math.max(...starts)
  const first = Math.max(Math.min(...starts), last - (mostQuarters - 1) * quarterLength)
  const earlier = none()
  for (const [quarter, { first_entries, reentries, exits }] of sums)
    if (Date.parse(`${quarter}Z`) < first) {
      earlier.first_entries += first_entries
      earlier.reentries += reentries
      earlier.exits += exits
    }
  const quarters: QuarterPasses[] = []
  for (let start = first; start <= last; start += quarterLength) {
    const from = new Date(start).toISOString()
    quarters.push({ from, ...(sums.get(from.slice(0, 16)) ?? none()) })
  }
  return { quarters, earlier }
}

function productsOf(tickets: readonly TicketCount[], names: StatisticsNames): readonly NamedPasses[] {
  const byItem = new Map<number | null, Map<number | null, Passes>>()
  for (const { quarter, item, variation, tickets: count, entries, exits } of tickets) {
    const variations = byItem.get(item) ?? new Map<number | null, Passes>()
    byItem.set(item, variations)
    const sums = of(variations, variation)
    const first = quarter === null ? 0 : count
    sums.first_entries += first
    sums.reentries += entries - first
    sums.exits += exits
  }
  return orderOf(byItem, names.items).flatMap((item) => {
    const name = item === null ? null : (names.items.get(item) ?? null)
    return inOrder(byItem.get(item) ?? new Map(), names.variations).map((variation) => ({
      ...variation,
      id: item,
      name: variation.name === null ? name : `${name ?? ''} · ${variation.name}`,
    }))
  })
}

/** The keys of sums in the order of their names, those without a name last. */
const orderOf = (
  sums: ReadonlyMap<number | null, unknown>,
  names: ReadonlyMap<number, string>,
): (number | null)[] => [
  ...[...names.keys()].filter((id) => sums.has(id)),
  ...[...sums.keys()].filter((id) => id === null || !names.has(id)),
]

const inOrder = (
  sums: ReadonlyMap<number | null, Passes>,
  names: ReadonlyMap<number, string>,
): readonly NamedPasses[] =>
  orderOf(sums, names).map((id) => ({
    id,
    name: id === null ? null : (names.get(id) ?? null),
    ...(sums.get(id) ?? none()),
  }))
