import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { amount, isFull } from '../support/mocha/amount.ts'
import { huntOne } from './hunt.ts'
import { mutants } from './mutants.ts'
import { createChance } from './plan/chance.ts'
import { drawPlan } from './plan/draw.ts'
import type { Plan } from './plan/plan.ts'
import { shrink } from './plan/shrink.ts'
import { createTimeline } from './plan/timeline.ts'

const script = fileURLToPath(new URL('./simulate.ts', import.meta.url))

interface Report {
  readonly runs: number
  readonly failed: readonly { readonly seed: number; readonly wrongs: readonly string[] }[]
  readonly missing: readonly string[]
}

/** Runs some seeds twice each, in a process of its own because time is virtual there. */
async function simulate(first: number, count: number): Promise<Report> {
  const args = ['--json', '--twice', '--shrink', '0', '--seed', String(first), '--seeds', String(count)]
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    out += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    err += part
  })
  await once(child, 'close')
  assert.match(out, /^\{/, err)
  return JSON.parse(out)
}

const isQuick = Boolean(process.env.GATEHOUSE_TEST_QUICK)

const each = amount(10, 1)

/** The first seed and how many there are, for each of two processes: about a minute on two cores, or seconds. */
const shares: readonly (readonly [number, number])[] = isQuick
  ? [[117, 1]]
  : [
      [1, each],
      [11, each],
    ]
const seeds = shares.reduce((sum, [, count]) => sum + count, 0)

/** Planted faults that are found soon. */
const soonFound = isFull
  ? ['silence is taken for an answer', 'a hub passes on only what comes in numbers']
  : []

/** What twenty seeds reach for sure; more is reached by more seeds. */
const surely = ['shown ok', 'sold at a station', 'push: request lost', 'a double entry was found']

describe('the simulation', function () {
  this.timeout(600_000)

  it(`finds nothing wrong with ${seeds} seeds, and the same a second time`, async () => {
    const reports = await Promise.all(shares.map(([first, count]) => simulate(first, count)))
    assert.deepEqual(
      reports.flatMap(({ failed }) => failed),
      [],
    )
    assert.equal(
      reports.reduce((sum, { runs }) => sum + runs, 0),
      seeds,
    )
    if (seeds < 20) return
    const missing = surely.filter((state) => reports.every((report) => report.missing.includes(state)))
    assert.deepEqual(missing, [])
  })

  for (const name of soonFound)
    it(`finds out when ${name}`, async () => {
      const mutant = mutants.find((one) => one.name === name)
      assert.ok(mutant)
      const { seeds: needed } = await huntOne(mutant, 20)
      assert.ok(needed !== null, 'it was not found')
    })

  it('has at least fifteen faults to plant, each with a name of its own', () => {
    assert.ok(mutants.length >= 15)
    assert.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length)
  })
})

describe('the parts of the simulation', () => {
  it('draws the same plan from a seed again, and another one from another seed', () => {
    assert.deepEqual(drawPlan('7'), drawPlan('7'))
    assert.notDeepEqual(drawPlan('7'), drawPlan('8'))
  })

  it('draws the same for one purpose however much is drawn for another', () => {
    const calm = createChance('x')
    const busy = createChance('x')
    for (let times = 0; times < 100; times += 1) busy.fraction()
    assert.equal(calm.split('here').fraction(), busy.split('here').fraction())
  })

  it('lets happen what is due in its order, whatever the order of asking', () => {
    const timeline = createTimeline(createChance('t'))
    const happened: string[] = []
    for (const at of [30, 10, 20]) timeline.at(at, `${at}`, () => happened.push(`${at}@${timeline.now}`))
    const taken = timeline.at(15, 'taken back', () => happened.push('never'))
    taken()
    for (let due = timeline.next(25); due; due = timeline.next(25)) due.run()
    assert.deepEqual(happened, ['10@10', '20@20'])
    timeline.rest(25)
    assert.equal(timeline.now, 25)
  })

  it('shrinks a plan to the steps that make it go wrong', async () => {
    const plan = drawPlan('3')
    const culprits = [plan.steps[5], plan.steps[20]]
    const goesWrong = async (one: Plan): Promise<boolean> =>
      culprits.every((step) => step !== undefined && one.steps.includes(step))
    const smaller = await shrink(plan, goesWrong, 500)
    assert.deepEqual(smaller.steps, culprits)
  })
})
