/** How the network behaves between two machines. */
export interface Conditions {
  /** Shares of messages: those that never arrive, on the way there and back. */
  readonly loss: number
  readonly lossBack: number
  /** Share of requests that arrive twice. */
  readonly duplicate: number
  /** Share of messages that are stuck, and for how long on average, in milliseconds. */
  readonly stuck: number
  readonly stuckFor: number
  /** Share of answers that end in the middle. */
  readonly cut: number
  /** Share of requests that a captive portal answers with a page of its own. */
  readonly captive: number
  /** Shares of requests that are refused on the way: by something in between, and by a server of ours. */
  readonly proxyError: number
  readonly ownError: number
  /** One-way delay in milliseconds: at least, and on average above that. */
  readonly delayLeast: number
  readonly delayMean: number
}

/** A network as one wishes it were. */
export const fairWeather: Conditions = {
  loss: 0,
  lossBack: 0,
  duplicate: 0,
  stuck: 0,
  stuckFor: 0,
  cut: 0,
  captive: 0,
  proxyError: 0,
  ownError: 0,
  delayLeast: 2,
  delayMean: 6,
}

/** What the network does at the moment. */
export interface Weather {
  /** Between two machines, in this direction. */
  between(from: string, to: string): Conditions
  isCut(from: string, to: string): boolean
  /** Sets the conditions for a while; the result takes them back. */
  setConditions(conditions: Conditions): () => void
  /** Cuts some directions (`from>to`); the result heals them. */
  cut(directions: readonly string[]): () => void
  /** Everything is fair from now on. */
  clear(): void
}

/** A network that is fair until somebody says otherwise; what was said last counts. */
export function createWeather(): Weather {
  const conditions: Conditions[] = []
  const cuts: (readonly string[])[] = []
  const without = <T>(list: T[], one: T): void => {
    const at = list.indexOf(one)
    if (at >= 0) list.splice(at, 1)
  }
  return {
    between: () => conditions.at(-1) ?? fairWeather,
    isCut: (from, to) => cuts.some((directions) => directions.includes(`${from}>${to}`)),
    setConditions(now) {
      conditions.push(now)
      return () => without(conditions, now)
    },
    cut(directions) {
      cuts.push(directions)
      return () => without(cuts, directions)
    },
    clear() {
      conditions.length = 0
      cuts.length = 0
    },
  }
}
