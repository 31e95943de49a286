import { type Conditions, fairWeather } from '../machines/weather.ts'
import type { Chance } from './chance.ts'
import type { PlannedMachine, Step } from './plan.ts'

/** How bad the network is, within the ranges that runs of whole clusters are usually tried with. */
function drawConditions(chance: Chance): Conditions {
  const maybe = (rate: number, most: number): number => (chance.happens(rate) ? chance.fraction() * most : 0)
  return {
    ...fairWeather,
    loss: maybe(0.5, 0.3),
    lossBack: maybe(0.5, 0.3),
    duplicate: maybe(0.4, 0.5),
    stuck: maybe(0.4, 0.1),
    stuckFor: 200 + chance.fraction() * 5000,
    cut: maybe(0.3, 0.2),
    captive: maybe(0.15, 0.5),
    proxyError: maybe(0.3, 0.3),
    ownError: maybe(0.3, 0.3),
    delayLeast: chance.fraction() * 30,
    delayMean: 10 + chance.fraction() * 90,
  }
}

/** Which directions a partition closes: one machine alone, two halves, or one direction only. */
function drawCut(chance: Chance, names: readonly string[]): string[] {
  const isOneWay = chance.happens(0.25)
  const alone = chance.pick(names)
  const inside = chance.happens(0.5) ? [alone] : names.filter(() => chance.happens(0.5))
  const outside = names.filter((name) => !inside.includes(name))
  const way = chance.happens(0.5)
  return inside.flatMap((a) =>
    outside.flatMap((b) => {
      if (!isOneWay) return [`${a}>${b}`, `${b}>${a}`]
      return way ? [`${a}>${b}`] : [`${b}>${a}`]
    }),
  )
}

/** Draws which faults exist in a run, and when they happen. */
export function drawFaults(
  chance: Chance,
  machines: readonly PlannedMachine[],
  length: number,
  begin: number,
): Step[] {
  const names = machines.map(({ name }) => name)
  const stations = machines.filter(({ role }) => role === 'station').map(({ name }) => name)
  const below = machines.filter(({ role }) => role !== 'central').map(({ name }) => name)
  const steps: Step[] = []
  const when = (from = 0, to = 1): number =>
    Math.round(begin + (from + chance.fraction() * (to - from)) * (length - begin))
  const lasts = (mean: number): number => Math.round(Math.min(length / 2, chance.around(mean)))
  const some = (rate: number, most: number, step: () => Step): void => {
    const count = chance.happens(rate) ? chance.between(1, most) : 0
    for (let index = 0; index < count; index += 1) steps.push(step())
  }
  some(0.6, 3, () => ({
    at: when(),
    kind: 'weather',
    conditions: drawConditions(chance),
    lasts: lasts(length / 3),
  }))
  some(0.6, 4, () => ({
    at: when(),
    kind: 'cut',
    directions: drawCut(chance, names),
    lasts: lasts(length / 4),
  }))
  some(0.35, 3, () => ({ at: when(), kind: 'power cut', machine: chance.pick(names), lasts: lasts(20_000) }))
  some(0.4, 4, () => ({
    at: when(),
    kind: 'die at commit',
    machine: chance.pick(names),
    moment: chance.pick(['before', 'after']),
    commits: chance.between(1, 12),
    lasts: lasts(15_000),
  }))
  some(0.25, 2, () => ({ at: when(), kind: 'restart', machine: chance.pick(names), lasts: lasts(8000) }))
  some(0.3, 2, () => ({
    at: when(),
    kind: 'set clock',
    machine: chance.pick(below),
    by: Math.round((chance.fraction() - 0.5) * chance.pick([6e4, 8e6])),
  }))
  some(0.2, 2, () => ({
    at: when(),
    kind: 'disk full',
    machine: chance.pick(names),
    ends: chance.happens(0.5),
    lasts: lasts(15_000),
  }))
  some(0.15, 2, () => ({ at: when(), kind: 'disk busy', machine: chance.pick(names), lasts: lasts(5000) }))
  if (chance.happens(0.2)) {
    const machine = chance.pick(below)
    steps.push({ at: when(0, 0.4), kind: 'back up', machine })
    steps.push({ at: when(0.4, 0.9), kind: 'restore', machine, lasts: lasts(5000) })
  }
  // With a hub there is more that central can have forgotten then.
  if (chance.happens(machines.some(({ role }) => role === 'hub') ? 0.35 : 0.15)) {
    steps.push({ at: when(0, 0.4), kind: 'back up', machine: 'central' })
    steps.push({ at: when(0.4, 0.9), kind: 'restore', machine: 'central', lasts: lasts(5000) })
  }
  if (chance.happens(0.08))
    steps.push({ at: when(0.1, 0.8), kind: 'clone', machine: chance.pick(stations), to: 'twin', lasts: 0 })
  return steps
}
