import { emptyListActions } from '../../../schema/actions/empty-lists.ts'
import { type ApiRouter, serveRead } from '../../resource/endpoints.ts'

/** Serves the lists that are empty here, so that programs that ask for them go on. */
export function serveEmptyLists(router: ApiRouter): void {
  for (const action of emptyListActions) serveRead(router, action, (request) => request.pageOf(0, []))
}
