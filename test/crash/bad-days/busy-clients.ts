import { EventEmitter, once } from 'node:events'
import { ev, org } from '../../processes/support/ground.ts'

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
}

/** Clients who scan and sell without a pause, and ask again what was not acknowledged. */
export interface BusyClients {
  readonly acknowledged: readonly Wish[]
  /** How many answers there were of a status; 0 for none at all. */
  counted(status: number): number
  /** Waits until there are so many more answers of a status; 201 acknowledges. */
  more(status: number, count: number): Promise<void>
  /** Ends once all that was begun is acknowledged. */
  end(): Promise<void>
}

const lanes = 8
/** Whoever gets no answer asks somebody else by then. */
const patience = 30_000

/** Where nobody answers, the next attempt would otherwise follow at once. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

/** Starts such clients. */
export function startBusyClients(place: BusyPlace): BusyClients {
  const acknowledged: Wish[] = []
  const statuses = new Map<number, number>()
  const answers = new EventEmitter()
  let next = 0
  let isOver = false

  /** The status of the answer, 0 where none came. */
  async function ask(path: string, body: object, key: Record<string, string> = {}): Promise<number> {
    const headers = { Authorization: 'Token all', 'Content-Type': 'application/json', ...key }
    const init = {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
    }
    try {
      const answer = await fetch(place.url() + path, init)
      await answer.text()
      return answer.status
    } catch {
      return 0
    }
  }

  /** Asks once; whether it is acknowledged. */
  async function attempt({ kind, name }: Wish): Promise<boolean> {
    // A scan that is repeated is known by its nonce, a sale by its key.
    const status =
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
    return status === 201
  }

  async function fulfil(wish: Wish): Promise<void> {
    while (!(await attempt(wish))) {
      answers.emit('answer')
      await pause()
    }
    acknowledged.push(wish)
    answers.emit('answer')
  }

  async function lane(): Promise<void> {
    while (!isOver) {
      const index = next
      next += 1
      const code = place.codes[index]
      if (code === undefined) throw new Error('There are no more tickets.')
      await fulfil(
        index % 4 === 3 ? { kind: 'sale', name: `${index}@sale.example` } : { kind: 'scan', name: code },
      )
    }
  }

  const running = Promise.all(Array.from({ length: lanes }, lane))
  running.catch(() => answers.emit('answer'))
  const counted = (status: number): number => statuses.get(status) ?? 0
  return {
    acknowledged,
    counted,
    async more(status, count) {
      const enough = counted(status) + count
      while (counted(status) < enough) await Promise.race([once(answers, 'answer'), running])
    },
    async end() {
      isOver = true
      await running
    },
  }
}
