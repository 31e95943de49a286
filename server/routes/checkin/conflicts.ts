import { conflictList, conflictRetrieve, conflictUpdate } from '../../../schema/actions/conflicts.ts'
import { conflict } from '../../../schema/resources/checkin/conflict.ts'
import { notFound } from '../../errors.ts'
import { csvTable } from '../../exporters/format/csv.ts'
import { type ApiRouter, serveAction, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { single } from '../../resource/query.ts'
import { idIn } from '../../resource/routes.ts'
import { updateRow } from '../../resource/store.ts'
import { conflictById, findConflicts, presentConflicts } from '../../services/checkin/conflict-view.ts'

/** The columns of the table of conflicts. */
const titles = [
  'id',
  'kind',
  'severity',
  'state',
  'detected',
  'event',
  'list_name',
  'order',
  'positionid',
  'attendee_name',
  'datetime',
  'device_name',
  'gate_name',
  'other_datetime',
  'other_device_name',
  'other_gate_name',
  'note',
  'resolved',
  'resolved_by',
]

/** Serves what contradicts each other in the events of an organizer. */
export function serveConflicts(router: ApiRouter): void {
  const { database } = router.api.transactions

  serveRaw(router, conflictList, async (request, ctx) => {
    const { actor, organizer, query } = request
    if (single(query, 'format') === 'csv') {
      const { rows } = await findConflicts(database, actor, organizer.id, { query, page: null })
      ctx.set('Content-Type', 'text/csv; charset=utf-8')
      ctx.attachment('conflicts.csv')
      return csvTable(titles, rows)
    }
    const { count, rows } = await findConflicts(database, actor, organizer.id, { query, page: request.page })
    return request.pageOf(count, rows)
  })

  serveRead(router, conflictRetrieve, async ({ actor, organizer, params }, db) => {
    const found = await conflictById(db, actor, organizer.id, idIn(params.conflict))
    if (!found) throw notFound()
    return (await presentConflicts(db, organizer.id, [found.row]))[0]
  })

  serveAction(router, conflictUpdate, async (request, tx) => {
    const { actor, organizer } = request
    const id = idIn(request.params.conflict)
    const found = await conflictById(tx, actor, organizer.id, id)
    if (!found) throw notFound()
    const { body } = request
    const place = { organizer: organizer.id, event: found.event }
    const state = body.state ?? found.row.state
    const settled =
      state === found.row.state
        ? {}
        : state === 'resolved'
          ? { resolved: tx.now, resolved_by: actor.name }
          : { resolved: null, resolved_by: null }
    const changes = { state, note: body.note ?? found.row.note, ...settled }
    await updateRow(tx, conflict, place, { id, ...changes })
    tx.audit(place, actor, {
      action: 'ticketsvc.event.conflict.changed',
      resource: conflict.name,
      row: id,
      data: { state: changes.state, note: changes.note },
    })
    const after = await conflictById(tx, actor, organizer.id, id)
    return after && (await presentConflicts(tx, organizer.id, [after.row]))[0]
  })
}
