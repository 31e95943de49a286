import { effect } from '@preact/signals'
import type { Till } from './till.ts'

/** Milliseconds between two looks at what is left to sell. */
const lookEvery = 20_000

interface Selling {
  readonly isTill: () => boolean
  /** How the station and its server get on: what may be sold depends on it. */
  readonly link: () => string | undefined
}

/** Keeps what a till shows as left to sell current: looks when it begins to sell, when its link changes, and now and then. */
export function keepStockCurrent(till: Pick<Till, 'state' | 'refresh'>, { isTill, link }: Selling): void {
  setInterval(() => isTill() && till.state.value.payment === null && void till.refresh(), lookEvery)
  let sold = false
  let linkBefore: string | undefined
  effect(() => {
    const sells = isTill()
    const linkNow = link()
    if (sells && (!sold || linkNow !== linkBefore)) void till.refresh()
    linkBefore = linkNow
    sold = sells
  })
}
