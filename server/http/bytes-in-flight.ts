import type { Env } from '../env.ts'

/** How many bytes of bodies are kept at a time. */
export interface ByteBounds {
  /** For one caller. */
  readonly each: number
  /** For all together. */
  readonly all: number
}

/** Counts the bytes of bodies that are being received or worked with, by caller. */
export class BytesInFlight {
  readonly #bounds: ByteBounds
  readonly #held = new Map<string, number>()
  #total = 0

  constructor(bounds: ByteBounds) {
    this.#bounds = bounds
  }

  /** Counts more bytes of a caller; says instead whose share is used up, where one is. */
  take(caller: string, bytes: number): 'taken' | keyof ByteBounds {
    const held = (this.#held.get(caller) ?? 0) + bytes
    if (held > this.#bounds.each) return 'each'
    if (this.#total + bytes > this.#bounds.all) return 'all'
    this.#held.set(caller, held)
    this.#total += bytes
    return 'taken'
  }

  /** Bytes that are not kept any more. */
  giveBack(caller: string, bytes: number): void {
    const held = (this.#held.get(caller) ?? 0) - bytes
    if (held > 0) this.#held.set(caller, held)
    else this.#held.delete(caller)
    this.#total -= bytes
  }
}

/** How the large bodies of one caller are spread over time. */
export interface LargeBodyPace {
  /** Milliseconds that somebody may be ahead of their pace. */
  readonly ahead: number
  /** The longest that a body waits for its turn, in milliseconds. */
  readonly patience: number
  /** How many wait at a time. */
  readonly queue: number
}

/** A caller's turn to send a large body; `end` says how many milliseconds of theirs it has cost. */
export interface LargeBodyTurn {
  end(cost: number): void
}

interface LargeBodySender {
  /** When everything that was sent is paid for, in milliseconds of the program's own clock. */
  paidAt: number
  /** How many wait for their turn or have it. */
  busy: number
  /** Resolves when the last one that waits has had its turn. */
  last: Promise<void>
}

/** Has each caller send large bodies one at a time, with pauses between for everybody else. */
export class LargeBodies {
  readonly #env: Pick<Env, 'elapsed' | 'after'>
  readonly #pace: LargeBodyPace
  readonly #senders = new Map<string, LargeBodySender>()

  constructor(env: Pick<Env, 'elapsed' | 'after'>, pace: LargeBodyPace) {
    this.#env = env
    this.#pace = pace
  }

  /** Resolves with the turn of a caller, or with the milliseconds after which to ask again. */
  async turn(caller: string): Promise<LargeBodyTurn | number> {
    const sender = this.#sender(caller)
    if (sender.busy > this.#pace.queue) return Math.max(this.#wait(sender), 1000)
    const before = sender.last
    const over = Promise.withResolvers<void>()
    sender.last = over.promise
    sender.busy += 1
    await before
    const wait = this.#wait(sender)
    if (wait > 0 && wait <= this.#pace.patience)
      await new Promise<void>((resolve) => this.#env.after(wait, resolve))
    const end = (cost: number): void => {
      sender.busy -= 1
      this.#charge(sender, cost)
      over.resolve()
    }
    if (wait <= this.#pace.patience) return { end }
    end(0)
    return wait
  }

  /** Counts what a caller sends for nothing; whether they may, or are ahead of their pace by too much. */
  mayForget(caller: string, cost: number): boolean {
    const sender = this.#sender(caller)
    if (this.#wait(sender) > 0) return false
    this.#charge(sender, cost)
    return true
  }

  #charge(sender: LargeBodySender, cost: number): void {
    sender.paidAt = Math.max(sender.paidAt, this.#env.elapsed()) + cost
  }

  #wait({ paidAt }: LargeBodySender): number {
    return Math.max(0, paidAt - this.#pace.ahead - this.#env.elapsed())
  }

  #sender(caller: string): LargeBodySender {
    const known = this.#senders.get(caller)
    if (known) return known
    const now = this.#env.elapsed()
    for (const [key, { paidAt, busy }] of this.#senders)
      if (busy === 0 && paidAt <= now) this.#senders.delete(key)
    const sender = { paidAt: now, busy: 0, last: Promise.resolve() }
    this.#senders.set(caller, sender)
    return sender
  }
}
