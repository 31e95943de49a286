import type { Context } from 'koa'
import { oauthRevoke, oauthRevokeByQuery, oauthToken } from '../../../schema/actions/oauth.ts'
import { Refusal } from '../../errors.ts'
import { readForm } from '../../http/forms.ts'
import type { BodyReader } from '../../resource/api.ts'
import { type ApiRouter, admittingAll, serveRaw } from '../../resource/endpoints.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { ProgramAnswer } from '../../services/accounts/oauth-answers.ts'
import { answerRevocation, answerTokenRequest } from '../../services/accounts/oauth-server.ts'

type Answering = (tx: Tx, form: URLSearchParams, authorization: string) => Promise<ProgramAnswer>

/** Whether the same form can be sent again. */
const isPassing = ({ status }: Refusal): boolean => status === 408 || status === 429 || status === 503

/** What a program has sent; throws the protocol's own kind of refusal. */
async function sentForm(ctx: Context, bodies: BodyReader): Promise<URLSearchParams> {
  try {
    return await readForm(ctx, bodies)
  } catch (cause) {
    if (!(cause instanceof Refusal) || isPassing(cause)) throw cause
    const { detail } = cause.body as { detail: string }
    throw new Refusal(400, { error: 'invalid_request', error_description: detail })
  }
}

/** Serves what programs do with codes and tokens. */
export function serveTokens(router: ApiRouter): void {
  const { transactions, bodies } = router.api
  async function answer(ctx: Context, form: URLSearchParams, answering: Answering): Promise<void> {
    const { status, body, headers } = await transactions.write((tx) =>
      answering(tx, form, ctx.get('Authorization')),
    )
    ctx.set(headers)
    ctx.body = body ?? ''
    ctx.status = status
  }
  const open = admittingAll(router)
  serveRaw(open, oauthToken, async (_, ctx) => answer(ctx, await sentForm(ctx, bodies), answerTokenRequest))
  serveRaw(open, oauthRevoke, async (_, ctx) => answer(ctx, await sentForm(ctx, bodies), answerRevocation))
  serveRaw(open, oauthRevokeByQuery, (_, ctx) =>
    answer(ctx, new URLSearchParams(ctx.querystring), answerRevocation),
  )
}
