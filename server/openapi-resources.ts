import { resourceBodies } from '../schema/described/bodies.ts'
import { insides } from '../schema/described/insides.ts'
import { filterParameter, furtherParameters, parameter } from '../schema/described/parameters.ts'
import { busyOrPoor } from '../schema/described/shapes.ts'
import { bodyOf, changeOf, type Json, pageOf, shownObject, the } from '../schema/json-schema.ts'
import type { Operation, Resource } from '../schema/resource.ts'
import { always, answer, body, needs, pathOf, pathParameters, pick } from './openapi-parts.ts'
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
    [`${title}Create`]: special?.create ?? bodyOf(resource.fields),
    [`${title}Change`]: special?.change ?? changeOf(resource.fields),
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

/** The standard operations of a resource, by path and method. */
export function standardPaths(
  resource: Resource,
  byName: ReadonlyMap<string, Resource>,
): Record<string, Json> {
  if (resource.path === null) return {}
  const collection = collectionPath(resource, byName)
  const single = `${collection}:${keyIn(resource)}/`
  const title = titleOf(resource.name)
  const further = furtherParameters[resource.name]
  const query = (kind: 'one' | 'write' | 'create'): Json =>
    further?.[kind] ? { parameters: further[kind].map((name) => parameter(name)) } : {}
  const { read, write, create = write } = resource.permission
  const operation = (kind: Operation, method: string, requirement: typeof read, rest: Json): Json => {
    if (resource.omit?.includes(kind)) return {}
    const { responses, refusals, ...others } = rest as { responses: Json; refusals?: Json }
    return {
      [method]: {
        operationId: `${resource.name}_${kind}`,
        tags: [resource.name],
        description: `Needs ${needs(requirement)}.`,
        ...others,
        responses: { ...responses, ...always(method), ...pick('403'), ...refusals },
      },
    }
  }
  // An event that is not there is not told from one that is none of the caller's.
  const hidden = resource.name === 'event' ? {} : pick('404')
  const one = (status: string, text: string): Json => ({ [status]: answer(text, the(title)) })
  const onCollection = {
    ...operation('list', 'get', read, {
      parameters: listParameters(resource),
      responses: {
        '200': answer('One page.', pageOf(the(title))),
        ...pick('404'),
        ...(resource.conditional ? pick('304', '412') : {}),
      },
    }),
    ...operation('create', 'post', create, {
      ...query(further?.create ? 'create' : 'write'),
      requestBody: body(the(`${title}Create`)),
      responses: {
        ...one('201', 'Made.'),
        ...(resource.parent ? hidden : {}),
      },
      refusals: resource.name === 'order' ? { '409': answer(noMoney, busyOrPoor) } : {},
    }),
  }
  const changed = { ...one('200', 'Changed.'), ...hidden }
  const onSingle = {
    ...operation('retrieve', 'get', read, {
      ...query('one'),
      responses: { ...one('200', 'The object.'), ...hidden },
    }),
    ...operation('update', 'patch', write, {
      ...query('write'),
      requestBody: body(the(`${title}Change`)),
      responses: changed,
    }),
    ...operation('replace', 'put', write, {
      ...query('write'),
      requestBody: body(the(`${title}Create`)),
      responses: changed,
    }),
    ...operation('delete', 'delete', write, {
      responses: { '204': answer('Deleted.'), ...hidden },
    }),
  }
  return Object.fromEntries(
    [[collection, onCollection] as const, [single, onSingle] as const]
      .filter(([, operations]) => Object.keys(operations).length > 0)
      .map(([path, operations]) => [pathOf(path), { parameters: pathParameters(path), ...operations }]),
  )
}
