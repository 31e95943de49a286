import { EventEmitter, once } from 'node:events'
import { ev, org } from '../../processes/support/ground.ts'
import type { Describe, InTime } from './in-time.ts'

/** What somebody wants of a server, and asks until it is acknowledged. */
interface Wish {
  readonly kind: 'scan' | 'sale'
  /** The ticket's code, or the e-mail address that the order is for. */
  readonly name: string
}

/** Where a server is, and what is sold and scanned there. */
export interface BusyPlace {
  /** Where it answers since its last start. */
  readonly url: () => string
  readonly list: number
  readonly item: number
  /** Codes of tickets that nobody has used. */
  readonly codes: readonly string[]
  readonly inTime: InTime
  /** What the server says of itself, for where it does not do what is awaited. */
  readonly describe: Describe
}

/** What a client is doing: what it wants, since when, and what it was answered last. */
interface Attempted {
  readonly wish: Wish
  readonly since: number
  count: number
  last: string
}

/** Clients who scan and sell without a pause, and ask again what was not acknowledged. */
export interface BusyClients {
  readonly acknowledged: readonly Wish[]
  /** What the last answer of a status said. */
  lastText(status: number): string
  /** Waits until there are so many more answers of a status; 201 acknowledges. */
  more(status: number, count: number): Promise<void>
  /** Ends once all that was begun is acknowledged. */
  end(): Promise<void>
}

const lanes = 8
/** Milliseconds after which whoever gets no answer asks again. */
const patience = 30_000

/** Where nobody answers, the next attempt would otherwise follow at once. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

/** An answer, with status 0 where none came. */
interface Answered {
  readonly status: number
  readonly text: string
}

/** Starts such clients. */
export function startBusyClients(place: BusyPlace): BusyClients {
  const acknowledged: Wish[] = []
  const statuses = new Map<number, number>()
  const texts = new Map<number, string>()
  const answers = new EventEmitter()
  const pending = new Set<Attempted>()
  let next = 0
  let isOver = false

  async function ask(path: string, body: object, key: Record<string, string> = {}): Promise<Answered> {
    const headers = { Authorization: 'Token all', 'Content-Type': 'application/json', ...key }
    const init = {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
    }
    try {
      const answer = await fetch(place.url() + path, init)
      return { status: answer.status, text: await answer.text() }
    } catch (cause) {
      return { status: 0, text: String(cause) }
    }
  }

  /** Asks once; whether it is acknowledged. */
  async function attempt(attempted: Attempted): Promise<boolean> {
    const { kind, name } = attempted.wish
    // A scan that is repeated is known by its nonce, a sale by its key.
    const { status, text } =
      kind === 'scan'
        ? await ask(`${org}/checkinrpc/redeem/`, { secret: name, lists: [place.list], nonce: name })
        : await ask(
            `${ev}/orders/`,
            {
              ...{ email: name, status: 'p', payment_provider: 'manual' },
              positions: [{ item: place.item }],
            },
            { 'X-Idempotency-Key': name },
          )
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    texts.set(status, text)
    attempted.count += 1
    attempted.last = `${status} ${text.slice(0, 200)}`
    return status === 201
  }

  async function fulfil(wish: Wish): Promise<void> {
    const attempted: Attempted = { wish, since: performance.now(), count: 0, last: 'nothing yet' }
    pending.add(attempted)
    while (!(await attempt(attempted))) {
      answers.emit('answer')
      await pause()
    }
    pending.delete(attempted)
    acknowledged.push(wish)
    answers.emit('answer')
  }

  /** What is waited for by whom, for where it does not come. */
  async function describe(): Promise<string> {
    const lines = [...pending].map(
      ({ wish, since, count, last }) =>
        `${wish.kind} ${wish.name}: ${count} attempts in ${Math.round(performance.now() - since)} ms, last ${last}`,
    )
    const counts = [...statuses].map(([status, count]) => `${count} of ${status}`)
    return [`answers: ${counts.join(', ')}`, ...lines, await place.describe()].join('\n')
  }

  async function lane(): Promise<void> {
    while (!isOver) {
      const index = next
      next += 1
      // Once all tickets are used, there are only sales.
      const code = index % 4 === 3 ? undefined : place.codes[index]
      await fulfil(
        code === undefined ? { kind: 'sale', name: `${index}@sale.example` } : { kind: 'scan', name: code },
      )
    }
  }

  const running = Promise.all(Array.from({ length: lanes }, lane))
  running.catch(() => answers.emit('answer'))
  const counted = (status: number): number => statuses.get(status) ?? 0
  return {
    acknowledged,
    lastText: (status) => texts.get(status) ?? '',
    async more(status, count) {
      const enough = counted(status) + count
      const reached = async (): Promise<void> => {
        while (counted(status) < enough) await Promise.race([once(answers, 'answer'), running])
      }
      await place.inTime(`${count} more answers of ${status}`, reached(), describe)
    },
    async end() {
      isOver = true
      await place.inTime('all is acknowledged', running, describe)
    },
  }
}
