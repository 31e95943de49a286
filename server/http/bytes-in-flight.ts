import type { Env } from '../env.ts'

/** How many bytes of bodies are kept at a time. */
export interface ByteBounds {
  /** For each caller without regard to any others: there is room for a scan whatever they do. */
  readonly free: number
  /** For one caller. */
  readonly each: number
  /** Beyond what is free, for callers who belong together. */
  readonly together: number
  /** Beyond what is free, for all. */
  readonly all: number
}

/** Who sends, and with whom they are counted together: their organizer's others, and those of their address. */
export interface BodySender {
  readonly caller: string
  readonly groups: readonly string[]
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
  take({ caller, groups }: BodySender, bytes: number): 'taken' | Exclude<keyof ByteBounds, 'free'> {
    const { each, together, all } = this.#bounds
    const held = this.#of(caller)
    if (held + bytes > each) return 'each'
    const shared = this.#shared(held + bytes) - this.#shared(held)
    if (shared > 0 && groups.some((group) => this.#of(group) + shared > together)) return 'together'
    if (shared > 0 && this.#total + shared > all) return 'all'
    this.#add({ caller, groups }, bytes, shared)
    return 'taken'
  }

  /** Bytes that are not kept any more. */
  giveBack(sender: BodySender, bytes: number): void {
    const held = this.#of(sender.caller)
    this.#add(sender, -bytes, this.#shared(held - bytes) - this.#shared(held))
  }

  #of(key: string): number {
    return this.#held.get(key) ?? 0
  }

  #shared(bytes: number): number {
    return Math.max(0, bytes - this.#bounds.free)
  }

  #add({ caller, groups }: BodySender, bytes: number, shared: number): void {
    this.#count(caller, bytes)
    for (const group of groups) this.#count(group, shared)
    this.#total += shared
  }

  #count(key: string, more: number): void {
    const held = this.#of(key) + more
    if (held > 0) this.#held.set(key, held)
    else this.#held.delete(key)
  }
}

/** Until when what somebody has sent is paid for, in milliseconds of the program's own clock. */
class Pace {
  readonly #env: Pick<Env, 'elapsed'>
  readonly #ahead: number
  readonly #paidAt = new Map<string, number>()

  constructor(env: Pick<Env, 'elapsed'>, ahead: number) {
    this.#env = env
    this.#ahead = ahead
  }

  /** Milliseconds until somebody is not too far ahead of their pace any more. */
  wait(key: string): number {
    return Math.max(0, (this.#paidAt.get(key) ?? 0) - this.#ahead - this.#env.elapsed())
  }

  /** Counts what somebody has sent; less than nothing where too much was counted. */
  charge(key: string, cost: number): void {
    const now = this.#env.elapsed()
    const paidAt = this.#paidAt.get(key)
    if (paidAt === undefined)
      for (const [other, at] of this.#paidAt) if (at <= now) this.#paidAt.delete(other)
    this.#paidAt.set(key, Math.max(paidAt ?? 0, now) + cost)
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
  /** How many wait for their turn or have it. */
  busy: number
  /** Resolves when the last one that waits has had its turn. */
  last: Promise<void>
}

/** How many callers that belong together can go on sending as if they were alone. */
const paceTogether = 2

/** Has each caller send large bodies one at a time, with pauses between for everybody else. */
export class LargeBodies {
  readonly #env: Pick<Env, 'elapsed' | 'after'>
  readonly #bounds: LargeBodyPace
  readonly #alone: Pace
  readonly #together: Pace
  readonly #senders = new Map<string, LargeBodySender>()

  constructor(env: Pick<Env, 'elapsed' | 'after'>, bounds: LargeBodyPace) {
    this.#env = env
    this.#bounds = bounds
    this.#alone = new Pace(env, bounds.ahead)
    this.#together = new Pace(env, bounds.ahead)
  }

  /** Resolves with the turn of a caller for what will cost so much, or with the milliseconds after which to ask again. */
  async turn(from: BodySender, expected: number): Promise<LargeBodyTurn | number> {
    const sender = this.#sender(from.caller)
    if (sender.busy > this.#bounds.queue) return Math.max(this.#wait(from), 1000)
    const before = sender.last
    const over = Promise.withResolvers<void>()
    sender.last = over.promise
    sender.busy += 1
    await before
    const wait = this.#wait(from)
    const isRefused = wait > this.#bounds.patience
    // Those who belong together send at the same time: what they begin is counted at once.
    const counted = isRefused ? 0 : expected
    this.#chargeTogether(from, counted)
    if (wait > 0 && !isRefused) await new Promise<void>((resolve) => this.#env.after(wait, resolve))
    const end = (cost: number): void => {
      sender.busy -= 1
      if (sender.busy === 0) this.#senders.delete(from.caller)
      this.#alone.charge(from.caller, cost)
      this.#chargeTogether(from, cost - counted)
      over.resolve()
    }
    if (!isRefused) return { end }
    end(0)
    return wait
  }

  /** Counts what a caller sends for nothing; whether they may, or are ahead of their pace by too much. */
  mayForget(from: BodySender, cost: number): boolean {
    if (this.#wait(from) > 0) return false
    this.#alone.charge(from.caller, cost)
    this.#chargeTogether(from, cost)
    return true
  }

  #chargeTogether({ groups }: BodySender, cost: number): void {
    for (const group of groups) this.#together.charge(group, cost / paceTogether)
  }

  #wait({ caller, groups }: BodySender): number {
    return Math.max(this.#alone.wait(caller), ...groups.map((group) => this.#together.wait(group)))
  }

  #sender(caller: string): LargeBodySender {
    const known = this.#senders.get(caller)
    if (known) return known
    const sender = { busy: 0, last: Promise.resolve() }
    this.#senders.set(caller, sender)
    return sender
  }
}
