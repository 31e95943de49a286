import { eventPath, rowsIn, type StepOf } from './actions.ts'
import { type Answer, ask } from './machines/ask.ts'
import type { Boot } from './machines/machine.ts'
import type { Run } from './run.ts'

/** What is done at a till beside selling. */
export type TillStep = StepOf<'open drawer' | 'move cash' | 'close drawer' | 'refund'>

const amountOf = (cents: number): string => (cents / 100).toFixed(2)

interface RefundAsked {
  readonly step: TillStep
  readonly headers: { readonly 'x-idempotency-key': string }
}

/** The drawer that is open at a till; undefined where none is, or the till does not answer. */
export async function openDrawerAt(boot: Boot): Promise<number | undefined> {
  const answer = await ask(boot, 'GET', '/api/v1/station/sale/')
  const drawer = answer?.status === 200 ? answer.body.drawer : undefined
  return typeof drawer === 'object' && drawer !== null && 'id' in drawer ? Number(drawer.id) : undefined
}

/** Notes the receipts or closings that a till shows, which are printed now; how many, where it answers. */
async function notePrinted(
  run: Run,
  boot: Boot,
  kind: 'receipts' | 'closings',
  query: string,
): Promise<number | undefined> {
  const answer = await ask(boot, 'GET', `${eventPath}/${kind}/?page_size=50&${query}`)
  if (answer?.status !== 200) return undefined
  // What central has written for a till goes with central's disk.
  for (const { site, hash } of rowsIn(answer.body.results))
    if (site !== 0) run.record.printed.set(String(hash), `${kind} of ${boot.machine.name} for ${query}`)
  return Number(answer.body.count)
}

/** Somebody at a till opens a drawer, moves cash, counts and closes, or gives money back. */
export async function workAtTill(run: Run, boot: Boot, step: TillStep): Promise<void> {
  const { record } = run
  const { name } = boot.machine
  if (!(await run.stations.setUp(boot, 'once'))) return
  const headers = { 'x-idempotency-key': `${step.kind} ${name} ${step.at}` }
  const note = (answer: Answer | null): boolean => {
    if (answer) record.reached.add(`${step.kind}: ${answer.status}`)
    return answer?.status === 201
  }
  if (step.kind === 'open drawer') {
    const float = amountOf(step.float)
    const answer = await ask(boot, 'POST', `${eventPath}/drawers/`, { name: 'Till', float }, headers)
    if (note(answer)) await notePrinted(run, boot, 'receipts', `drawer=${answer?.body.id}`)
    return
  }
  const drawer = await openDrawerAt(boot)
  if (drawer === undefined) return
  const path = `${eventPath}/drawers/${drawer}`
  if (step.kind === 'move cash') {
    const body = { amount: amountOf(step.amount), reason: 'Change' }
    note(await ask(boot, 'POST', `${path}/move_cash/`, body, headers))
  } else if (step.kind === 'refund') note(await giveBack(run, boot, { step, headers }))
  else {
    const report = await ask(boot, 'GET', `${path}/report/`)
    if (report?.status !== 200) return
    const expected = Math.round(Number(report.body.expected_cash) * 100)
    const counted = { counted: amountOf(Math.max(0, expected + step.off)), reason: 'Counted' }
    if (note(await ask(boot, 'POST', `${path}/close/`, counted, headers)))
      await notePrinted(run, boot, 'closings', `drawer=${drawer}`)
  }
  await notePrinted(run, boot, 'receipts', `drawer=${drawer}`)
}

/** Whoever gives money back asks so often what became of it. */
const mostAttempts = 6

/**
 * Gives a part of what the newest sale of a till has cost back in cash; the server upstream does that. Whoever does not
 * know what became of it asks again with the same key.
 */
async function giveBack(run: Run, boot: Boot, { step, headers }: RefundAsked): Promise<Answer | null> {
  const { record, stations, world } = run
  const comment = headers['x-idempotency-key']
  const known = record.refunds.get(comment)
  const order = known?.order ?? (await newestSale(boot))
  if (order === undefined) return null
  const attempts = (known?.attempts ?? 0) + 1
  record.refunds.set(comment, { order, attempts })
  const body = { state: 'done', amount: '1.00', provider: 'boxoffice', payment: 1, source: 'admin', comment }
  const answer = await ask(boot, 'POST', `${eventPath}/orders/${order}/refunds/`, body, headers)
  if (answer?.status === 201 && attempts > 1) record.reached.add('a refund was repeated with its key')
  // An answer may be lost on its way to who has asked.
  const isLost = answer?.status === 201 && attempts === 1
  if ((isLost || !answer || answer.status >= 500 || answer.status === 409) && attempts < mostAttempts)
    world.timeline.after(attempts * 3000, 'a refund is repeated', () => {
      if (world.timeline.now < run.plan.faultsEnd)
        stations.inTurn(boot.machine, (later) => workAtTill(run, later, step))
    })
  return answer
}

/** The order of the newest sale at a till. */
async function newestSale(boot: Boot): Promise<string | undefined> {
  const answer = await ask(boot, 'GET', `${eventPath}/receipts/?type=sale`)
  const [sale] = rowsIn(answer?.body.results)
  return sale && String(sale.order)
}

/** Notes the receipt of a sale, of which there is one where the drawer was open, and none otherwise. */
export async function noteSaleReceipt(
  run: Run,
  boot: Boot,
  order: string,
  expected: number | undefined,
): Promise<void> {
  const count = await notePrinted(run, boot, 'receipts', `type=sale&order=${order}`)
  if (count === 1) run.record.reached.add('sold at a till')
  if (expected !== undefined && count !== undefined && count !== expected)
    run.record.wrongs.push(`${boot.machine.name} has ${count} receipts for ${order}, not ${expected}`)
}
