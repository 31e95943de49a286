import sql from 'sql-template-tag'
import { permissions } from '../../../schema/permissions.ts'
import { team } from '../../../schema/resources/accounts/team.ts'
import { teamToken } from '../../../schema/resources/accounts/team-token.ts'
import { event } from '../../../schema/resources/events/event.ts'
import type { Config } from '../../../server/config.ts'
import { type Env, realEnv } from '../../../server/env.ts'
import { type Log, silentLog } from '../../../server/log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import type { Tx } from '../../../server/resource/transactions.ts'
import { type Running, startServer } from '../../../server/serve.ts'
import { hashToken } from '../../../server/services/codes/secrets.ts'
import type { Database } from '../../../server/storage/database.ts'
import { openMemory } from '../engines/sqlite-image.ts'
import { assertDescribed } from './described.ts'

/** An answer of a server under test. */
export interface Answer {
  readonly status: number
  // Tests look into answers of every shape.
  readonly body: unknown
  readonly headers: Headers
}

/** Asks a server. */
export type Call<A = Answer> = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<A>

/** A server under test with one organizer, one event and a token that may do everything. */
export interface TestServer {
  readonly running: Running
  readonly url: string
  readonly organizer: number
  readonly event: number
  readonly token: string
  /** Path of the organizer and of the event. */
  readonly org: string
  readonly ev: string
  readonly call: Call
  close(): Promise<void>
}

/** Adds a team with a token; the token's text is its name. */
export async function addToken(tx: Tx, organizer: number, token: string, rights: RowData): Promise<void> {
  const place = { organizer, event: 0 }
  const teamId = tx.nextId()
  await insertRow(tx, team, place, { ...blankRow(team), name: token, ...rights, id: teamId })
  await insertRow(tx, teamToken, place, {
    ...blankRow(teamToken),
    id: tx.nextId(),
    name: token,
    team: teamId,
    active: true,
    token_hash: hashToken(token),
  })
}

/** Adds an organizer; its id. */
export async function addOrganizer(tx: Tx, slug: string): Promise<number> {
  const id = tx.nextId()
  await tx.run(sql`INSERT INTO organizer (id, slug, name, settings) VALUES (${id}, ${slug}, ${slug}, '{}')`)
  return id
}

/** Adds an event; its id. */
export async function addEvent(
  tx: Tx,
  organizer: number,
  slug: string,
  values: RowData = {},
): Promise<number> {
  const id = tx.nextId()
  await insertRow(
    tx,
    event,
    { organizer, event: 0 },
    {
      ...blankRow(event),
      name: { en: slug },
      slug,
      date_from: '2030-06-01T10:00:00.000000Z',
      timezone: 'Europe/Berlin',
      ...values,
      id,
    },
  )
  return id
}

/** Everything a team can be allowed. */
export const allRights: RowData = {
  all_events: true,
  ...Object.fromEntries(permissions.map((one) => [one, true])),
}

/** Starts a server with the organizer `acme`, the event `gala` and the token `all` that may do everything. */
export async function startTestServer(
  database?: Database,
  stationKey: string | null = null,
  {
    env = realEnv,
    log = silentLog,
    ...more
  }: Pick<Config, 'webhookNetworks' | 'answers' | 'mail' | 'updates'> & {
    readonly env?: Env
    readonly log?: Log
  } = {},
): Promise<TestServer> {
  const running = await startServer(
    { database: ':memory:', host: '127.0.0.1', port: 0, stationKey, ...more },
    env,
    log,
    database ?? (await openMemory()),
  )
  return withOrganizer(running)
}

/** Adds to a server what `startTestServer` begins with. */
export async function withOrganizer(running: Running): Promise<TestServer> {
  const made = await running.transactions.write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    await addToken(tx, organizer, 'all', allRights)
    return { organizer, event: await addEvent(tx, organizer, 'gala') }
  })
  return askedAs(running, made)
}

/** A server that is asked as the organizer that `startTestServer` makes. */
export function askedAs(
  running: Running,
  made: { readonly organizer: number; readonly event: number },
): TestServer {
  const org = '/api/v1/organizers/acme'
  return {
    running,
    url: running.url,
    organizer: made.organizer,
    event: made.event,
    token: 'all',
    org,
    ev: `${org}/events/gala`,
    async call(method, path, body, headers = {}) {
      const answer = await fetch(running.url + path, {
        method,
        headers: {
          Authorization: 'Token all',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
        redirect: 'manual',
      })
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
      const { status } = answer
      const read = isJson && text !== '' ? JSON.parse(text) : text
      assertDescribed({ method, path, status, type: answer.headers.get('content-type'), body: read })
      return { status, body: read, headers: answer.headers }
    },
    close: () => running.close(),
  }
}
