import { operationOf } from '../schema/actions/action.ts'
import { resourceBodies } from '../schema/described/bodies.ts'
import { insides } from '../schema/described/insides.ts'
import { filterParameter, furtherParameters, parameter } from '../schema/described/parameters.ts'
import { busyOrPoor } from '../schema/described/shapes.ts'
import { bodySchema, changeSchema, type Json, pageSchema, shownObject, the } from '../schema/json-schema.ts'
import type { Operation, Resource } from '../schema/resource.ts'
import { always, answer, body, needs, pathOf, pathParameters, pickKeys } from './openapi-parts.ts'
import { requirementOf } from './resource/endpoints.ts'
import { collectionPath } from './resource/paths.ts'

const titleOf = (name: string): string =>
  name.replace(/(^|_)(\w)/g, (_, __: string, letter: string) => letter.toUpperCase())

/** What is shown of a resource, by its title. */
export const shownSchema = (resource: Resource): Record<string, Json> => ({
  [titleOf(resource.name)]: shownObject(
    { ...resource.fields, ...resource.computed },
    Object.keys(resource.fields),
    insides[resource.name],
  ),
})

/** What creates a resource, and what changes it. */
export function sentSchemas(resource: Resource): Record<string, Json> {
  if (resource.path === null) return {}
  const title = titleOf(resource.name)
  const special = resourceBodies[resource.name]
  return {
    [`${title}Create`]: special?.create ?? bodySchema(resource.fields),
    [`${title}Change`]: special?.change ?? changeSchema(resource.fields),
  }
}

const noMoney = 'Somebody else changes the same thing, or a gift card is not worth enough.'

/** How paths name one row of a resource. */
const keyIn = ({ name }: Resource): string => (name === 'event' ? 'event' : name === 'order' ? 'code' : 'id')

/** The query parameters of a list: pages, order, filters and what else there is. */
function listParameters(resource: Resource): Json[] {
  const { filters = {}, ordering } = resource
  const fields = { ...resource.hidden, ...resource.fields }
  const words = ordering?.allowed ?? ['id']
  return [
    parameter('page'),
    parameter('page_size'),
    parameter('ordering', {
      type: 'string',
      description: `${words.join(', ')}; with commas between them, and - before those that are to be reversed.`,
    }),
    ...Object.entries(filters).map(([name, filter]) => filterParameter(name, filter, fields[filter.field])),
    ...(furtherParameters[resource.name]?.list ?? []).map((name) => parameter(name)),
  ]
}

/** Describes a standard operation, by its method; nothing where the resource does not have it. */
function describedOperation(resource: Resource, kind: Operation, path: string, rest: Json): Json {
  if (resource.omit?.includes(kind)) return {}
  const { method, needs: requirement } = operationOf(resource, kind, path)
  const { responses, refusals, ...others } = rest as { responses: Json; refusals?: Json }
  return {
    [method]: {
      operationId: `${resource.name}_${kind}`,
      tags: [resource.name],
      description: `Needs ${needs(requirementOf({ needs: requirement }))}.`,
      ...others,
      responses: { ...responses, ...always(method), ...pickKeys('403'), ...refusals },
    },
  }
}

/** The query parameters of an operation beyond those of lists. */
function furtherQuery(resource: Resource, kind: 'one' | 'write' | 'create'): Json {
  const names = furtherParameters[resource.name]?.[kind]
  return names ? { parameters: names.map((name) => parameter(name)) } : {}
}

/** An answer that is one object of a resource. */
const answerOne = (resource: Resource, status: string, text: string): Json => ({
  [status]: answer(text, the(titleOf(resource.name))),
})

/** An event that does not exist is not distinguished from one that is none of the caller's. */
const hiddenOf = (resource: Resource): Json => (resource.name === 'event' ? {} : pickKeys('404'))

function operationsOnCollection(resource: Resource, path: string): Json {
  const title = titleOf(resource.name)
  return {
    ...describedOperation(resource, 'list', path, {
      parameters: listParameters(resource),
      responses: {
        '200': answer('One page.', pageSchema(the(title))),
        ...pickKeys('404'),
        ...(resource.conditional ? pickKeys('304', '412') : {}),
      },
    }),
    ...describedOperation(resource, 'create', path, {
      ...furtherQuery(resource, furtherParameters[resource.name]?.create ? 'create' : 'write'),
      requestBody: body(the(`${title}Create`)),
      responses: {
        ...answerOne(resource, '201', 'Made.'),
        ...(resource.parent ? hiddenOf(resource) : {}),
      },
      refusals: resource.name === 'order' ? { '409': answer(noMoney, busyOrPoor) } : {},
    }),
  }
}

function operationsOnOne(resource: Resource, path: string): Json {
  const title = titleOf(resource.name)
  const hidden = hiddenOf(resource)
  const changed = { ...answerOne(resource, '200', 'Changed.'), ...hidden }
  return {
    ...describedOperation(resource, 'retrieve', path, {
      ...furtherQuery(resource, 'one'),
      responses: { ...answerOne(resource, '200', 'The object.'), ...hidden },
    }),
    ...describedOperation(resource, 'update', path, {
      ...furtherQuery(resource, 'write'),
      requestBody: body(the(`${title}Change`)),
      responses: changed,
    }),
    ...describedOperation(resource, 'replace', path, {
      ...furtherQuery(resource, 'write'),
      requestBody: body(the(`${title}Create`)),
      responses: changed,
    }),
    ...describedOperation(resource, 'delete', path, {
      responses: { '204': answer('Deleted.'), ...hidden },
    }),
  }
}

/** The standard operations of a resource, by path and method. */
export function standardPaths(
  resource: Resource,
  byName: ReadonlyMap<string, Resource>,
): Record<string, Json> {
  if (resource.path === null) return {}
  const collection = collectionPath(resource, byName)
  const single = `${collection}:${keyIn(resource)}/`
  return Object.fromEntries(
    [
      [collection, operationsOnCollection(resource, collection)] as const,
      [single, operationsOnOne(resource, single)] as const,
    ]
      .filter(([, operations]) => Object.keys(operations).length > 0)
      .map(([path, operations]) => [pathOf(path), { parameters: pathParameters(path), ...operations }]),
  )
}
