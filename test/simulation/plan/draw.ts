import { type Chance, createChance } from './chance.ts'
import { drawFaults } from './draw-faults.ts'
import { drawCrowds, drawForgottenSales, drawInterruptedSales, drawOccasions } from './draw-occasions.ts'
import { drawTills } from './draw-tills.ts'
import { firstTickets, type ListName, listNames, type Plan, type PlannedMachine, type Step } from './plan.ts'

/** How much happens in a run. */
interface Size {
  /**
   * Milliseconds with faults: one of these. Much at once is found out sooner, what takes its time only in long runs.
   */
  readonly lengths: readonly number[]
  readonly scans: number
}

/** When people come: until then machines are unpacked. */
const begin = 20_000

/** Tills open once their stations have joined, most of them. */
const tillsLater = 5000

/** What a usual run does. */
const usualSize: Size = { lengths: [45_000, 80_000, 150_000], scans: 50 }

function drawMachines(chance: Chance): PlannedMachine[] {
  const hubs = chance.happens(0.35) ? (chance.happens(0.25) ? 2 : 1) : 0
  const stations = chance.between(2, hubs > 0 ? 4 : 5)
  const skews = chance.happens(0.5)
  const make = (name: string, role: PlannedMachine['role'], upstream: string | null): PlannedMachine => ({
    name,
    role,
    upstream,
    clockAhead:
      skews && role !== 'central' ? Math.round((chance.fraction() - 0.5) * chance.pick([2e3, 6e4, 4e6])) : 0,
    clockRate: skews ? 1 + (chance.fraction() - 0.5) * 4e-4 : 1,
    confirm: chance.pick([0, 400, 400, 1500]),
    sellAtRisk: chance.pick([0, 0, 2]),
  })
  const machines = [make('central', 'central', null)]
  for (let hub = 1; hub <= hubs; hub += 1) machines.push(make(`hub${hub}`, 'hub', 'central'))
  for (let station = 1; station <= stations; station += 1) {
    const upstream = hubs > 0 && chance.happens(0.7) ? `hub${chance.between(1, hubs)}` : 'central'
    machines.push(make(`station${station}`, 'station', upstream))
  }
  return machines
}

/** Which of the optional happenings exist at all in a run, so that each also happens without the others. */
interface Activities {
  readonly lists: readonly ListName[]
  readonly tickets: readonly string[]
  readonly exits: number
  readonly forces: number
  readonly undoes: number
  readonly sells: number
  readonly cancels: number
  readonly regenerates: number
  readonly redeems: number
  readonly renames: number
}

function drawActivities(chance: Chance): Activities {
  const maybe = (rate: number, most: number): number => (chance.happens(rate) ? chance.between(1, most) : 0)
  const lists = chance.happens(0.5) ? [chance.pick(listNames)] : listNames
  return {
    lists,
    // Few tickets meet each other at several stations; many make long queues of facts about different ones.
    tickets: firstTickets.slice(0, chance.pick([4, 12, 40, 160])),
    exits: chance.happens(0.5) ? 0.3 : 0,
    forces: chance.happens(0.4) ? 0.1 : 0,
    undoes: maybe(0.4, 5),
    sells: maybe(0.5, 14),
    cancels: maybe(0.5, 4),
    regenerates: maybe(0.5, 4),
    redeems: maybe(0.5, 8),
    renames: maybe(0.5, 3),
  }
}

/** Somebody has taken a device of an entrance that reports to central or to a hub. */
function drawThief(chance: Chance, machines: readonly PlannedMachine[], length: number): Step[] {
  if (chance.happens(0.3)) return []
  const machine = chance.pick(machines.filter(({ role }) => role !== 'station')).name
  return Array.from({ length: chance.between(2, 12) }, () => ({
    at: Math.round(begin + chance.fraction() * (length - begin)),
    kind: 'report falsely',
    machine,
  }))
}

/** Draws what a run does from a seed. */
export function drawPlan(seed: string, size: Size = usualSize): Plan {
  const chance = createChance(`plan ${seed}`)
  const machines = drawMachines(chance.split('machines'))
  const activities = drawActivities(chance.split('doings'))
  const stations = machines.filter(({ role }) => role === 'station').map(({ name }) => name)
  const length = chance.split('length').pick(size.lengths)
  const own = chance.split('steps')
  const when = (): number => Math.round(begin + own.fraction() * (length - begin))
  const steps: Step[] = []
  const times = (count: number, step: (index: number) => Step): void => {
    for (let index = 0; index < count; index += 1) steps.push(step(index))
  }
  times(size.scans, () => ({
    at: when(),
    kind: 'scan',
    machine: own.pick(stations),
    ticket: own.pick(activities.tickets),
    list: own.pick(activities.lists),
    type: own.happens(activities.exits) ? 'exit' : 'entry',
    force: own.happens(activities.forces),
    old: own.happens(activities.regenerates > 0 ? 0.4 : 0),
  }))
  times(activities.undoes, () => ({ at: when(), kind: 'undo', machine: own.pick(stations) }))
  times(activities.sells, (index) => {
    const machine = own.happens(0.3) ? 'central' : own.pick(stations)
    return {
      at: when(),
      kind: 'sell',
      machine,
      ticket: `N${index + 1}`,
      product: own.happens(0.8) ? 'scarce' : 'plain',
      count: own.between(1, 3),
      atRisk: machine !== 'central' && own.happens(0.2),
    }
  })
  // What was sold in the run is also scanned in it.
  times(activities.sells, (index) => ({
    at: when(),
    kind: 'scan',
    machine: own.pick(stations),
    ticket: `N${index + 1}`,
    list: own.pick(activities.lists),
    type: 'entry',
    force: false,
    old: false,
  }))
  times(activities.cancels, () => ({ at: when(), kind: 'cancel', ticket: own.pick(activities.tickets) }))
  times(activities.regenerates, () => ({
    at: when(),
    kind: 'regenerate',
    ticket: own.pick(activities.tickets),
  }))
  times(activities.redeems, () => ({
    at: when(),
    kind: 'redeem',
    ticket: own.pick(activities.tickets),
    list: own.pick(activities.lists),
  }))
  times(activities.renames, (index) => ({
    at: when(),
    kind: 'rename',
    list: own.pick(listNames),
    name: `Renamed ${index}`,
  }))
  const faults = drawFaults(chance.split('faults'), machines, length, begin)
  steps.push(...drawThief(chance.split('thief'), machines, length))
  const { tickets, lists } = activities
  const occasions = { chance: chance.split('occasions'), machines, tickets, lists, begin, end: length }
  steps.push(...faults, ...drawOccasions(occasions), ...drawCrowds(occasions, faults))
  steps.push(...drawForgottenSales({ ...occasions, chance: chance.split('forgotten sales') }, faults))
  steps.push(...drawInterruptedSales({ ...occasions, chance: chance.split('interrupted sales') }))
  steps.push(
    ...drawTills({ chance: chance.split('tills'), machines, faults, begin: begin + tillsLater, end: length }),
  )
  const plan: Plan = {
    seed,
    machines,
    steps: steps.toSorted((a, b) => a.at - b.at),
    faultsEnd: length,
    healing: 240_000,
  }
  const nights = chance.split('nights')
  return nights.happens(0.2)
    ? withNight(plan, nights.between(30_000, length), nights.between(1, 20) * 1_800_000)
    : plan
}

/** The plan with some hours in it during which everything is off. */
const withNight = (plan: Plan, at: number, lasts: number): Plan => ({
  ...plan,
  steps: [
    ...plan.steps.filter((step) => step.at < at),
    { at, kind: 'night', lasts },
    ...plan.steps.filter((step) => step.at >= at).map((step) => ({ ...step, at: step.at + lasts })),
  ],
  faultsEnd: plan.faultsEnd + lasts,
})
