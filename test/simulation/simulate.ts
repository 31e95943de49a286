import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadServerWith } from './machines/hooks.ts'
import { mutants } from './mutants.ts'
import type { Plan } from './plan/plan.ts'

// Runs the simulation: `--seeds N` runs from seed `--seed S` on (1), each twice with `--twice`, and with `--with KIND`
// those alone that have such a step; `--replay FILE` runs what a failing run has left; `--mutants` plants one fault after
// the other and says how soon each is found, `--mutant NAME` one.

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    twice: { type: 'boolean', default: false },
    with: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    replay: { type: 'string' },
    shrink: { type: 'string', default: '200' },
    out: { type: 'string', default: 'test-output/simulation' },
    mutant: { type: 'string' },
    mutants: { type: 'boolean', default: false },
  },
})
const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

if (values.mutants) {
  const { hunt } = await import('./hunt.ts')
  process.exitCode = (await hunt(mutants, Number(values.seeds), say)) ? 0 : 1
} else {
  const mutant = mutants.find(({ name }) => name === values.mutant)
  if (values.mutant !== undefined && !mutant) throw new Error(`There is no mutant ${values.mutant}.`)
  // What runs in virtual time must be loaded after this.
  loadServerWith(mutant)
  const { runSeeds, runPlan } = await import('./plan/series.ts')
  const isFine =
    values.replay === undefined
      ? await runSeeds(
          {
            first: Number(values.seed),
            count: Number(values.seeds),
            kind: values.with,
            twice: values.twice,
            verbose: values.verbose,
            json: values.json,
            stopAtFirst: mutant !== undefined,
            tries: mutant ? 0 : Number(values.shrink),
            keep(plan) {
              mkdirSync(values.out, { recursive: true })
              const file = `${values.out}/seed-${plan.seed}.json`
              writeFileSync(file, JSON.stringify(plan, null, 2))
              return file
            },
          },
          say,
        )
      : await runPlan(JSON.parse(readFileSync(values.replay, 'utf8')) as Plan, values.verbose, say)
  process.exitCode = isFine ? 0 : 1
}
