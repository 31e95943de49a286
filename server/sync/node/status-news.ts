import type { LinkStatus } from '../../../schema/station-link.ts'
import type { Env } from '../../env.ts'

/** Tells listeners of a status when something about it may have changed: not too often, and only what is new. */
export interface StatusNews {
  changed(): void
  listen(listener: (status: LinkStatus) => void): () => void
  stop(): void
}

const atMostEvery = 500

/** What passes by itself is no news. */
const newsIn = ({ data_age, clock, readiness, ...rest }: LinkStatus): string =>
  JSON.stringify([rest, clock.skewed, readiness.map((one) => one.ok)])

/** Makes such a thing; `status` says how it is now. How it is at first is news only where somebody is upstream. */
export function createStatusNews(env: Env, status: () => Promise<LinkStatus>): StatusNews {
  const listeners = new Set<(status: LinkStatus) => void>()
  let last = ''
  let isDue = false
  let stopped = false
  let cancel = (): void => {}

  async function tell(): Promise<void> {
    isDue = false
    if (stopped) return
    const now = await status().catch(() => null)
    if (now === null || stopped) return
    const text = newsIn(now)
    const isNews = text !== last && (last !== '' || now.role !== 'alone_by_choice')
    last = text
    if (!isNews) return
    for (const listener of listeners) listener(now)
  }

  return {
    changed() {
      if (isDue || stopped || listeners.size === 0) return
      isDue = true
      cancel = env.after(atMostEvery, () => void tell())
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}
