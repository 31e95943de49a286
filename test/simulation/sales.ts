import { eventPath, rowsIn, type StepOf } from './actions.ts'
import { ask } from './machines/ask.ts'
import type { Boot } from './machines/machine.ts'
import { createChance } from './plan/chance.ts'
import { hasJoined, type Run } from './run.ts'
import type { KeyedSale } from './run-record.ts'
import { noteSaleReceipt, openDrawerAt } from './tills.ts'

/** Whoever sells gives up after so many attempts. */
const mostAttempts = 12

/** Answers after which the same is asked again: not now, or perhaps done. */
const isOpen = (status: number | undefined): boolean =>
  status === undefined || status === 408 || status === 409 || status === 429 || status >= 500

/** The key of a sale, which is also the address that its order is for. */
const keyOf = ({ ticket }: StepOf<'sell'>): string => `${ticket}@sale.test`

/** Notes an attempt at a sale: what the disk of the machine has lost since the one before may be sold again. */
function noteAttempt({ record }: Run, { machine: { name }, number }: Boot, key: string): KeyedSale {
  const life = record.lives.get(name) ?? 0
  const sale = record.sales.get(key) ?? { life, boot: number, attempts: 0, orders: [], mayDiffer: false }
  record.sales.set(key, sale)
  sale.attempts += 1
  if (sale.life !== life) sale.mayDiffer = true
  if (sale.boot !== number) record.reached.add('a sale was repeated after a restart')
  sale.life = life
  sale.boot = number
  return sale
}

/** Somebody buys tickets, on central or at a station; whoever sells asks again with the same key until that is clear. */
export async function sell(run: Run, boot: Boot, step: StepOf<'sell'>): Promise<void> {
  const { record, scenario } = run
  const { name } = boot.machine
  const isStation = name !== 'central'
  if (isStation && !(await run.stations.setUp(boot, 'once'))) return
  const key = keyOf(step)
  const sale = noteAttempt(run, boot, key)
  const drawer = isStation ? await openDrawerAt(boot) : undefined
  const heard = record.heard.get(name) ?? 0
  const item = step.product === 'scarce' ? scenario.scarce : scenario.plain
  const answer = await ask(
    boot,
    'POST',
    `${eventPath}/orders/`,
    {
      ...{
        email: key,
        status: 'p',
        payment_provider: isStation ? 'boxoffice' : 'manual',
        force: step.atRisk,
      },
      positions: Array.from({ length: step.count }, () => ({ item })),
    },
    { 'x-idempotency-key': key },
  )
  const chance = createChance(`sale ${run.plan.seed} ${key} ${sale.attempts}`)
  if (answer?.status === 201) {
    noteSold(run, { name, step, sale, heard }, answer.body)
    // A sale that is repeated may have been made before its drawer was opened.
    const receipts = sale.attempts > 1 ? undefined : drawer === undefined ? 0 : 1
    if (isStation) await noteSaleReceipt(run, boot, String(answer.body.code), receipts)
  } else if (answer)
    record.reached.add(`${isStation ? 'station' : 'central'} does not sell: ${answer.status}`)
  // An answer may be lost on its way to who has asked, or not be read.
  if (isOpen(answer?.status) || (answer?.status === 201 && chance.happens(0.3)))
    repeatLater(run, boot, step, chance.pick([20, 2000, 20_000]))
}

/** Repeats a sale some milliseconds later, or once its machine answers again. */
function repeatLater(run: Run, boot: Boot, step: StepOf<'sell'>, delay: number): void {
  const { machine } = boot
  run.world.timeline.after(delay, 'a sale is repeated', () => {
    const isOver = run.world.timeline.now >= run.plan.faultsEnd
    if (isOver || (run.record.sales.get(keyOf(step))?.attempts ?? 0) >= mostAttempts) return
    if (machine.boot?.answer && (machine.name === 'central' || hasJoined(machine)))
      run.stations.inTurn(machine, (later) => sell(run, later, step))
    else repeatLater(run, boot, step, 5000)
  })
}

/** A sale that was acknowledged, and where. */
interface Acknowledged {
  readonly name: string
  readonly step: StepOf<'sell'>
  readonly sale: KeyedSale
  readonly heard: number
}

function noteSold(
  { record }: Run,
  { name, step, sale, heard }: Acknowledged,
  body: Readonly<Record<string, unknown>>,
): void {
  const order = String(body.code)
  const [first] = sale.orders
  if (sale.orders.includes(order)) {
    record.reached.add('a sale was repeated with its key')
    return
  }
  if (first !== undefined && !sale.mayDiffer)
    record.wrongs.push(`${name} has sold ${keyOf(step)} as ${first}, and again as ${order}`)
  sale.orders.push(order)
  if (record.sold.has(order)) record.wrongs.push(`the order code ${order} was given twice`)
  record.sold.set(order, heard)
  record.reached.add(name === 'central' ? 'sold on central' : 'sold at a station')
  for (const [index, position] of rowsIn(body.positions).entries()) {
    const ticket = index === 0 ? step.ticket : `${step.ticket}/${index}`
    const { secret, id } = position
    for (const other of record.tickets.values())
      if (other.codes.includes(String(secret)))
        record.wrongs.push(`the ticket code ${secret} was given twice`)
    record.tickets.set(ticket, {
      ...{ name: ticket, codes: [String(secret)], order, position: Number(id) },
      ...{ product: step.product, atRisk: step.atRisk },
    })
  }
}
