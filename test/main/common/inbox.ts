/** Things that happened, to be waited for one after the other. */
interface Inbox<T> {
  put(item: T): void
  /** The next one, at once when it is there already. */
  next(): Promise<T>
  /** Those that nobody has taken yet. */
  rest(): readonly T[]
}

/** Makes an empty inbox. */
export function makeInbox<T>(): Inbox<T> {
  const items: T[] = []
  const waiting: ((item: T) => void)[] = []
  return {
    put(item) {
      const taker = waiting.shift()
      if (taker === undefined) items.push(item)
      else taker(item)
    },
    next() {
      const item = items.shift()
      return item === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(item)
    },
    rest: () => items,
  }
}
