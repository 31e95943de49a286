import type { Run } from '../run.ts'
import type { Held } from './reading.ts'

/** Whether everything that stations have shown is on central once, or waits where users see it. */
export function checkFacts(run: Run, central: Held, others: readonly Held[]): void {
  const { record } = run
  const counted = new Map<string, number>()
  for (const { nonce, count } of central.all<{ nonce: string; count: number }>(
    'SELECT nonce, count(*) AS count FROM checkin WHERE nonce IS NOT NULL GROUP BY nonce',
  ))
    counted.set(nonce, count)
  const visible = seenByUsers(central, others)
  const counts = new Map<string, number>()
  for (const { nonce, machine, ticket, status, time, reason } of record.shown) {
    if (status === 'incomplete' || counts.has(nonce)) continue
    const count = counted.get(nonce) ?? 0
    counts.set(nonce, count)
    const what = `the scan of ${ticket} at ${machine}, ${Math.round(time)} (${reason ?? status}, ${nonce})`
    if (count > 1) record.wrongs.push(`central has ${what} ${count} times`)
    if (count === 0 && !record.gone.has(nonce) && !visible.has(nonce))
      record.wrongs.push(`central lacks ${what}`)
  }
  const known = new Set(central.all<{ code: string }>('SELECT code FROM orders').map(({ code }) => code))
  for (const code of record.sold.keys())
    if (!known.has(code) && !record.goneOrders.has(code) && !visible.has(code))
      record.wrongs.push(`central lacks the order ${code}`)
}

/** Nonces of check-ins and codes of orders that are parked at a node, or in quarantine upstream. */
function seenByUsers(central: Held, others: readonly Held[]): Set<string> {
  const seen = new Set<string>()
  const take = (payload: string): void => {
    const { row, order } = JSON.parse(payload)
    if (row) seen.add(String(row.nonce))
    if (order) seen.add(String(order.code))
  }
  for (const { fact } of [central, ...others].flatMap((held) =>
    held.all<{ fact: string }>(
      "SELECT json_extract(fact, '$.fact.payload') AS fact FROM quarantine WHERE bytes > 0",
    ),
  ))
    take(fact)
  for (const { payload } of others.flatMap((held) =>
    held.all<{ payload: string }>("SELECT payload FROM outbox WHERE state NOT IN ('waiting', 'done')"),
  ))
    take(payload)
  return seen
}

interface Waiting {
  readonly seq: number
  readonly kind: string
  readonly state: string
  readonly attempts: number
  readonly reason: string | null
  readonly result: string | null
}

/**
 * Whether every node has reported everything; a node that may not tell any more has it in quarantine. Those that
 * follow.
 */
export function checkQueues(run: Run, others: readonly Held[]): readonly Held[] {
  const following: Held[] = []
  for (const held of others) {
    const waiting = held.all<Waiting>(
      "SELECT seq, kind, state, attempts, reason, result FROM outbox WHERE state = 'waiting' ORDER BY seq LIMIT 3",
    )
    const [first] = waiting
    if (first) run.record.wrongs.push(`${held.name} still waits to tell ${JSON.stringify(first)}`)
    const parked = held.all<Waiting>(
      "SELECT seq, kind, state, attempts, reason, result, payload FROM outbox WHERE state NOT IN ('waiting', 'done')",
    )
    for (const { kind, reason, result } of parked) {
      run.record.reached.add('something parked')
      run.record.wrongs.push(`${held.name} has parked ${kind}: ${reason} ${result}`)
    }
    const state = held.all<{ state: string }>('SELECT state FROM upstream')[0]?.state
    if (state === 'following') following.push(held)
    // Central is not asked who was revoked: put back to before that, it does not know, but what was given up is gone.
    else if (!run.record.revoked.has(deviceOf(run, held)))
      run.record.wrongs.push(`${held.name} does not follow but is ${state}`)
  }
  return following
}

/** The machine whose access a node has: a copied disk has that of the first one. */
function deviceOf({ plan }: Run, { name }: Held): string {
  for (const step of plan.steps) if (step.kind === 'clone' && step.to === name) return step.machine
  return name
}
