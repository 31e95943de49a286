import type { Action } from '../schema/actions/action.ts'
import { actions } from '../schema/actions.ts'
import { namedShapes } from '../schema/described/named-shapes.ts'
import { parameter } from '../schema/described/parameters.ts'
import type { Json } from '../schema/json-schema.ts'
import { organizer } from '../schema/resources/events/organizer.ts'
import { resourceByName, resources } from '../schema/resources/index.ts'
import { always, answer, body, needs, pathOf, pathParameters, pickKeys, refusals } from './openapi-parts.ts'
import { sentSchemas, shownSchema, standardPaths } from './openapi-resources.ts'
import { version } from './version.ts'

/** What an action answers with a status: what it shows when it succeeds, or else a refusal. */
function actionAnswer(action: Action, status: string, text: string): Json {
  if (action.refusals?.[status]) return answer(text || 'Refused.', action.refusals[status])
  const refusal = refusals[status]
  if (refusal) return text === '' ? refusal : { ...refusal, description: text }
  return action.shows === null ? answer(text) : answer(text, action.shows, action.type)
}

function actionOperation(action: Action): Json {
  const isOpen = action.needs === 'nothing'
  const { '401': _, ...withoutCredential } = always(action.method)
  return {
    operationId: action.name,
    tags: [action.tag],
    description: `${action.summary} Needs ${action.needs === 'nothing' ? 'no credential' : needs(action.needs)}.`,
    ...(action.query ? { parameters: action.query.map((name) => parameter(name)) } : {}),
    ...(action.body ? { requestBody: body(action.body.description, action.bodyType) } : {}),
    responses: {
      ...(isOpen ? withoutCredential : always(action.method)),
      ...(action.path.includes(':organizer') ? pickKeys('403') : {}),
      ...(action.query?.includes('page') ? pickKeys('404') : {}),
      ...Object.fromEntries(
        Object.entries(action.answers).map(([status, text]) => [status, actionAnswer(action, status, text)]),
      ),
    },
    ...(isOpen ? { security: [] } : {}),
  }
}

/** The whole HTTP interface as an OpenAPI 3.1 document. */
export function openApiDocument(): Json {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const resource of resources) Object.assign(paths, standardPaths(resource, resourceByName))
  for (const action of actions) {
    const path = pathOf(action.path)
    paths[path] = {
      parameters: pathParameters(action.path),
      ...paths[path],
      [action.method]: actionOperation(action),
    }
  }
  const shown: Record<string, Json> = Object.assign({}, ...[organizer, ...resources].map(shownSchema))
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
          description: 'Token <token>, Device <token>, or Bearer <access token>',
        },
      },
      schemas: { ...shown, ...Object.assign({}, ...resources.map(sentSchemas)), ...namedShapes(shown) },
    },
    security: [{ token: [] }],
  }
}
