import type Router from '@koa/router'
import type { Context, Middleware, Next } from 'koa'
import type { Endpoint, Where, WhereOf } from '../../schema/actions/action.ts'
import { smallBody } from '../../schema/body-limits.ts'
import type { Requirement } from '../../schema/permissions.ts'
import { notAllowed } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import type { Api, Scopes, WantedBody } from './api.ts'
import { Asked, EndpointAnswer } from './asked.ts'
import type { Tx } from './transactions.ts'

/** Lets a caller in who may do what is asked for, and says who that is and where; throws 401 or 403. */
type Admit<S extends Record<Where, object>> = <W extends Where>(
  ctx: Context,
  where: W,
  needs: Requirement,
) => Promise<S[W]>

/** Where endpoints are registered: what they share, and who is admitted. */
export interface ApiRouter<S extends Record<Where, object> = Scopes> {
  readonly koa: Router
  readonly api: Api
  readonly admit: Admit<S>
  /** Whether callers show a credential. */
  readonly from: WantedBody['from']
  /** Who may learn that a path has no such method, by the path. */
  readonly guards: Map<string, (ctx: Context) => Promise<unknown>>
}

/** Registers endpoints with a router, for those whom the API admits. */
export const createApiRouter = (koa: Router, api: Api): ApiRouter => ({
  koa,
  api,
  admit: (ctx, where, needs) => api.admissions[where](ctx, needs),
  from: 'credential',
  guards: new Map(),
})

/** The same router for endpoints that let others in. */
export const admitting = <S extends Record<Where, object>>(
  { koa, api, guards }: Pick<ApiRouter, 'koa' | 'api' | 'guards'>,
  admit: Admit<S>,
): ApiRouter<S> => ({ koa, api, guards, admit, from: 'credential' })

/** The same router for endpoints that let everybody in. */
export const admittingAll = (router: ApiRouter): ApiRouter<Record<Where, object>> => ({
  ...admitting<Record<Where, object>>(router, async () => ({})),
  from: 'anybody',
})

/** The body that an endpoint expects. */
export const wantedOf = (
  { from }: Pick<ApiRouter, 'from'>,
  { bodyLimit: limit = smallBody, isScanned = false }: Pick<Endpoint, 'bodyLimit' | 'isScanned'>,
): WantedBody => ({ limit, from, isScanned })

/** Receives the body of a request as JSON for `bodyOf`; to be called once it is known who asks. */
export async function receiveBody(
  router: Pick<ApiRouter, 'api' | 'from'>,
  ctx: Context,
  endpoint: Pick<Endpoint<string, unknown>, 'method' | 'body' | 'bodyLimit' | 'isScanned'>,
): Promise<void> {
  // An endpoint can leave a request to the next one of its path.
  if (endpoint.method === 'get' || endpoint.body?.isRaw || 'body' in ctx.state) return
  ctx.state.body = await router.api.bodies.json(ctx, wantedOf(router, endpoint))
}

/** What is asked for, by whom and where. */
export type ActionRequest<
  P extends string,
  B = unknown,
  S extends Record<Where, object> = Scopes,
> = S[WhereOf<P>] & Asked<P, B>

/** A path, and what it is about. */
interface Spot {
  readonly path: string
  readonly where: Where
}

type Guarding = Pick<ApiRouter<Record<Where, object>>, 'koa' | 'admit' | 'guards'>

/** Has a path refuse the methods that nobody serves, to those who may enter there. */
export function guard({ guards, admit }: Guarding, { path, where }: Spot): void {
  if (!guards.has(path)) guards.set(path, (ctx) => admit(ctx, where, null))
}

function register(router: Guarding, endpoint: Endpoint, answer: Middleware): void {
  router.koa[endpoint.method](endpoint.path, answer)
  guard(router, endpoint)
}

/** Lets the caller of an endpoint in, then receives what they send: before that not a byte of it is read. */
async function entered<P extends string, B, S extends Record<Where, object>>(
  router: ApiRouter<S>,
  endpoint: Endpoint<P, B>,
  ctx: Context,
): Promise<ActionRequest<P, B, S>> {
  const scope = await router.admit(ctx, endpoint.where, requirementOf(endpoint))
  ctx.state.isKnown = router.from === 'credential'
  await receiveBody(router, ctx, endpoint)
  return Object.assign(new Asked(ctx, endpoint, router.api.transactions), scope)
}

/** Refuses the other methods of a path before a longer pattern takes its last part for the name of a row. */
export const refuseOthers = (router: Guarding, { path, where }: Spot): void => {
  router.koa.all(path, async (ctx) => {
    await router.admit(ctx, where, null)
    throw notAllowed(ctx.method)
  })
}

/** What a caller needs for an endpoint, where somebody is asked at all. */
export const requirementOf = ({ needs }: Pick<Endpoint, 'needs'>): Requirement =>
  needs === 'nothing' ? null : needs

function answerWith(ctx: Context, status: number, value: unknown): void {
  const answer = value instanceof EndpointAnswer ? value : new EndpointAnswer(status, value)
  ctx.status = answer.status
  if (answer.body !== undefined && answer.status !== 204) ctx.body = answer.body
}

/** Serves an endpoint that only reads: what `serve` gives is the answer. */
export function serveRead<P extends string, B, S extends Record<Where, object>>(
  router: ApiRouter<S>,
  endpoint: Endpoint<P, B>,
  serve: (request: ActionRequest<P, B, S>, db: Database) => unknown,
): void {
  const { database } = router.api.transactions
  register(router, endpoint, async (ctx) => {
    const value = await serve(await entered(router, endpoint, ctx), database)
    answerWith(ctx, endpoint.status, value)
  })
}

/**
 * Serves an endpoint that changes something, in one transaction: what `serve` gives is the answer, or, where there is a
 * `show`, what that makes of it.
 */
export function serveAction<P extends string, B, S extends Record<Where, object>, T>(
  router: ApiRouter<S>,
  endpoint: Endpoint<P, B>,
  serve: (request: ActionRequest<P, B, S>, tx: Tx) => Promise<T>,
  show?: (request: ActionRequest<P, B, S>, result: T, db: Database | Tx) => unknown,
): void {
  register(router, endpoint, async (ctx) => {
    const request = await entered(router, endpoint, ctx)
    const answer = await request.carryOut(
      (tx) => serve(request, tx),
      show && ((result, db) => show(request, result, db)),
    )
    answerWith(ctx, answer.status, answer.body)
  })
}

/** Serves an endpoint that answers by itself, with a stream or a file or another status, unless `serve` gives a value. */
export function serveRaw<P extends string, B, S extends Record<Where, object>>(
  router: ApiRouter<S>,
  endpoint: Endpoint<P, B>,
  serve: (request: ActionRequest<P, B, S>, ctx: Context, next: Next) => unknown,
): void {
  register(router, endpoint, async (ctx, next) => {
    const value = await serve(await entered(router, endpoint, ctx), ctx, next)
    if (value !== undefined) answerWith(ctx, endpoint.status, value)
  })
}

/** Answers what is registered; 405 for the other methods of its paths, to those who may enter there. */
export function answerEndpoints({ koa, guards }: Pick<ApiRouter, 'koa' | 'guards'>): Middleware {
  const routes = koa.routes()
  return (ctx, next) =>
    routes(ctx as Parameters<typeof routes>[0], async () => {
      const layers: Router['stack'] = ctx.matched ?? []
      const layer = layers.find(({ path }) => typeof path === 'string' && guards.has(path))
      if (!layer || layers.some(({ methods }) => methods.includes(ctx.method))) return next()
      ctx.params = layer.params(ctx.path, layer.captures(ctx.path), ctx.params)
      ctx._matchedRoute = layer.path
      await guards.get(String(layer.path))?.(ctx)
      throw notAllowed(ctx.method)
    })
}
