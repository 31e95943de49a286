import sql, { join, type Sql } from 'sql-template-tag'
import { operationOf } from '../../schema/actions/action.ts'
import { type Operation, type Resource, tableOf } from '../../schema/resource.ts'
import { notFound } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import type { Behaviour, RowChange, Scope } from './api.ts'
import { type RowData, settled } from './codec.ts'
import { answerIfUnchanged } from './conditional.ts'
import { blankRow } from './defaults.ts'
import { type ActionRequest, type ApiRouter, guard, serveAction, serveRaw, serveRead } from './endpoints.ts'
import { readBody } from './input.ts'
import { audienceOf, maskedQuery, maskedRow } from './mask.ts'
import { collectionPath, type ResourcePath } from './paths.ts'
import { filterConditions, orderBy } from './query.ts'
import { checkReferences, deleteWithReferences } from './references.ts'
import {
  countRows,
  findRow,
  insertRow,
  lockRow,
  named,
  rowOf,
  storedFields,
  updateRow,
  within,
} from './store.ts'
import type { Tx } from './transactions.ts'
import { auditAction, checkUnique, differences, mutableFields } from './writing.ts'

/** A path's id, or 404 when it can be none. */
export function idIn(text: string | undefined): number {
  if (!text || !/^\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text))) throw notFound()
  return Number(text)
}

/** Only what the API shows of a row. */
export function shown(resource: Resource, row: RowData): RowData {
  const result: RowData = {}
  for (const name of Object.keys(resource.fields)) result[name] = row[name]
  for (const name of Object.keys(resource.computed ?? {})) if (name in row) result[name] = row[name]
  return result
}

/** A resource as it is served. */
interface Served {
  readonly router: ApiRouter
  readonly resource: Resource
  readonly behaviour: Behaviour
  readonly collection: ResourcePath
  readonly single: ResourcePath
}

/** A request for rows of a resource. */
type Asked = ActionRequest<ResourcePath>

/** Serves the standard operations of a resource below its path. */
export function serve<R extends Resource>(router: ApiRouter, resource: R, behaviour?: Behaviour<R>): void
export function serve(router: ApiRouter, resource: Resource, behaviour: Behaviour = {}): void {
  const collection = collectionPath(resource, router.api.catalogue)
  const single: ResourcePath = behaviour.enters ? `${collection}:event/` : `${collection}:id/`
  const served: Served = { router, resource, behaviour, collection, single }
  const has = ({ omit }: Resource, operation: Operation): boolean => omit?.includes(operation) !== true
  if (has(resource, 'list')) serveList(served)
  if (has(resource, 'create')) serveCreate(served)
  if (has(resource, 'retrieve'))
    serveRead(router, operationOf(resource, 'retrieve', single), async (request, db) =>
      presented(
        served,
        db,
        request,
        await existing(served, db, request, await parentOf(served, db, request)),
      ),
    )
  if (has(resource, 'update')) serveChange(served, 'update')
  if (has(resource, 'replace')) serveChange(served, 'replace')
  if (has(resource, 'delete')) serveDelete(served)
  guard(router, operationOf(resource, 'list', collection))
  guard(router, operationOf(resource, 'retrieve', single))
}

/** What the path calls a row. */
function nameIn({ resource, behaviour }: Served, { params }: Asked): string | number {
  const { event, id }: Readonly<Record<string, string>> = params
  if (behaviour.enters) return String(event)
  const { key = 'id' } = resource
  return key === 'id' || key === 'device_id' ? idIn(id) : String(id)
}

/** The row that the path names before this collection. */
async function parentOf(
  { router, resource }: Served,
  db: Database | Tx,
  request: Asked,
): Promise<RowData | undefined> {
  if (!resource.parent) return undefined
  const { parent: id }: Readonly<Record<string, string>> = request.params
  const parent = router.api.catalogue.get(resource.parent.resource)
  const row = parent && (await findRow(db, parent, request.place, { id: idIn(id) }))
  if (!row) throw notFound()
  return row
}

/** The row that the path names, below its parent; 404 where there is none. In a transaction it is kept from others. */
async function existing(
  served: Served,
  db: Database | Tx,
  request: Asked,
  parent: RowData | undefined,
): Promise<RowData> {
  const { resource } = served
  const key = { [resource.key ?? 'id']: nameIn(served, request) }
  const row =
    'forUpdate' in db
      ? await lockRow(db, resource, request.place, key)
      : await findRow(db, resource, request.place, key)
  if (!row || (resource.parent && parent && row[resource.parent.field] !== parent.id)) throw notFound()
  return row
}

async function presentedAll(
  { resource, behaviour }: Served,
  db: Database | Tx,
  request: Asked,
  rows: RowData[],
): Promise<RowData[]> {
  const whole = behaviour.present ? await behaviour.present(db, request, rows, request.query) : rows
  const audience = audienceOf(request.actor)
  return whole.map((row) => maskedRow(resource, audience, shown(resource, row)))
}

const presented = async (
  served: Served,
  db: Database | Tx,
  request: Asked,
  row: RowData,
): Promise<RowData | undefined> => (await presentedAll(served, db, request, [row]))[0]

/** Checks what is about to be stored against the rest of the data. */
async function prepared(
  { router, resource, behaviour }: Served,
  tx: Tx,
  scope: Scope,
  change: RowChange,
): Promise<RowData> {
  const { next, before } = change
  const fresh = before ? differences(before, next) : next
  await checkReferences(tx, router.api.catalogue, { resource, place: scope.place }, fresh)
  const complete = behaviour.prepare ? await behaviour.prepare(tx, scope, change) : next
  await checkUnique(tx, resource, scope, { next: complete, before })
  return settled(storedFields(resource), complete)
}

function serveList(served: Served): void {
  const { router, resource, behaviour, collection } = served
  const { api } = router
  const { database } = api.transactions
  serveRaw(router, operationOf(resource, 'list', collection), async (request, ctx) => {
    const { actor, place } = request
    const query = maskedQuery(resource, audienceOf(actor), request.query)
    const started = api.transactions.horizon()
    const parent = await parentOf(served, router.api.transactions.database, request)
    const { page } = request
    const isLive = behaviour.isLive?.(query) ?? false
    if (resource.conditional && !isLive && (await answerIfUnchanged(ctx, api, resource, request))) return
    const conditions: Sql[] = [
      ...(resource.parent && parent ? [sql`${named(resource.parent.field)} = ${Number(parent.id)}`] : []),
      ...filterConditions(resource, query),
      ...(behaviour.conditions?.(request, query, started) ?? []),
    ]
    const where = conditions.length > 0 ? join(conditions, ' AND ') : sql`1 = 1`
    const order = behaviour.order?.(query, database.engine) ?? orderBy(resource, query, database.engine)
    const count = await countRows(database, resource, place, where)
    const cells = await database.all<Record<string, string | number | null>>(
      sql`SELECT * FROM ${named(tableOf(resource))} WHERE ${within(resource, place)} AND ${where} ORDER BY ${order} LIMIT ${page.size} OFFSET ${page.offset}`,
    )
    const rows = cells.map((cell) => rowOf(resource, cell))
    if (resource.since) request.set('X-Page-Generated', started)
    return request.pageOf(count, await presentedAll(served, database, request, rows))
  })
}

function serveCreate(served: Served): void {
  const { router, resource, behaviour, collection } = served
  serveRaw(router, operationOf(resource, 'create', collection), async (request) => {
    const { place, actor, event } = request
    const parent = await parentOf(served, router.api.transactions.database, request)
    const body = request.body as RowData
    const values = readBody(resource.fields, body, { partial: false, locale: event?.locale ?? 'en' })
    const add = async (tx: Tx): Promise<RowData> => {
      const next: RowData = { ...blankRow(resource), ...settled(storedFields(resource), values) }
      if (resource.parent && parent) next[resource.parent.field] = parent.id
      const complete = await prepared(served, tx, request, { next, before: undefined, body })
      const fresh: RowData = { ...complete, id: tx.nextId() }
      await insertRow(tx, resource, place, fresh)
      await behaviour.afterWrite?.(tx, request, { next: fresh, before: undefined, body })
      tx.audit(place, actor, {
        action: auditAction(resource, behaviour, 'added'),
        resource: resource.name,
        row: Number(fresh.id),
        data: behaviour.noted?.(values) ?? values,
      })
      return fresh
    }
    return request.carryOut(add, (row, db) => presented(served, db, request, row))
  })
}

function serveChange(served: Served, operation: 'update' | 'replace'): void {
  const { router, resource, behaviour, single } = served
  const { transactions } = router.api
  const partial = operation === 'update'
  serveRaw(router, operationOf(resource, operation, single), async (request) => {
    const { place, actor, event } = request
    const parent = await parentOf(served, router.api.transactions.database, request)
    await existing(served, transactions.database, request, parent)
    const body = request.body as RowData
    const values = readBody(mutableFields(resource), body, { partial, locale: event?.locale ?? 'en' })
    const change = async (tx: Tx): Promise<RowData> => {
      const before = await existing(served, tx, request, parent)
      const next = { ...before, ...settled(storedFields(resource), values) }
      const complete = await prepared(served, tx, request, { next, before, body })
      const changes = differences(before, complete)
      if (Object.keys(changes).length > 0) {
        await updateRow(tx, resource, place, { id: Number(before.id), ...changes })
        tx.audit(place, actor, {
          action: auditAction(resource, behaviour, 'changed'),
          resource: resource.name,
          row: Number(before.id),
          data: behaviour.noted?.(changes) ?? changes,
        })
      }
      await behaviour.afterWrite?.(tx, request, { next: complete, before, body })
      return complete
    }
    return request.carryOut(change, (row, db) => presented(served, db, request, row))
  })
}

function serveDelete(served: Served): void {
  const { router, resource, behaviour, single } = served
  const { catalogue } = router.api
  serveAction(router, operationOf(resource, 'delete', single), async (request, tx) => {
    const { place, actor } = request
    const row = await existing(served, tx, request, await parentOf(served, tx, request))
    await behaviour.beforeDelete?.(tx, request, row)
    await deleteWithReferences(tx, catalogue, { resource, place, id: Number(row.id) }, (of, id, done) => {
      // Facts that go with a row are its own history; what is left of the catalogue has changed too.
      if (of !== resource && of.offline === 'local') return
      const action = auditAction(of, of === resource ? behaviour : {}, done)
      // What is gone can be known by its name only.
      const data = of === resource && resource.key === 'slug' ? { slug: row.slug } : undefined
      tx.audit(place, actor, { action, resource: of.name, row: id, data })
    })
  })
}
