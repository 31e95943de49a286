import assert from 'node:assert/strict'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '../../server/storage/database.ts'
import type { Said } from '../bench/statements.ts'

/** A step of a plan as PostgreSQL describes it. */
export interface PlanStep {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly PlanStep[]
}

/** A step with all below it. */
export const stepsOf = (step: PlanStep): readonly PlanStep[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)]

const literal = (value: unknown): string =>
  value === null
    ? 'NULL'
    : typeof value === 'number'
      ? String(value)
      : `'${String(value).replaceAll("'", "''")}'`

/** The statement with its parameters numbered. */
function numbered(text: string): string {
  let count = 0
  return text.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
}

/** A statement without values. */
export const plain = (text: string): Sql => sql`${raw(text)}`

/** How a statement is explained. */
interface Asked {
  /** With what is known of its values, or whatever they are. */
  readonly mode: string
  /** What is said to EXPLAIN besides; by default it is carried out. */
  readonly how?: string
}

/** How PostgreSQL carries a statement out. */
export async function planOf(
  tx: Queryable,
  { text, values }: Said,
  { mode, how = 'ANALYZE' }: Asked,
): Promise<PlanStep> {
  await tx.run(plain(`SET LOCAL plan_cache_mode = ${mode}`))
  await tx.run(plain(`PREPARE looked AS ${numbered(text)}`))
  const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
  const [row] = await tx.all<{ 'QUERY PLAN': readonly { Plan: PlanStep }[] }>(
    plain(`EXPLAIN (${how}, FORMAT JSON) EXECUTE looked${given}`),
  )
  await tx.run(plain('DEALLOCATE looked'))
  const [plan] = row?.['QUERY PLAN'] ?? []
  assert.ok(plan)
  return plan.Plan
}
