import type { Env } from '../../../env.ts'
import { bitmapPng } from '../../../exporters/printing/bitmap-png.ts'
import type { Live } from '../../../http/live.ts'
import type { PrintEnding, WindowPrinting } from './transport.ts'

/** What the window says of pages that it was to print. */
export interface WindowAnswer {
  readonly state: 'begun' | 'printed' | 'failed'
}

/** Printing by the window, and what its page asks and says about it. */
export interface WindowPrints extends WindowPrinting {
  /** A page as PNG; undefined where it is not asked for at the moment. */
  page(job: string, index: number): Uint8Array | undefined
  /** Takes the word of the window; whether it is to go on. */
  answer(job: string, said: WindowAnswer): Promise<boolean>
}

/** Milliseconds within which the window has to begin, and to be done. */
const beginWithin = 3000
const printWithin = 60_000

interface Waiting {
  readonly pages: readonly Uint8Array[]
  hasBegun: boolean
  readonly begin: () => Promise<boolean>
  end(ending: PrintEnding): void
}

/** Opens it: the page of the window is told by a live event, and answers. */
export function openWindowPrints(env: Env, live: Live): WindowPrints {
  const waiting = new Map<string, Waiting>()
  const inMillimetres = (dots: number, dpi: number): number => Math.round((dots / dpi) * 254) / 10
  return {
    get isThere() {
      return live.listeners > 0
    },
    async print(job, { printer, dpi, pages }, begin) {
      const [first] = pages
      if (!first || live.listeners === 0) return { kind: 'unsent', reason: 'unreachable' }
      const { promise, resolve } = Promise.withResolvers<PrintEnding>()
      const one: Waiting = { pages: pages.map(bitmapPng), hasBegun: false, begin, end: resolve }
      waiting.set(job, one)
      const stops = [
        env.after(beginWithin, () => {
          if (!one.hasBegun) resolve({ kind: 'unsent', reason: 'unreachable' })
        }),
        env.after(printWithin, () => resolve({ kind: 'unknown', reason: 'silent' })),
      ]
      live.publish('print-pages', {
        ...{ id: job, printer, pages: pages.length },
        width_mm: inMillimetres(first.width, dpi),
        height_mm: inMillimetres(first.height, dpi),
      })
      return promise.finally(() => {
        for (const stop of stops) stop()
        waiting.delete(job)
      })
    },
    page: (job, index) => waiting.get(job)?.pages[index],
    async answer(job, { state }) {
      const one = waiting.get(job)
      if (!one) return false
      if (state === 'begun') {
        // Of several windows, the first one prints.
        if (one.hasBegun) return false
        one.hasBegun = true
        if (await one.begin()) return true
        one.end({ kind: 'withdrawn' })
        return false
      }
      if (!one.hasBegun) return false
      one.end(state === 'printed' ? { kind: 'sent' } : { kind: 'unknown', reason: 'offline' })
      return true
    },
  }
}
