import sql, { join, type Sql } from 'sql-template-tag'
import type { AuditRow } from '../../domain/accounts/audit-chain.ts'
import { may } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import type { Page } from '../../resource/pages.ts'
import { instantParameter, integerParameter, type Query, single } from '../../resource/query.ts'
import type { ResourceCatalogue } from '../../resource/references.ts'
import type { Queryable } from '../../storage/database.ts'

/** One entry of the audit trail as the API shows it. */
interface AuditShown {
  readonly id: number
  readonly datetime: string
  readonly event: string | null
  readonly actor: { readonly kind: string; readonly id: number; readonly name: string | null }
  readonly action: string
  readonly resource: string
  readonly object: number
  /** Null also where the caller may not see such objects. */
  readonly data: unknown
}

const names = {
  token: (organizer: number) => sql`SELECT id, name FROM team_token WHERE organizer = ${organizer} AND id IN`,
  device: (organizer: number) => sql`SELECT id, name FROM device WHERE organizer = ${organizer} AND id IN`,
  user: () => sql`SELECT id, email AS name FROM app_user WHERE id IN`,
} as const

const isNamed = (kind: string): kind is keyof typeof names => kind in names

/** What those who did things are called, by kind and id. */
async function namesOf(
  db: Queryable,
  organizer: number,
  rows: readonly AuditRow[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const kind of new Set(rows.map((row) => row.actor_kind))) {
    if (!isNamed(kind)) continue
    const ids = [...new Set(rows.flatMap((row) => (row.actor_kind === kind ? [row.actor] : [])))]
    for (const { id, name } of await db.all<{ id: number; name: string }>(
      sql`${names[kind](organizer)} (${join(ids)})`,
    ))
      found.set(`${kind} ${id}`, name)
  }
  return found
}

/** Who did something on a server that the organizer was on before: numbers of users were those of others there. */
async function formerUsersOf(
  db: Queryable,
  organizer: number,
): Promise<(row: AuditRow) => string | null | undefined> {
  const former = await db.all<{ user: number; until: string; email: string }>(
    sql`SELECT "user", "until", email FROM former_user WHERE organizer = ${organizer} ORDER BY "until"`,
  )
  return ({ actor_kind, actor, at }) => {
    if (actor_kind !== 'user') return undefined
    const found = former.find(({ user, until }) => user === actor && at < until)
    return found && (found.email || null)
  }
}

const escapedLike = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

/** An action by its name, or with an asterisk at the end all that begin like that. */
const ofAction = (text: string): Sql =>
  text.endsWith('*')
    ? sql`action LIKE ${`${escapedLike(text.slice(0, -1))}%`} ESCAPE '\\'`
    : sql`action = ${text}`

/** The events whose entries a caller sees on the page of the organizer: those that they may enter. */
function entered({ actor, place }: Scope): Sql {
  if (place.event !== 0) return sql`event = ${place.event}`
  if (actor.allEvents) return sql`1 = 1`
  return sql`event IN (${join([0, ...actor.events])})`
}

async function conditionsOf(db: Queryable, scope: Scope, query: Query): Promise<Sql> {
  const text = (name: string): string | undefined => single(query, name) || undefined
  const slug = text('event')
  const event =
    slug === undefined
      ? undefined
      : ((
          await db.get<{ id: number }>(
            sql`SELECT id FROM event WHERE organizer = ${scope.organizer.id} AND slug = ${slug}`,
          )
        )?.id ?? -1)
  const action = text('action')
  const resource = text('resource')
  const object = integerParameter(query, 'object')
  const kind = text('actor_kind')
  const actor = integerParameter(query, 'actor')
  const since = instantParameter(query, 'since')
  const before = instantParameter(query, 'before')
  const conditions = [
    sql`organizer = ${scope.organizer.id}`,
    entered(scope),
    event === undefined ? null : sql`event = ${event}`,
    action === undefined ? null : ofAction(action),
    resource === undefined ? null : sql`resource = ${resource}`,
    object === undefined ? null : sql`row_id = ${object}`,
    kind === undefined ? null : sql`actor_kind = ${kind}`,
    actor === undefined ? null : sql`actor = ${actor}`,
    since === undefined ? null : sql`at >= ${since}`,
    before === undefined ? null : sql`at < ${before}`,
  ]
  return join(
    conditions.flatMap((one) => one ?? []),
    ' AND ',
  )
}

/** Lists the audit trail of an organizer or event, newest first. */
export async function listAudit(
  db: Queryable,
  catalogue: ResourceCatalogue,
  scope: Scope,
  { query, page }: { readonly query: Query; readonly page: Page },
): Promise<{ readonly count: number; readonly rows: readonly AuditShown[] }> {
  const where = await conditionsOf(db, scope, query)
  const total = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM audit WHERE ${where}`)
  const rows = await db.all<AuditRow & { slug: string | null }>(
    sql`SELECT audit.*, (SELECT slug FROM event WHERE event.organizer = audit.organizer AND event.id = audit.event) AS slug
        FROM audit WHERE ${where} ORDER BY at DESC, id DESC LIMIT ${page.size} OFFSET ${page.offset}`,
  )
  const called = await namesOf(db, scope.organizer.id, rows)
  const former = await formerUsersOf(db, scope.organizer.id)
  const nameOf = (row: AuditRow): string | null => {
    const name = former(row)
    return name === undefined ? (called.get(`${row.actor_kind} ${row.actor}`) ?? null) : name
  }
  const maySee = (resource: string): boolean => {
    const declared = catalogue.get(resource)
    return declared !== undefined && may(scope.actor, declared.permission.read)
  }
  return {
    count: total?.count ?? 0,
    rows: rows.map((row) => ({
      id: row.id,
      datetime: row.at,
      event: row.slug,
      actor: {
        kind: row.actor_kind,
        id: row.actor,
        name: nameOf(row),
      },
      action: row.action,
      resource: row.resource,
      object: row.row_id,
      data: row.data !== null && maySee(row.resource) ? JSON.parse(row.data) : null,
    })),
  }
}
