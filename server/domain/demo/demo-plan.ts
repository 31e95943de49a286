import type { Language } from '../../../schema/texts/translate.ts'
import { drawCrowd } from './crowd.ts'
import { planFestival } from './festival.ts'
import type { DemoPlan } from './plan.ts'
import { drawSamples } from './samples.ts'

/** Orders of the demo event, the ones on the sample sheet included. */
export const demoOrders = 5000

/**
 * The demo event, running on the day of `now` (an instant), with its 5,000 orders. `random` returns numbers from 0
 * up to 1; the same numbers give the same plan. In English, German and `language`.
 */
export function demoPlan(random: () => number, now: string, language: Language = 'en'): DemoPlan {
  const festival = planFestival(now, language)
  const codes = new Set<string>()
  const { orders, samples } = drawSamples(random, festival, now, codes)
  const crowd = drawCrowd({ random, festival, now, codes }, demoOrders - orders.length)
  return { ...festival, orders: [...orders, ...crowd], samples }
}
