import type Router from '@koa/router'
import { answerByKey, type KeptAnswerParts } from '../../http/idempotency.ts'
import type { Api } from '../../resource/api.ts'
import { refuseMethod } from '../../resource/routes.ts'

const path = '/api/v1/idempotency_query'

/** Serves what callers were answered before, by their key. */
export function serveKeptAnswers(router: Router, api: Api, parts: KeptAnswerParts): void {
  router.get(path, api.admit('server', null), (ctx) => answerByKey(ctx, parts))
  router.all(path, api.admit('server', null), (ctx) => refuseMethod(ctx))
}
