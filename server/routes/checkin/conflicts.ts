import type Router from '@koa/router'
import { conflictBody } from '../../../schema/bodies/conflict.ts'
import { conflict } from '../../../schema/resources/checkin/conflict.ts'
import { notFound } from '../../errors.ts'
import { csvTable } from '../../exporters/format/csv.ts'
import type { Api, Scope } from '../../resource/api.ts'
import type { RowData } from '../../resource/codec.ts'
import { addressOf, bodyOf } from '../../resource/endpoints.ts'
import { check } from '../../resource/input.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { single } from '../../resource/query.ts'
import { idIn, refuseMethod } from '../../resource/routes.ts'
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
export function serveConflicts(router: Router, api: Api): void {
  const { database } = api.transactions
  const path = '/api/v1/organizers/:organizer/conflicts/'

  router.get(path, api.admit('organizer', conflict.permission.read), async (ctx) => {
    const { actor, organizer }: Scope = ctx.state.scope
    if (single(ctx.query, 'format') === 'csv') {
      const { rows } = await findConflicts(database, actor, organizer.id, { query: ctx.query, page: null })
      ctx.set('Content-Type', 'text/csv; charset=utf-8')
      ctx.attachment('conflicts.csv')
      ctx.body = csvTable(titles, rows)
      return
    }
    const page = pageOf(ctx.query)
    const { count, rows } = await findConflicts(database, actor, organizer.id, { query: ctx.query, page })
    ctx.body = pageBody(addressOf(ctx), page, count, rows)
  })

  router.get(`${path}:conflict/`, api.admit('organizer', conflict.permission.read), async (ctx) => {
    const { actor, organizer }: Scope = ctx.state.scope
    const found = await conflictById(database, actor, organizer.id, idIn(ctx.params.conflict))
    if (!found) throw notFound()
    ctx.body = (await presentConflicts(database, organizer.id, [found.row]))[0]
  })

  router.patch(`${path}:conflict/`, api.admit('organizer', conflict.permission.write), async (ctx) => {
    const { actor, organizer }: Scope = ctx.state.scope
    const id = idIn(ctx.params.conflict)
    if (!(await conflictById(database, actor, organizer.id, id))) throw notFound()
    const body = bodyOf(ctx) as RowData
    check(conflictBody, body)
    ctx.body = await api.transactions.write(async (tx) => {
      const found = await conflictById(tx, actor, organizer.id, id)
      if (!found) throw notFound()
      const place = { organizer: organizer.id, event: found.event }
      const state = body.state ?? found.row.state
      const settled =
        state === found.row.state
          ? {}
          : state === 'resolved'
            ? { resolved: tx.now, resolved_by: actor.name }
            : { resolved: null, resolved_by: null }
      const changes = { state, note: body.note ?? found.row.note, ...settled }
      await updateRow(tx, conflict, place, id, changes)
      tx.audit(place, actor, {
        action: 'ticketsvc.event.conflict.changed',
        resource: conflict.name,
        row: id,
        data: { state: changes.state, note: changes.note },
      })
      const after = await conflictById(tx, actor, organizer.id, id)
      return after && (await presentConflicts(tx, organizer.id, [after.row]))[0]
    })
  })

  for (const one of [path, `${path}:conflict/`])
    router.all(one, api.admit('organizer', null), (ctx) => refuseMethod(ctx))
}
