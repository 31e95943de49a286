import { fairWeather } from '../machines/weather.ts'
import type { Chance } from './chance.ts'
import type { ListName, PlannedMachine, Step } from './plan.ts'

/** What occasions are drawn from. */
interface OccasionParts {
  readonly chance: Chance
  readonly machines: readonly PlannedMachine[]
  readonly tickets: readonly string[]
  readonly lists: readonly ListName[]
  /** The first and the last moment at which one begins; milliseconds since the beginning. */
  readonly begin: number
  readonly end: number
}

/** Cuts a machine off from everybody for a while. */
function cutOff({ machines }: OccasionParts, machine: string, at: number, lasts: number): Step {
  const others = machines.map(({ name }) => name).filter((name) => name !== machine)
  const directions = others.flatMap((other) => [`${machine}>${other}`, `${other}>${machine}`])
  return { at, kind: 'cut', directions, lasts }
}

/** Somebody with a ticket at a station, within some milliseconds from a moment on. */
function drawScan(parts: OccasionParts, machine: string, from: number, within: number): Step {
  const { chance, tickets, lists } = parts
  return {
    at: Math.round(from + chance.fraction() * within),
    kind: 'scan',
    machine,
    ticket: chance.pick(tickets),
    list: chance.pick(lists),
    type: 'entry',
    force: false,
    old: false,
  }
}

const several = (count: number, step: () => Step): Step[] => Array.from({ length: count }, step)

/**
 * A device loses its access, often while it cannot be reached, so that it goes on for a while and tells of it later.
 */
function drawRevocation(parts: OccasionParts, at: number, machine: string): Step[] {
  const revocation: Step = { at, kind: 'revoke device', machine }
  if (parts.chance.happens(0.3)) return [revocation]
  return [
    cutOff(parts, machine, at - 10_000, 40_000),
    revocation,
    ...several(4, () => drawScan(parts, machine, at - 8000, 35_000)),
  ]
}

/**
 * A ticket gets another code, or its order is canceled, and somebody comes with it to a station that may not know yet.
 */
function drawVoided(parts: OccasionParts, at: number, machine: string): Step[] {
  const { chance } = parts
  const ticket = chance.pick(parts.tickets)
  const voiding: Step = { at, kind: chance.happens(0.7) ? 'regenerate' : 'cancel', ticket }
  const scan = drawScan(parts, machine, at, 20_000)
  const steps: Step[] = [voiding, { ...scan, ticket, old: true } as Step]
  return chance.happens(0.6) ? [cutOff(parts, machine, at - 2000, 30_000), ...steps] : steps
}

/** Somebody whom another program has let in on central comes to a station as well. */
function drawAdmittedUpstream(parts: OccasionParts, at: number, machine: string): Step[] {
  const ticket = parts.chance.pick(parts.tickets)
  const list = parts.chance.pick(parts.lists)
  const scan = drawScan(parts, machine, at + 1000, 30_000)
  return [{ at, kind: 'redeem', ticket, list }, { ...scan, ticket, list } as Step]
}

/** The clock of a machine is set back while nobody can tell it the time, and people come. */
function drawSetBack(parts: OccasionParts, at: number, machine: string): Step[] {
  return [
    cutOff(parts, machine, at - 1000, 40_000),
    { at, kind: 'set clock', machine, by: -parts.chance.between(3000, 4_000_000) },
    ...several(3, () => drawScan(parts, machine, at + 2000, 36_000)),
  ]
}

/** Draws what happens to belong together: a few things at the moments at which each matters to the others. */
export function drawOccasions(parts: OccasionParts): Step[] {
  const { chance, begin, end } = parts
  const stations = parts.machines.filter(({ role }) => role === 'station').map(({ name }) => name)
  const some = (
    rate: number,
    most: number,
    draw: (parts: OccasionParts, at: number, machine: string) => Step[],
  ): Step[] => {
    const count = chance.happens(rate) ? chance.between(1, most) : 0
    return Array.from({ length: count }, () =>
      draw(parts, Math.round(begin + chance.fraction() * (end - begin)), chance.pick(stations)),
    ).flat()
  }
  return [
    ...some(0.15, 1, drawRevocation),
    ...some(0.35, 3, drawVoided),
    ...some(0.35, 3, drawAdmittedUpstream),
    ...some(0.15, 2, drawSetBack),
  ]
}

const crowd = 14

/**
 * People who come to all stations when the disk of a machine has been put back, while a slow network has the new copies
 * that are made then take their time.
 */
export function drawCrowds(parts: OccasionParts, steps: readonly Step[]): Step[] {
  const { chance } = parts
  const stations = parts.machines.filter(({ role }) => role === 'station').map(({ name }) => name)
  return steps.flatMap((step): Step[] => {
    if (step.kind !== 'restore' || chance.happens(0.3)) return []
    const from = step.at + step.lasts
    const delayMean = chance.pick([20, 400, 1500])
    return [
      { at: from, kind: 'weather', conditions: { ...fairWeather, delayMean }, lasts: 40_000 },
      ...several(crowd, () => drawScan(parts, chance.pick(stations), from, 40_000)),
    ]
  })
}

/**
 * Tickets that are sold below hubs from what central has leased since its disk was copied and forgets when that copy is
 * put back, and at central and below hubs afterwards.
 */
export function drawForgottenSales({ chance, machines }: OccasionParts, steps: readonly Step[]): Step[] {
  const copied = steps.find((step) => step.kind === 'back up' && step.machine === 'central')
  const restored = steps.find((step) => step.kind === 'restore' && step.machine === 'central')
  const hubs = machines.filter(({ role }) => role === 'hub').map(({ name }) => name)
  const stations = machines.filter(({ upstream }) => hubs.includes(upstream ?? '')).map(({ name }) => name)
  if (!copied || !restored || stations.length === 0) return []
  const sellBetween = (from: number, to: number, ticket: string, sellers: readonly string[]): Step => ({
    at: Math.round(from + chance.fraction() * (to - from)),
    kind: 'sell',
    machine: chance.pick(sellers),
    ticket,
    product: 'scarce',
    count: 1,
    atRisk: false,
  })
  const before = Array.from({ length: 3 }, (_, index) =>
    sellBetween(copied.at, restored.at, `B${index + 1}`, stations),
  )
  const after = Array.from({ length: 14 }, (_, index) =>
    sellBetween(restored.at + 3000, restored.at + 60_000, `A${index + 1}`, ['central', ...stations]),
  )
  return [...before, ...after]
}

/**
 * Sales while the power fails at one of the next commits of whoever sells: the one that notes the key, the one that sells,
 * or a later one.
 */
export function drawInterruptedSales({ chance, machines, begin, end }: OccasionParts): Step[] {
  if (chance.happens(0.5)) return []
  const sellers = machines.filter(({ role }) => role !== 'hub').map(({ name }) => name)
  return Array.from({ length: chance.between(1, 4) }, (_, index): Step[] => {
    const machine = chance.pick(sellers)
    const at = Math.round(begin + chance.fraction() * (end - begin))
    return [
      {
        ...{ at: at - 1, kind: 'die at commit', machine, moment: chance.pick(['before', 'after']) },
        ...{ commits: chance.between(1, 3), lasts: chance.pick([500, 5000, 40_000]) },
      },
      {
        ...{ at, kind: 'sell', machine, ticket: `I${index + 1}`, product: 'plain' },
        ...{ count: chance.between(1, 2), atRisk: false },
      },
    ]
  }).flat()
}
