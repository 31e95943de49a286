import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from './config.ts'
import { beginCopyBeside, NotPutInPlace, prepareToPutInPlace, putInPlace } from './copies.ts'
import { openData } from './data.ts'
import { createTraffic } from './http/traffic.ts'
import { type Ground, type Node, openServingNode } from './node.ts'
import type { Database } from './storage/database.ts'
import type { Host, Replacement } from './sync/renewal/renewal.ts'
import { asideFile, carryIds, carryOver } from './sync/renewal/swap.ts'

/** Milliseconds without another attempt after a new copy could not be put in place. */
const restAfterFailure = 5000

/** Milliseconds between two attempts to open what stays in use. */
const reopenEvery = 1000

/** The node that a server answers with: always one, which can be replaced by one on a new copy of the data. */
export class ServedNode {
  readonly #ground: Ground
  readonly #config: Config
  readonly #traffic: ReturnType<typeof createTraffic>
  #node: Node | null = null
  #replacing: Promise<void> = Promise.resolve()
  #isClosing = false
  #restsUntil = Number.NEGATIVE_INFINITY

  private constructor(ground: Ground) {
    this.#ground = ground
    this.#config = ground.config
    this.#traffic = createTraffic(ground.env)
  }

  /** Opens a node on a database, to be served. */
  static async open(ground: Ground, database: Database): Promise<ServedNode> {
    const served = new ServedNode(ground)
    served.#node = await openServingNode(ground, database, served.#host)
    return served
  }

  /** The node on the copy of the data that is in use at the moment. */
  get current(): Node {
    if (!this.#node) throw new Error('The node is not open yet.')
    return this.#node
  }

  /** Answers a request, once no copy is being replaced any more. */
  readonly answer = (request: IncomingMessage, response: ServerResponse): void =>
    this.#traffic.pass(request, response, () => this.current.answer(request, response))

  /** Lets no copy be replaced any more; resolves once the one that is being replaced is in place or given up. */
  async endReplacing(): Promise<void> {
    this.#isClosing = true
    await this.#replacing
  }

  readonly #host: Host = {
    beginCopy: async (identity, gently) => {
      if (this.#ground.env.elapsed() < this.#restsUntil)
        throw new Error('Another program was using the data; a new copy is made in a moment.')
      return beginCopyBeside(this.#config, identity, gently)
    },
    openTransactions: (beside) => openData(beside, this.#ground.env, this.#ground.clock),
    replace: (replacement) => {
      const done = this.#replacing.then(() => this.#replace(replacement))
      this.#replacing = done.catch(() => undefined)
      return done
    },
  }

  /** Puts a new copy in the place of the one in use; requests that come meanwhile wait for it. */
  async #replace(replacement: Replacement): Promise<void> {
    if (this.#isClosing) throw new Error('The server is stopping.')
    const { env, log } = this.#ground
    const { next, keepOwn } = replacement
    const old = this.current
    const begun = env.elapsed()
    const carried = keepOwn ? carryOver(old.transactions, next, replacement) : null
    // Most of it while scanning goes on.
    await prepareToPutInPlace(this.#config, old.database, next.database, async () => carried?.ahead())
    const holdsSince = env.elapsed()
    const isReplaced = await this.#swap(old, replacement, carried)
    if (!isReplaced) throw new Error('The new copy could not be put in place.')
    log.info('new copy in use', {
      milliseconds: Math.round(env.elapsed() - begun),
      held: Math.round(env.elapsed() - holdsSince),
      site: this.current.transactions.site,
    })
  }

  /** The part of it for which requests are held; whether the new copy is in use after it. */
  async #swap(
    old: Node,
    { next, keepOwn }: Replacement,
    carried: ReturnType<typeof carryOver> | null,
  ): Promise<boolean> {
    const { env, log, clock } = this.#ground
    const letGo = this.#traffic.hold()
    let database = old.database
    let isReplaced = false
    try {
      await old.pause()
      await this.#traffic.quiet()
      const left = (await carried?.finish()) ?? 0
      if (left > 0) log.warn('facts that do not fit the new copy', { count: left })
      await carryIds(old.transactions, next)
      await old.transactions.release()
      await next.release()
      const aside = keepOwn ? null : (file: string) => asideFile(file, clock.instant())
      database = await putInPlace(this.#config, old.database, next.database, aside)
      isReplaced = true
    } catch (cause) {
      log.error('the old copy stays', { stack: cause instanceof Error ? cause.stack : String(cause) })
      if (cause instanceof NotPutInPlace) database = cause.old
      this.#restsUntil = env.elapsed() + restAfterFailure
    } finally {
      try {
        this.#node = await this.#reopen(database)
      } finally {
        letGo()
      }
    }
    return isReplaced
  }

  /** Opens a node on what is in use now, as often as that takes: a full disk may let nobody write for a while. */
  async #reopen(database: Database): Promise<Node> {
    const { env, log } = this.#ground
    for (;;)
      try {
        return await openServingNode(this.#ground, database, this.#host)
      } catch (cause) {
        log.error('not open again', { stack: cause instanceof Error ? cause.stack : String(cause) })
        if (this.#isClosing) throw cause
        await new Promise<void>((resolve) => env.after(reopenEvery, resolve))
      }
  }
}
