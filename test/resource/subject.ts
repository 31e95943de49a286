import assert from 'node:assert/strict'
import { type Field, marksOf } from '../../schema/fields.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { findRow } from '../../server/resource/store.ts'
import type { Place } from '../../server/resource/transactions.ts'
import type { Fixture } from '../fixtures/fixture.ts'
import type { World } from '../fixtures/world.ts'
import type { Answer } from '../support/servers/servers.ts'

/** A collection of one resource that rows may be made in. */
export interface Subject {
  readonly world: World
  readonly fixture: Fixture
  readonly path: string
  readonly place: Place
  /** The number of this subject, by which its bodies differ from those of others. */
  readonly n: number
}

/** Opens a collection of a fixture. */
export async function subjectOf(world: World, fixture: Fixture): Promise<Subject> {
  const place = { organizer: world.server.organizer, event: fixture.event(world) }
  return { world, fixture, path: await fixture.collection(world), place, n: world.next() }
}

/** The fields that requests can set, with their names. */
export const writableFields = (fixture: Fixture): [string, Field<unknown>][] =>
  Object.entries(fixture.resource.fields).filter(([, field]) => !marksOf(field).readOnly)

/** The fields that a change can set: those that can be written, but for what stays as it was made. */
export const mutableFields = (fixture: Fixture): [string, Field<unknown>][] =>
  writableFields(fixture).filter(([name]) => !fixture.resource.immutable?.includes(name))

/** The path of one row. */
export const pathOf = ({ fixture, path }: Subject, row: RowData): string =>
  `${path}${row[fixture.resource.key ?? 'id']}/`

/** An answer's body as an object, when it has the status that is expected. */
function bodyOf(answer: Answer, status: number, about = ''): RowData {
  assert.equal(answer.status, status, `${about} ${JSON.stringify(answer.body)}`)
  return answer.body as RowData
}

/** Asks for something and expects a status. */
export const ask = async (
  { world }: Subject,
  method: string,
  path: string,
  status: number,
  body?: unknown,
): Promise<RowData> =>
  bodyOf(await world.server.call(method, path, body), status, `${method} ${path} ${JSON.stringify(body)}`)

/** Makes a row from a body. */
export const make = (subject: Subject, body: RowData): Promise<RowData> =>
  ask(subject, 'POST', subject.path, 201, body)

/** Makes a row with a value in every field. */
export const makeFull = (subject: Subject): Promise<RowData> =>
  make(subject, subject.fixture.full(subject.world, subject.n))

/** A row as it is stored, found by what names it in a path. */
export async function stored({ world, fixture, place }: Subject, row: RowData): Promise<RowData> {
  const key = fixture.resource.key ?? 'id'
  const { database } = world.server.running.transactions
  const found = await findRow(database, fixture.resource, place, { [key]: row[key] as string | number })
  assert.ok(found)
  return found
}

interface Page {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly RowData[]
}

/** One page of a list. */
export async function pageAt(subject: Subject, address: string): Promise<Page> {
  return (await ask(subject, 'GET', address, 200)) as unknown as Page
}

/** All rows of a list, page by page as its addresses lead; `between` is called after each page. */
export async function walk(
  subject: Subject,
  query = '',
  between: () => Promise<void> = async () => {},
): Promise<RowData[]> {
  const rows: RowData[] = []
  let address: string | null = `${subject.path}?${query}`
  while (address !== null) {
    const page: Page = await pageAt(subject, address)
    rows.push(...page.results)
    address = page.next?.replace(subject.world.server.url, '') ?? null
    await between()
  }
  return rows
}

/** The rows of the first two pages of a list. */
export async function firstPages(subject: Subject, query = ''): Promise<RowData[]> {
  const first = await pageAt(subject, `${subject.path}?${query}`)
  if (first.next === null) return [...first.results]
  return [...first.results, ...(await pageAt(subject, `${subject.path}?${query}&page=2`)).results]
}
