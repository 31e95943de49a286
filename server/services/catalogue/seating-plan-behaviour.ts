import sql from 'sql-template-tag'
import type { seatingPlan } from '../../../schema/resources/catalogue/seating-plan.ts'
import { type Layout, layoutSchema } from '../../../schema/seating-layout.ts'
import { layoutProblems, mostSeats, seatsOfLayout } from '../../domain/quotas/seating.ts'
import { denied, invalid, Refusal } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { check } from '../../resource/input.ts'
import type { Tx } from '../../resource/transactions.ts'

const mostProblems = 20

/** What seating plans must keep to; one that seats were made of stays as it is. */
export const seatingPlanBehaviour: Behaviour<typeof seatingPlan> = {
  async prepare(tx, scope, { next, before }) {
    if (before) await refuseInUse(tx, scope.organizer.id, before.id)
    return { ...next, layout: readLayout(next.layout) }
  },
  async beforeDelete(tx, scope, row) {
    await refuseInUse(tx, scope.organizer.id, row.id)
  },
}

async function refuseInUse(tx: Tx, organizer: number, plan: number): Promise<void> {
  for (const table of [sql`event`, sql`subevent`])
    if (
      await tx.get(
        sql`SELECT id FROM ${table} WHERE organizer = ${organizer} AND seating_plan = ${plan} LIMIT 1`,
      )
    )
      throw denied('This seating plan is in use by an event, so it can neither be changed nor deleted.')
}

const wrong = (messages: readonly string[]): Refusal => invalid({ layout: messages.slice(0, mostProblems) })

/** A layout that was sent as an object or as JSON text; 400 on `layout` for what is none. */
function readLayout(sent: unknown): Layout {
  let layout: unknown = sent
  if (typeof sent === 'string')
    try {
      layout = JSON.parse(sent)
    } catch {
      throw wrong(['This is not valid JSON.'])
    }
  try {
    check(layoutSchema, layout)
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.body === null) throw cause
    throw wrong(
      Object.entries(cause.body).flatMap(([part, messages]) =>
        (messages as string[]).map((message) => `${part}: ${message}`),
      ),
    )
  }
  const problems = layoutProblems(layout as Layout)
  if (seatsOfLayout(layout as Layout).length > mostSeats)
    problems.push(`A plan has at most ${mostSeats} seats.`)
  if (problems.length > 0) throw wrong(problems)
  return layout as Layout
}
