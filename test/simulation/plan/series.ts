import { openSession } from '../machines/session.ts'
import type { Tell } from '../machines/world.ts'
import { openTally } from '../reports.ts'
import type { Outcome } from '../run.ts'
import { drawPlan } from './draw.ts'
import type { Plan } from './plan.ts'
import { shrink } from './shrink.ts'

/** Which seeds to run, and how. */
export interface Series {
  readonly first: number
  readonly count: number
  /** Passes over seeds without a step of this kind. */
  readonly kind: string | undefined
  /** Runs each seed a second time: it must come out the same. */
  readonly twice: boolean
  readonly verbose: boolean
  /** One line of JSON in the end, and nothing else. */
  readonly json: boolean
  readonly stopAtFirst: boolean
  /** How often a failing plan is run in smaller forms. */
  readonly tries: number
  /** Keeps a failing plan; where. */
  readonly keep: (plan: Plan) => string
}

type Say = (text: string) => void

const printed =
  (say: Say): Tell =>
  (time, label, digest) =>
    say(`${time.toFixed(3).padStart(12)} ${label} ${digest.toString(16)}`)

const most = 6

/** So many seeds are drawn for one that is to be run. */
const mostDrawn = 100

const complain = (say: Say, { wrongs }: Outcome): void => {
  for (const wrong of wrongs.slice(0, most)) say(`  ${wrong.slice(0, 600)}`)
  if (wrongs.length > most) say(`  and ${wrongs.length - most} more`)
}

/** Runs plans drawn from seeds; whether all went well. */
export async function runSeeds(series: Series, say: Say): Promise<boolean> {
  const session = await openSession()
  const tally = openTally()
  const tell = series.verbose ? printed(say) : null
  const failed: { seed: number; wrongs: readonly string[] }[] = []
  const began = performance.now()
  let happened = 0
  let runs = 0
  const { first, count, kind } = series
  for (let seed = first; runs < count && seed < first + count * mostDrawn; seed += 1) {
    const plan = drawPlan(String(seed))
    if (kind !== undefined && !plan.steps.some((step) => step.kind === kind)) continue
    const outcome = await session.run(plan, tell)
    runs += 1
    if (!series.json && runs % 100 === 0) say(`${runs} seeds, ${failed.length} went wrong so far`)
    happened += outcome.happened
    tally.add(outcome)
    const again = series.twice ? await session.run(plan) : outcome
    const wrongs =
      again.digest === outcome.digest
        ? outcome.wrongs
        : [...outcome.wrongs, 'a second run came out otherwise']
    if (wrongs.length === 0) continue
    failed.push({ seed, wrongs })
    if (!series.json) {
      say(`seed ${seed} goes wrong:`)
      complain(say, { ...outcome, wrongs })
    }
    if (series.stopAtFirst) break
    if (series.tries === 0) continue
    const smaller = await shrink(
      plan,
      async (one) => (await session.run(one)).wrongs.length > 0,
      series.tries,
    )
    say(`  ${smaller.steps.length} of ${plan.steps.length} steps are enough: ${series.keep(smaller)}`)
  }
  const seconds = (performance.now() - began) / 1000
  if (series.json) {
    say(JSON.stringify({ runs, seconds, happened, failed, reached: tally.reached, missing: tally.missing }))
    return failed.length === 0
  }
  const perRun = (seconds / Math.max(1, runs) / (series.twice ? 2 : 1)) * 1000
  say(`${runs} seeds, ${failed.length} went wrong, ${happened} happenings, ${perRun.toFixed(0)} ms each`)
  for (const [state, count] of tally.reached) say(`  ${String(count).padStart(6)} ${state}`)
  return failed.length === 0
}

/** Runs one plan; whether it went well. */
export async function runPlan(plan: Plan, verbose: boolean, say: Say): Promise<boolean> {
  const session = await openSession()
  const outcome = await session.run(plan, verbose ? printed(say) : null)
  say(outcome.wrongs.length === 0 ? 'nothing goes wrong' : 'this goes wrong:')
  complain(say, outcome)
  return outcome.wrongs.length === 0
}
