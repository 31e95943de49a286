import type Router from '@koa/router'
import { revokedSecret } from '../../../schema/resources/checkin/revoked-secret.ts'
import type { Api } from '../../resource/api.ts'
import { serve } from '../../resource/routes.ts'

/** Serves the ticket codes that were replaced, for scanners that work without a connection. */
export function serveRevokedSecrets(router: Router, api: Api): void {
  serve(router, api, revokedSecret)
}
