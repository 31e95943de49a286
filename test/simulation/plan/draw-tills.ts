import type { Chance } from './chance.ts'
import type { PlannedMachine, Step } from './plan.ts'

/** What the work at tills is drawn from. */
interface TillParts {
  readonly chance: Chance
  readonly machines: readonly PlannedMachine[]
  readonly faults: readonly Step[]
  /** The first and the last moment at which a drawer is opened; milliseconds since the beginning. */
  readonly begin: number
  readonly end: number
}

/** What a cashier does with an open drawer. */
function drawAct(chance: Chance, machine: string, at: number, ticket: string): Step {
  const act = chance.pick(['sell', 'sell', 'sell', 'move cash', 'refund'] as const)
  if (act === 'move cash') return { at, machine, kind: act, amount: chance.pick([-1000, -250, 5000]) }
  if (act === 'refund') return { at, machine, kind: act }
  const product = chance.pick(['plain', 'plain', 'scarce'] as const)
  return { at, machine, kind: act, ticket, product, count: chance.between(1, 3), atRisk: false }
}

/** A till: its drawers one after the other, with what is done at each, and power that fails at some of it. */
function drawTill({ chance, begin, end }: TillParts, machine: string, till: number): Step[] {
  const shift = (end - begin) / chance.between(1, 3)
  const steps: Step[] = []
  for (let from = begin; from + shift <= end; from += shift) {
    const moment = (): number => Math.round(from + chance.fraction() * shift * 0.8)
    const float = chance.pick([0, 10_000])
    steps.push({ at: Math.round(from), machine, kind: 'open drawer', float })
    for (let act = chance.between(2, 7); act > 0; act -= 1) {
      const at = moment()
      if (chance.happens(0.15))
        steps.push({
          ...{ at: at - 1, kind: 'die at commit', machine, moment: chance.pick(['before', 'after']) },
          ...{ commits: chance.between(1, 3), lasts: chance.pick([500, 5000]) },
        })
      steps.push(drawAct(chance, machine, at, `C${till}.${steps.length}`))
    }
    const off = chance.pick([0, 0, -500, 120])
    steps.push({ at: Math.round(from + shift * 0.9), machine, kind: 'close drawer', off })
  }
  return steps
}

/** People at tills, in some runs: they open drawers, sell, move cash, give money back, count and close. */
export function drawTills(parts: TillParts): Step[] {
  const { chance, machines } = parts
  if (chance.happens(0.4)) return []
  const stations = machines.filter(({ role }) => role === 'station')
  const first = chance.below(stations.length)
  const count = Math.min(chance.between(1, 3), stations.length)
  return Array.from({ length: count }, (_, index) => stations[(first + index) % stations.length]).flatMap(
    (station, index) =>
      station
        ? [...drawTill(parts, station.name, index + 1), ...drawAfterRestore(parts, station.name, index + 1)]
        : [],
  )
}

/** Where central is put back, all get new copies: a till works on before and after it has its own. */
function drawAfterRestore({ chance, faults }: TillParts, machine: string, till: number): Step[] {
  return faults.flatMap((fault): Step[] => {
    if (fault.kind !== 'restore' || fault.machine !== 'central') return []
    const back = fault.at + fault.lasts
    return [
      { at: fault.at - 6000, machine, kind: 'open drawer', float: 0 },
      { at: fault.at - 3000, machine, kind: 'move cash', amount: 700 },
      ...[4000, 9000, 16_000].map((after, index): Step => {
        const at = Math.round(back + chance.fraction() * after)
        return drawAct(chance, machine, at, `R${till}.${index}`)
      }),
    ]
  })
}
