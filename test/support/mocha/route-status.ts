import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isFull } from './amount.ts'

const output = fileURLToPath(new URL('../../../test-output/', import.meta.url))
/** The folder of this run's notes is told to the processes of the run by this name. */
const variable = 'GATEHOUSE_ROUTE_STATUS'
const described = new URL('../../../schema/openapi.json', import.meta.url)

const reached = new Set<string>()

/** Notes that an operation was seen to answer with a status, once for each process of a run that counts them. */
export function noteReached(key: string): void {
  const notes = process.env[variable]
  if (!notes || reached.has(key)) return
  reached.add(key)
  appendFileSync(`${notes}/${process.pid}`, `${key}\n`)
}

/** What an operation can answer and was seen to answer. */
interface Row {
  readonly route: string
  readonly reached: readonly string[]
  readonly missing: readonly string[]
}

/** Refusals that do not depend on the route: it is enough to have seen them anywhere. */
const anywhere = new Set(['408', '413', '415', '429', '503', '507'])

interface Methods {
  readonly [method: string]: { readonly responses: Readonly<Record<string, unknown>> }
}

/** Every route with the statuses that some processes have seen, and those that they have not. */
function routeStatuses(seen: ReadonlySet<string>): readonly Row[] {
  const { paths }: { paths: Record<string, Methods> } = JSON.parse(readFileSync(described, 'utf8'))
  const seenAnywhere = new Set([...seen].map((key) => key.split(' ').at(-1) ?? ''))
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'parameters')
      .map(([method, { responses }]) => {
        const route = `${method.toUpperCase()} ${path}`
        const isSeen = (status: string): boolean =>
          seen.has(`${route} ${status}`) || (anywhere.has(status) && seenAnywhere.has(status))
        const statuses = Object.keys(responses)
        return {
          route,
          reached: statuses.filter(isSeen),
          missing: statuses.filter((status) => !isSeen(status)),
        }
      }),
  )
}

/** Before all tests: makes room for what they see. */
export function mochaGlobalSetup(): void {
  const notes = `${output}route-status-${process.pid}`
  mkdirSync(notes, { recursive: true })
  process.env[variable] = notes
}

/** Whether this run is of all tests, and as much of each as there is, so that it has to see everything. */
const isComplete = (): boolean => process.argv.length === 2 && isFull

/**
 * After all tests: writes the table of routes and statuses, and says what of it was not seen. A complete run fails
 * then: what is described and never answered is described wrongly, or not tested. Not so where a test has failed, which
 * did not reach what it was written for.
 */
export function mochaGlobalTeardown(this: Mocha.Runner): void {
  const notes = process.env[variable]
  if (!notes) return
  const lines = readdirSync(notes).flatMap((name) => readFileSync(`${notes}/${name}`, 'utf8').split('\n'))
  rmSync(notes, { recursive: true })
  if (lines.length === 0) return
  const rows = routeStatuses(new Set(lines))
  const missing = rows.filter((row) => row.missing.length > 0)
  writeFileSync(`${output}route-status.json`, `${JSON.stringify(rows, null, 2)}\n`)
  const count = (key: 'reached' | 'missing'): number => rows.reduce((sum, row) => sum + row[key].length, 0)
  const listed = missing.map((row) => `    ${row.route}: ${row.missing.join(' ')}\n`)
  process.stdout.write(
    `\n  ${count('reached')} statuses of ${rows.length} routes reached, ${count('missing')} not\n`,
  )
  if (!process.env.GATEHOUSE_TEST_QUICK) process.stdout.write(listed.join(''))
  if (isComplete() && missing.length > 0 && this.failures === 0)
    throw new Error(
      'Not every status that is described was seen; test/fixtures/action-requests.ts has requests for 409.',
    )
}
