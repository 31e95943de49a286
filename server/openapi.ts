import type { Action } from '../schema/actions/action.ts'
import { actions } from '../schema/actions.ts'
import { type Field, type Fields, marksOf } from '../schema/fields.ts'
import type { Requirement } from '../schema/permissions.ts'
import type { Operation, Resource } from '../schema/resource.ts'
import { resources } from '../schema/resources/index.ts'
import { collectionPath } from './resource/paths.ts'
import { version } from './version.ts'

type Json = Readonly<Record<string, unknown>>

/** A field's JSON Schema without the engine's marks. */
function plain(field: Field<unknown>): Json {
  const { 'x-gatehouse': marks, ...schema } = field as unknown as Record<string, unknown> & Field<unknown>
  const { default: fallback, readOnly, required } = marks
  return { ...schema, ...(readOnly || required || fallback === undefined ? {} : { default: fallback }) }
}

const objectOf = (fields: Fields, required: readonly string[]): Json => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, plain(field)])),
  ...(required.length > 0 ? { required } : {}),
})

const writable = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => !marksOf(field).readOnly))

const titleOf = (name: string): string =>
  name.replace(/(^|_)(\w)/g, (_, __: string, letter: string) => letter.toUpperCase())

/** What is shown of a resource, what creates it, and what changes it. */
function schemasOf(resource: Resource): Json {
  const shown = { ...resource.fields, ...resource.computed }
  const sent = writable(resource.fields)
  const needed = Object.entries(sent).filter(([, field]) => marksOf(field).required)
  const title = titleOf(resource.name)
  return {
    [title]: objectOf(shown, Object.keys(resource.fields)),
    [`${title}Create`]: objectOf(
      sent,
      needed.map(([name]) => name),
    ),
    [`${title}Change`]: objectOf(sent, []),
  }
}

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

const content = (schema: Json): Json => ({ 'application/json': { schema } })

const answer = (description: string, schema?: Json): Json => ({
  description,
  ...(schema ? { content: content(schema) } : {}),
})

const errors: Readonly<Record<string, Json>> = {
  '400': answer('The data sent is not valid.', reference('Errors')),
  '401': answer('No valid credential was sent.', reference('Detail')),
  '403': answer('Not allowed, or not there.', reference('Detail')),
  '404': answer('There is no such object.', reference('Detail')),
  '409': answer('Somebody else changes the same thing; try again.', reference('Detail')),
}

const pick = (...statuses: readonly string[]): Json =>
  Object.fromEntries(statuses.map((status) => [status, errors[status]]))

const page = (schema: Json): Json => ({
  type: 'object',
  required: ['count', 'next', 'previous', 'results'],
  properties: {
    count: { type: 'integer' },
    next: { type: ['string', 'null'] },
    previous: { type: ['string', 'null'] },
    results: { type: 'array', items: schema },
  },
})

/** A path of the router as OpenAPI writes it, and its parameters. */
const pathOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

const queryParameter = (name: string): Json => ({
  name,
  in: 'query',
  required: false,
  schema: { type: 'string' },
})

const needs = (requirement: Requirement): string =>
  requirement === null ? 'any access' : [requirement].flat().join(' or ')

const body = (schema: Json): Json => ({ required: true, content: content(schema) })

/** The standard operations of a resource, by path and method. */
function standardPaths(resource: Resource, byName: ReadonlyMap<string, Resource>): Record<string, Json> {
  if (resource.path === null) return {}
  const collection = collectionPath(resource, byName)
  const single = `${collection}:id/`
  const title = titleOf(resource.name)
  const has = (operation: Operation): boolean => !resource.omit?.includes(operation)
  const read = `Needs ${needs(resource.permission.read)}.`
  const write = `Needs ${needs(resource.permission.write)}.`
  const create = `Needs ${needs(resource.permission.create ?? resource.permission.write)}.`
  const tags = [resource.name]
  const listQuery = ['page', 'page_size', 'ordering', ...Object.keys(resource.filters ?? {})].map(
    queryParameter,
  )
  const operation = (id: string, description: string, rest: Json): Json => ({
    operationId: id,
    tags,
    description,
    ...rest,
  })
  const one = (status: string, text: string): Json => ({ [status]: answer(text, reference(title)) })
  const onCollection = {
    ...(has('list') && {
      get: operation(`${resource.name}_list`, read, {
        parameters: listQuery,
        responses: {
          '200': answer('One page.', page(reference(title))),
          ...pick('400', '401', '403', '404'),
        },
      }),
    }),
    ...(has('create') && {
      post: operation(`${resource.name}_create`, create, {
        requestBody: body(reference(`${title}Create`)),
        responses: { ...one('201', 'Made.'), ...pick('400', '401', '403', '409') },
      }),
    }),
  }
  const changed = { ...one('200', 'Changed.'), ...pick('400', '401', '403', '404', '409') }
  const onSingle = {
    ...(has('retrieve') && {
      get: operation(`${resource.name}_retrieve`, read, {
        responses: { ...one('200', 'The object.'), ...pick('401', '403', '404') },
      }),
    }),
    ...(has('update') && {
      patch: operation(`${resource.name}_update`, write, {
        requestBody: body(reference(`${title}Change`)),
        responses: changed,
      }),
    }),
    ...(has('replace') && {
      put: operation(`${resource.name}_replace`, write, {
        requestBody: body(reference(`${title}Create`)),
        responses: changed,
      }),
    }),
    ...(has('delete') && {
      delete: operation(`${resource.name}_delete`, write, {
        responses: { '204': answer('Deleted.'), ...pick('401', '403', '404') },
      }),
    }),
  }
  return Object.fromEntries(
    [
      [collection, onCollection],
      [single, onSingle],
    ]
      .filter(([, operations]) => Object.keys(operations as Json).length > 0)
      .map(([path, operations]) => [
        pathOf(String(path)),
        { parameters: pathParameters(String(path)), ...(operations as Json) },
      ]),
  )
}

function actionOperation(action: Action): Json {
  return {
    operationId: action.name,
    tags: [action.tag],
    description: `${action.summary} Needs ${action.needs === 'nothing' ? 'no credential' : needs(action.needs)}.`,
    ...(action.query ? { parameters: action.query.map(queryParameter) } : {}),
    ...(action.body ? { requestBody: body(action.body as Json) } : {}),
    responses: Object.fromEntries(
      Object.entries(action.answers).map(([status, text]) => [
        status,
        errors[status] ?? answer(text, { type: ['object', 'array'] }),
      ]),
    ),
  }
}

/** The whole HTTP interface as an OpenAPI 3.1 document. */
export function openApiDocument(): Json {
  const byName = new Map(resources.map((resource) => [resource.name, resource]))
  const paths: Record<string, Record<string, unknown>> = {}
  for (const resource of resources) Object.assign(paths, standardPaths(resource, byName))
  for (const action of actions) {
    const path = pathOf(action.path)
    paths[path] = {
      parameters: pathParameters(action.path),
      ...paths[path],
      [action.method]: actionOperation(action),
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Gatehouse', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'Token <token> or Device <token>',
        },
      },
      schemas: {
        ...Object.assign({}, ...resources.filter((resource) => resource.path !== null).map(schemasOf)),
        Detail: { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } },
        Errors: {
          description:
            'Messages by field, a list of messages or of such objects, or one sentence under detail.',
          type: ['object', 'array'],
        },
      },
    },
    security: [{ token: [] }],
  }
}
