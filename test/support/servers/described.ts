import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Ajv, type ValidateFunction } from 'ajv'
import { readInstant } from '../../../schema/instants.ts'
import { noteReached } from '../mocha/route-status.ts'

/** An operation as the description of the interface tells of it. */
export interface Described {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
  readonly security?: readonly unknown[]
}

type Schema = Readonly<Record<string, unknown>>
type Content = Readonly<Record<string, { readonly schema: Schema }>>
type Methods = Readonly<Record<string, Described>>

interface Description {
  readonly paths: Readonly<Record<string, Methods & { readonly parameters: readonly unknown[] }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The description of the interface as it is committed. */
export const description: Description = JSON.parse(
  readFileSync(new URL('../../../schema/openapi.json', import.meta.url), 'utf8'),
)

interface Node {
  readonly fixed: Map<string, Node>
  open: Node | undefined
  path: string | undefined
}

const newNode = (): Node => ({ fixed: new Map(), open: undefined, path: undefined })

const root = newNode()
for (const path of Object.keys(description.paths)) {
  let node = root
  for (const part of path.split('/')) {
    const next: Node = (part.startsWith('{') ? node.open : node.fixed.get(part)) ?? newNode()
    if (part.startsWith('{')) node.open = next
    else node.fixed.set(part, next)
    node = next
  }
  node.path = path
}

/** The described path that an address is of: words count for more than what may stand for anything. */
function pathAt(parts: readonly string[], node: Node = root): string | undefined {
  const [part, ...rest] = parts
  if (part === undefined) return node.path
  const fixed = node.fixed.get(part)
  const open = part === '' ? undefined : node.open
  return (fixed && pathAt(rest, fixed)) ?? (open && pathAt(rest, open))
}

/** A schema by which nothing may be there that it does not name; with `partial`, nothing has to be. */
function strictly(value: unknown, partial: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => strictly(one, partial))
  if (typeof value !== 'object' || value === null) return value
  const schema = value as Record<string, unknown>
  const closed: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(schema))
    if (!(partial && key === 'required' && Array.isArray(inner))) closed[key] = strictly(inner, partial)
  if (typeof schema.$ref === 'string') closed.$ref = schema.$ref
  if (
    typeof schema.properties === 'object' &&
    schema.type === 'object' &&
    !('additionalProperties' in schema)
  )
    closed.additionalProperties = false
  return closed
}

function newAjv(partial: boolean): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: false })
  ajv.addFormat('money', /^-?\d{1,15}\.\d{2}$/)
  ajv.addFormat('percent', /^\d{1,3}\.\d{2}$/)
  ajv.addFormat('decimal', /^-?\d{1,50}(\.\d{1,25})?$/)
  ajv.addFormat('date-time', {
    validate: (text: string) => text.endsWith('Z') && readInstant(text) !== undefined,
  })
  ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/)
  ajv.addFormat('time-of-day', /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/)
  for (const name of ['email', 'slug', 'binary']) ajv.addFormat(name, true)
  ajv.addSchema(
    { $id: 'all', components: { schemas: strictly(description.components.schemas, partial) } } as object,
    'all',
  )
  return ajv
}

const made = new Map<boolean, Ajv>()
const validators = new Map<string, ValidateFunction>()

function validatorOf(key: string, schema: Schema, partial: boolean): ValidateFunction {
  const name = `${partial} ${key}`
  const known = validators.get(name)
  if (known) return known
  const ajv = made.get(partial) ?? newAjv(partial)
  made.set(partial, ajv)
  // Many answers are described alike, refusals above all.
  const text = JSON.stringify(strictly(schema, partial)).replaceAll('"#/components', '"all#/components')
  const alike = `${partial} ${text}`
  const fitting = validators.get(alike) ?? ajv.compile(JSON.parse(text))
  validators.set(alike, fitting)
  validators.set(name, fitting)
  return fitting
}

/** A refusal of any kind. */
const refusal: Schema = {
  anyOf: [{ $ref: '#/components/schemas/Detail' }, { $ref: '#/components/schemas/FieldErrors' }],
}

/** What was asked, and what came back. */
interface Exchange {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly status: number
  readonly type: string | null
  readonly body: unknown
}

/** The operation that a request asks for, with its path; undefined where nothing is described. */
export function operationFor(
  method: string,
  address: string,
): { path: string; operation?: Described } | undefined {
  const path = pathAt(address.split('/'))
  if (path === undefined) return undefined
  const methods = description.paths[path] as Methods
  const operation = methods[method === 'HEAD' ? 'get' : method.toLowerCase()]
  return operation ? { path, operation } : { path }
}

/** What our server says with every answer, and those that stand in for others do not. */
const ours = 'x-content-type-options'

// Libraries and streams are asked in other ways than by the helpers here; what they were answered was seen as well.
subscribe('http.server.response.finish', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
  const { method = '', url = '' } = request
  if (!url.startsWith('/api/v1/') || !response.hasHeader(ours)) return
  const found = operationFor(method, url.split('?')[0] ?? '')
  if (found?.operation?.responses[response.statusCode])
    noteReached(`${method === 'HEAD' ? 'GET' : method} ${found.path} ${response.statusCode}`)
})

/** Asserts that an answer is one that the description of the interface tells of. */
export function assertDescribed({ method, path: asked, status, type, body }: Exchange): void {
  const [address = '', search = ''] = asked.split('?')
  if (!address.startsWith('/api/v1/') || address.startsWith('/api/v1/station/')) return
  const found = operationFor(method, address)
  const shown = `${method} ${asked} answered ${status}`
  if (!found?.operation) {
    if (status === 301 && operationFor(method, `${address}/`)?.operation) return
    if (status === 404 && type?.startsWith('text/html')) return
    assert.ok(status >= 400 && status < 500, `${shown} where nothing is described`)
    if (method !== 'HEAD') fits(`${status}`, refusal, false, body, shown)
    return
  }
  const { path, operation } = found
  const response = operation.responses[status]
  assert.ok(response, `${shown}, which is not described for ${operation.operationId}`)
  noteReached(`${method === 'HEAD' ? 'GET' : method} ${path} ${status}`)
  if (method === 'HEAD') return
  const [expected, content] = Object.entries(response.content ?? {})[0] ?? []
  if (expected === undefined || content === undefined) {
    assert.ok(
      body === '' || body === null || body === undefined,
      `${shown} with a body: ${String(body).slice(0, 200)}`,
    )
    return
  }
  const isJson = type?.startsWith('application/json') ?? false
  if (expected !== 'application/json' || !isJson) {
    // Lists of conflicts can be had as a table.
    const wanted = search.includes('format=csv') && status === 200 ? 'text/csv' : expected
    assert.ok(wanted === '*/*' || type?.startsWith(wanted), `${shown} with ${type} instead of ${wanted}`)
    return
  }
  const partial = /(^|&)(include|exclude)=/.test(search)
  fits(`${operation.operationId} ${status}`, content.schema, partial, body, shown)
}

function fits(key: string, schema: Schema, partial: boolean, body: unknown, shown: string): void {
  const isFitting = validatorOf(key, schema, partial)
  if (isFitting(body)) return
  const problems = (isFitting.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
  )
  assert.fail(
    `${shown}, but not as described: ${problems.join('; ').slice(0, 1500)}\n${JSON.stringify(body)?.slice(0, 1500)}`,
  )
}
