import { holdsMoney, isAsked, type TillPayment } from './payment/payment-state.ts'
import type { BasketLine } from './selling/basket.ts'
import type { TillState } from './till-state.ts'
import type { TillTools } from './till-tools.ts'

const tillKey = 'gatehouse.till.id'

/** By which the server knows this till, also after a reload. */
export function tillId({ memory, newId }: Pick<TillTools, 'memory' | 'newId'>): string {
  const stored = memory.getItem(tillKey) ?? newId()
  memory.setItem(tillKey, stored)
  return stored
}

const memoryKey = 'gatehouse.till'
/** Milliseconds after which a basket that nobody touched is given up. */
export const basketKept = 30 * 60_000

/** What is remembered of a till for the next page. */
interface Stored {
  readonly at: number
  readonly lines: readonly BasketLine[]
  readonly payment: TillPayment | null
}

/** Remembers what must outlive the page: what was asked without an answer is asked again by the next one. */
export function storeTill({ memory, now }: TillTools, { lines, payment }: TillState): void {
  const kept: Stored = {
    at: now(),
    lines,
    payment: payment && (isAsked(payment) || holdsMoney(payment)) ? payment : null,
  }
  if (lines.length === 0 && kept.payment === null) memory.removeItem(memoryKey)
  else memory.setItem(memoryKey, JSON.stringify(kept))
}

/** What an earlier page has left; a payment that was only prepared begins anew. */
export function readTill({ memory, now }: TillTools): Omit<Stored, 'at'> {
  try {
    const { at, lines, payment: stored } = JSON.parse(memory.getItem(memoryKey) ?? '{}') as Partial<Stored>
    // What an earlier version has stored knows of no parts.
    const payment = stored && { ...stored, parts: stored.parts ?? [], charging: stored.charging ?? null }
    const asked = payment && isAsked(payment) ? { ...payment, phase: 'asking' as const } : (payment ?? null)
    const isFresh = asked !== null || now() - (at ?? 0) < basketKept
    return { lines: isFresh ? (lines ?? []) : [], payment: asked }
  } catch {
    return { lines: [], payment: null }
  }
}
