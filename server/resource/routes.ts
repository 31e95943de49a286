import type Router from '@koa/router'
import type { Context } from 'koa'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Requirement } from '../../schema/permissions.ts'
import { type Operation, type Resource, tableOf } from '../../schema/resource.ts'
import { notAllowed, notFound } from '../errors.ts'
import type { Api, Behaviour, Scope } from './api.ts'
import { type RowData, settled } from './codec.ts'
import { answerIfUnchanged } from './conditional.ts'
import { blankRow } from './defaults.ts'
import { addressOf, bodyOf } from './endpoints.ts'
import { readBody } from './input.ts'
import { pageBody, pageOf } from './pages.ts'
import { collectionPath } from './paths.ts'
import { filterConditions, orderBy, type Query } from './query.ts'
import { checkReferences, deleteWithReferences } from './references.ts'
import { countRows, findRow, insertRow, named, rowOf, storedFields, updateRow, within } from './store.ts'
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

const present = async (
  api: Api,
  resource: Resource,
  behaviour: Behaviour,
  scope: Scope,
  rows: RowData[],
  query: Query,
) => {
  const whole = behaviour.present
    ? await behaviour.present(api.transactions.database, scope, rows, query)
    : rows
  return whole.map((row) => shown(resource, row))
}

/** Serves the standard operations of a resource below its path. */
export function serve<R extends Resource>(
  router: Router,
  api: Api,
  resource: R,
  behaviour?: Behaviour<R>,
): void
export function serve(router: Router, api: Api, resource: Resource, behaviour: Behaviour = {}): void {
  const { database } = api.transactions
  const stored = storedFields(resource)
  const collection = collectionPath(resource, api.catalogue)
  const single = behaviour.enters ? `${collection}:event/` : `${collection}:id/`
  const key = resource.key ?? 'id'
  const noted = behaviour.noted ?? ((values: RowData) => values)
  const omitted = new Set<Operation>(resource.omit)
  const { read, write, create = write } = resource.permission
  const ofAll = (requirement: Requirement) => api.admit(resource.scope, requirement)
  const ofOne = (requirement: Requirement) =>
    api.admit(behaviour.enters ? 'event' : resource.scope, requirement)
  const keyOf = (ctx: Context): string | number => {
    if (behaviour.enters) return String(ctx.params.event)
    return key === 'id' || key === 'device_id' ? idIn(ctx.params.id) : String(ctx.params.id)
  }

  /** The row that the path names before this collection. */
  async function parentOf(ctx: Context, scope: Scope): Promise<RowData | undefined> {
    if (!resource.parent) return undefined
    const parent = api.catalogue.get(resource.parent.resource)
    const row = parent && (await findRow(database, parent, scope.place, 'id', idIn(ctx.params.parent)))
    if (!row) throw notFound()
    return row
  }

  const ofParent = (parent: RowData | undefined): Sql[] =>
    resource.parent && parent ? [sql`${named(resource.parent.field)} = ${Number(parent.id)}`] : []

  async function existing(
    db: Tx | typeof database,
    scope: Scope,
    value: string | number,
    parent: RowData | undefined,
    lock?: Sql,
  ) {
    const row = await findRow(db, resource, scope.place, key, value, lock)
    if (!row || (resource.parent && parent && row[resource.parent.field] !== parent.id)) throw notFound()
    return row
  }

  /** Checks what is about to be stored against the rest of the data. */
  async function prepared(tx: Tx, scope: Scope, next: RowData, before: RowData | undefined, body: RowData) {
    const fresh = before ? differences(before, next) : next
    await checkReferences(tx, api.catalogue, resource, scope.place, fresh)
    const complete = behaviour.prepare ? await behaviour.prepare(tx, scope, { next, before, body }) : next
    await checkUnique(tx, resource, scope, complete, before)
    return settled(stored, complete)
  }

  if (!omitted.has('list'))
    router.get(collection, ofAll(read), async (ctx) => {
      const scope: Scope = ctx.state.scope
      const query: Query = ctx.query
      const started = api.transactions.horizon()
      const parent = await parentOf(ctx, scope)
      const page = pageOf(query)
      const isLive = behaviour.isLive?.(query) ?? false
      if (resource.conditional && !isLive && (await answerIfUnchanged(ctx, api, resource, scope))) return
      const conditions = [
        ...ofParent(parent),
        ...filterConditions(resource, query),
        ...(behaviour.conditions?.(scope, query, started) ?? []),
      ]
      const where = conditions.length > 0 ? join(conditions, ' AND ') : sql`1 = 1`
      const order = behaviour.order?.(query, database.engine) ?? orderBy(resource, query, database.engine)
      const count = await countRows(database, resource, scope.place, where)
      const cells = await database.all<Record<string, string | number | null>>(
        sql`SELECT * FROM ${named(tableOf(resource))} WHERE ${within(resource, scope.place)} AND ${where} ORDER BY ${order} LIMIT ${page.size} OFFSET ${page.offset}`,
      )
      const rows = cells.map((cell) => rowOf(resource, cell))
      if (resource.since) ctx.set('X-Page-Generated', started)
      ctx.body = pageBody(
        addressOf(ctx),
        page,
        count,
        await present(api, resource, behaviour, scope, rows, query),
      )
    })

  if (!omitted.has('create'))
    router.post(collection, ofAll(create), async (ctx) => {
      const scope: Scope = ctx.state.scope
      const parent = await parentOf(ctx, scope)
      const body = bodyOf(ctx)
      const values = readBody(resource.fields, body, { partial: false, locale: scope.event?.locale ?? 'en' })
      const row = await api.transactions.write(async (tx) => {
        const start: RowData = { ...blankRow(resource), ...settled(stored, values) }
        if (resource.parent && parent) start[resource.parent.field] = parent.id
        const next = await prepared(tx, scope, start, undefined, body as RowData)
        const fresh: RowData = { ...next, id: tx.nextId() }
        await insertRow(tx, resource, scope.place, fresh)
        await behaviour.afterWrite?.(tx, scope, { next: fresh, before: undefined, body: body as RowData })
        tx.audit(scope.place, scope.actor, {
          action: auditAction(resource, behaviour, 'added'),
          resource: resource.name,
          row: Number(fresh.id),
          data: noted(values),
        })
        return fresh
      })
      ctx.status = 201
      ctx.body = (await present(api, resource, behaviour, scope, [row], ctx.query))[0]
    })

  if (!omitted.has('retrieve'))
    router.get(single, ofOne(read), async (ctx) => {
      const scope: Scope = ctx.state.scope
      const row = await existing(database, scope, keyOf(ctx), await parentOf(ctx, scope))
      ctx.body = (await present(api, resource, behaviour, scope, [row], ctx.query))[0]
    })

  async function change(ctx: Context, partial: boolean): Promise<void> {
    const scope: Scope = ctx.state.scope
    const parent = await parentOf(ctx, scope)
    const value = keyOf(ctx)
    await existing(database, scope, value, parent)
    const body = bodyOf(ctx)
    const fields = mutableFields(resource)
    const values = readBody(fields, body, { partial, locale: scope.event?.locale ?? 'en' })
    const row = await api.transactions.write(async (tx) => {
      const before = await existing(tx, scope, value, parent, tx.forUpdate)
      const next = await prepared(
        tx,
        scope,
        { ...before, ...settled(stored, values) },
        before,
        body as RowData,
      )
      const changes = differences(before, next)
      if (Object.keys(changes).length > 0) {
        await updateRow(tx, resource, scope.place, Number(before.id), changes)
        tx.audit(scope.place, scope.actor, {
          action: auditAction(resource, behaviour, 'changed'),
          resource: resource.name,
          row: Number(before.id),
          data: noted(changes),
        })
      }
      await behaviour.afterWrite?.(tx, scope, { next, before, body: body as RowData })
      return next
    })
    ctx.body = (await present(api, resource, behaviour, scope, [row], ctx.query))[0]
  }

  if (!omitted.has('update')) router.patch(single, ofOne(write), (ctx) => change(ctx, true))
  if (!omitted.has('replace')) router.put(single, ofOne(write), (ctx) => change(ctx, false))

  if (!omitted.has('delete'))
    router.delete(single, ofOne(write), async (ctx) => {
      const scope: Scope = ctx.state.scope
      const parent = await parentOf(ctx, scope)
      const value = keyOf(ctx)
      await api.transactions.write(async (tx) => {
        const row = await existing(tx, scope, value, parent, tx.forUpdate)
        await behaviour.beforeDelete?.(tx, scope, row)
        await deleteWithReferences(
          tx,
          api.catalogue,
          resource,
          scope.place,
          Number(row.id),
          (of, id, done) => {
            // Facts that go with a row are its own history; what is left of the catalogue has changed too.
            if (of !== resource && of.offline === 'local') return
            const action = auditAction(of, of === resource ? behaviour : {}, done)
            // What is gone can be known by its name only.
            const data = of === resource && key === 'slug' ? { slug: row.slug } : undefined
            tx.audit(scope.place, scope.actor, { action, resource: of.name, row: id, data })
          },
        )
      })
      ctx.status = 204
    })

  router.all(collection, ofAll(null), (ctx) => refuseMethod(ctx))
  router.all(single, ofOne(null), (ctx) => refuseMethod(ctx))
}

/** Answers 405 to a method that a path does not have. */
export function refuseMethod(ctx: Context): never {
  throw notAllowed(ctx.method)
}
