import type Router from '@koa/router'
import type { Context } from 'koa'
import { Refusal } from '../../errors.ts'
import { readForm } from '../../http/forms.ts'
import { refuseMethod } from '../../resource/routes.ts'
import type { Transactions, Tx } from '../../resource/transactions.ts'
import type { ProgramAnswer } from '../../services/accounts/oauth-answers.ts'
import { answerRevocation, answerTokenRequest } from '../../services/accounts/oauth-server.ts'

type Answering = (tx: Tx, form: URLSearchParams, authorization: string) => Promise<ProgramAnswer>

const token = '/api/v1/oauth/token'
const revoke = '/api/v1/oauth/revoke_token'

/** What a program has sent; throws the protocol's own kind of refusal. */
async function sentForm(ctx: Context): Promise<URLSearchParams> {
  try {
    return await readForm(ctx)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    const { detail } = cause.body as { detail: string }
    throw new Refusal(400, { error: 'invalid_request', error_description: detail })
  }
}

/** Serves what programs do with codes and tokens. */
export function serveTokens(router: Router, transactions: Transactions): void {
  async function answer(ctx: Context, form: URLSearchParams, answering: Answering): Promise<void> {
    const { status, body, headers } = await transactions.write((tx) =>
      answering(tx, form, ctx.get('Authorization')),
    )
    ctx.set(headers)
    ctx.body = body ?? ''
    ctx.status = status
  }
  router.post(token, async (ctx) => answer(ctx, await sentForm(ctx), answerTokenRequest))
  router.post(revoke, async (ctx) => answer(ctx, await sentForm(ctx), answerRevocation))
  router.get(revoke, (ctx) => answer(ctx, new URLSearchParams(ctx.querystring), answerRevocation))
  router.all([token, revoke], (ctx) => refuseMethod(ctx))
}
