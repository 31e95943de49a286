import type { Problem } from '../../api/requests.ts'
import type { SaleAnswer } from '../../api/sales-api.ts'
import { decimalOf, hundredthsOf } from '../amounts.ts'
import { askAgainEvery, isSilent } from '../payment/till-sale.ts'
import { basketName, objectionNow, pricedNow } from '../till-state.ts'
import type { TillLink } from '../till-tools.ts'
import { basketPositions, cartsOf } from './basket.ts'

/** Has the basket priced by the server, one question at a time. */
export function openPricing({ api, tools, state, send }: Pick<TillLink, 'api' | 'tools' | 'state' | 'send'>) {
  let pricing: string | null = null
  async function price(): Promise<void> {
    const { lines, payment } = state.value
    const of = basketName(lines)
    const place = tools.place()
    if (!place || lines.length === 0 || payment || pricing !== null) return
    if (pricedNow(state.value) || objectionNow(state.value)) return
    pricing = of
    const positions = basketPositions(lines)
    const sale = { positions: positions.map(({ position }) => position), consume_carts: cartsOf(lines) }
    const answer = await api.price(place, sale)
    pricing = null
    const owners = positions.map(({ line }) => line)
    if (answer.ok) return send({ type: 'priced', priced: { of, ...sumsOf(answer.value, owners) } })
    if (isSilent(answer.problem)) return void tools.after(askAgainEvery, () => void price())
    send({ type: 'objected', objection: { of, ...objectionOf(answer.problem, owners) } })
  }
  return price
}

function sumsOf({ total, positions }: SaleAnswer, owners: readonly string[]) {
  const sums = new Map<string, number>()
  for (const { positionid, price } of positions) {
    const owner = owners[positionid - 1] ?? ''
    sums.set(owner, (sums.get(owner) ?? 0) + hundredthsOf(price))
  }
  const lines = Object.fromEntries([...sums].map(([line, sum]) => [line, decimalOf(sum)]))
  return { total, lines }
}

/** The server's words about a basket: those about a line at the line, all others together. */
function objectionOf({ body, detail }: Problem, owners: readonly string[]) {
  const about: readonly unknown[] =
    body && 'positions' in body && Array.isArray(body.positions) ? body.positions : []
  const lines: Record<string, string> = {}
  for (const [index, words] of about.entries()) {
    const owner = owners[index]
    const text = wordsIn(words)
    if (owner !== undefined && text !== '') lines[owner] ??= text
  }
  return { general: Object.keys(lines).length > 0 ? '' : detail, lines }
}

/** The first text in a part of an answer. */
function wordsIn(part: unknown): string {
  if (typeof part === 'string') return part
  if (typeof part !== 'object' || part === null) return ''
  for (const value of Object.values(part)) {
    const text = wordsIn(value)
    if (text !== '') return text
  }
  return ''
}
