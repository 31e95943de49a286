import type { Context } from 'koa'
import type { Body, Endpoint, Params } from '../../schema/actions/action.ts'
import { impossible, Refusal } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import { check, readBody } from './input.ts'
import { type Page, type PageBody, pageBody, pageOf } from './pages.ts'
import type { Query } from './query.ts'
import type { Transactions, Tx } from './transactions.ts'

/** An answer with a status of its own. */
export class EndpointAnswer {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    this.status = status
    this.body = body
  }
}

/** Where the answer to a request that came with a key is stored. */
export interface AnswerStore {
  /** Stores it in the transaction that carries the request out: both last, or neither. */
  store(tx: Tx, answer: EndpointAnswer): Promise<void>
  /** Hears that this transaction is committed. */
  settle(): void
  /** Notes that the request is passed upstream, so that it is not carried out here whatever comes of that. */
  passUp(): Promise<void>
  /** Whether the request was passed upstream before. */
  wasPassedUp(): Promise<boolean>
}

/** Where the answer to a request is stored; undefined for one that came without a key. */
export const answerStoreOf = (ctx: Context): AnswerStore | undefined => ctx.state.answerStore

/** What is done in a transaction, and what the answer shows of that: all of its result where nothing is said. */
export interface Deed<T> {
  readonly work: (tx: Tx) => Promise<T>
  readonly show?: ((result: T, db: Database | Tx) => unknown) | undefined
  /** The status of the answer, where `show` gives none. */
  readonly status: number
  /** Whether somebody at a door waits for it. */
  readonly isUrgent?: boolean
}

const answerOf = async <T>(
  { show, status }: Deed<T>,
  result: T,
  db: Database | Tx,
): Promise<EndpointAnswer> => {
  const body = show ? await show(result, db) : result
  return body instanceof EndpointAnswer ? body : new EndpointAnswer(status, body)
}

/**
 * Carries out what a request asks for. Where it came with a key its answer is made and stored in the same transaction;
 * otherwise it is made afterwards, when nobody waits for the rows any more.
 */
export async function carryOutOnce<T>(
  ctx: Context,
  transactions: Transactions,
  deed: Deed<T>,
): Promise<EndpointAnswer> {
  const { work, isUrgent = false } = deed
  const answers = answerStoreOf(ctx)
  if (!answers) return answerOf(deed, await transactions.write(work, { isUrgent }), transactions.database)
  let answer: EndpointAnswer | undefined
  const finish = async (tx: Tx, value: T): Promise<void> => {
    answer = await answerOf(deed, value, tx)
    await answers.store(tx, answer)
  }
  const result = await transactions.write(work, { isUrgent, finish })
  answers.settle()
  return answer ?? answerOf(deed, result, transactions.database)
}

/** The scheme, host and port by which the caller reached this server. */
export const originOf = (ctx: Context): string => `${ctx.protocol}://${ctx.host}`

/** The full address of a request, as the caller sees it. */
function addressOf(ctx: Context): URL {
  const address = URL.parse(ctx.originalUrl, originOf(ctx))
  if (!address) throw impossible('The Host header of the request is not valid.')
  return address
}

/** The body of a request, read as JSON; throws what is wrong with it. */
export function bodyOf(ctx: Context): unknown {
  const { body } = ctx.state
  if (body instanceof Refusal) throw body
  return body
}

/** What a request has sent, read as it is declared; throws 400 with messages by field. */
function readAs<B>(declared: Body<B> | undefined, sent: unknown): B {
  if (declared?.fields)
    return readBody(declared.fields, sent, { partial: declared.isPartial ?? false, locale: 'en' }) as B
  if (declared?.schema) check(declared.schema, sent)
  return sent as B
}

/**
 * What is asked for. Everything is read when it is looked at, so that what is wrong is said in the order of looking.
 */
export class Asked<P extends string, B> {
  readonly #ctx: Context
  readonly #endpoint: Endpoint<P, B>
  readonly #transactions: Transactions
  #body: { readonly value: B } | undefined

  constructor(ctx: Context, endpoint: Endpoint<P, B>, transactions: Transactions) {
    this.#ctx = ctx
    this.#endpoint = endpoint
    this.#transactions = transactions
  }

  get params(): Params<P> {
    return this.#ctx.params
  }

  get query(): Query {
    return this.#ctx.query
  }

  /** What was sent, as the endpoint declares it; throws 400 where it is something else. */
  get body(): B {
    this.#body ??= { value: readAs(this.#endpoint.body, bodyOf(this.#ctx)) }
    return this.#body.value
  }

  /** Which part of a list is asked for; throws 404 where that is no page. */
  get page(): Page {
    return pageOf(this.#ctx.query)
  }

  /** The rows of the page asked for, of so many. */
  pageOf<T>(count: number, rows: readonly T[]): PageBody<T> {
    return pageBody(addressOf(this.#ctx), this.page, count, rows)
  }

  /** The page asked for of all rows. */
  partOf<T>(rows: readonly T[]): PageBody<T> {
    const { offset, size } = this.page
    return this.pageOf(rows.length, rows.slice(offset, offset + size))
  }

  /** A header of the request; empty where it was not sent. */
  header(name: string): string {
    return this.#ctx.get(name)
  }

  /**
   * Carries out what is asked for in one transaction, with which the answer is stored where the request came with a key;
   * the answer, which shows the result or what `show` makes of it.
   */
  carryOut<T>(
    work: (tx: Tx) => Promise<T>,
    show?: (result: T, db: Database | Tx) => unknown,
  ): Promise<EndpointAnswer> {
    const { status, isScanned = false, isUrgent = isScanned } = this.#endpoint
    return carryOutOnce(this.#ctx, this.#transactions, { work, show, status, isUrgent })
  }

  /** Sends a header with the answer. */
  set(name: string, value: string): void {
    this.#ctx.set(name, value)
  }
}
