import { eventAuditLog, organizerAuditLog } from '../../../schema/actions/safety.ts'
import type { Scope } from '../../resource/api.ts'
import { type ActionRequest, type ApiRouter, serveRead } from '../../resource/endpoints.ts'
import { listAudit } from '../../services/operations/audit-log.ts'
import type { Database } from '../../storage/database.ts'

/** Serves the audit trail: who did what, and when. */
export function serveAuditLog(router: ApiRouter): void {
  const list = async (request: Scope & ActionRequest<string>, db: Database) => {
    const { catalogue } = router.api
    const { count, rows } = await listAudit(db, catalogue, request, {
      query: request.query,
      page: request.page,
    })
    return request.pageOf(count, rows)
  }
  serveRead(router, organizerAuditLog, list)
  serveRead(router, eventAuditLog, list)
}
