import { type Json, the } from '../schema/json-schema.ts'
import type { Requirement } from '../schema/permissions.ts'

const content = (schema: Json, type = 'application/json'): Json => ({ [type]: { schema } })

/** What an operation answers with. */
export const answer = (description: string, schema?: Json, type?: string): Json => ({
  description,
  ...(schema ? { content: content(schema, type) } : {}),
})

/** What an operation is asked with. */
export const body = (schema: Json, type?: string): Json => ({
  required: true,
  content: content(schema, type),
})

/** Refusals by their status. */
export const refusals: Readonly<Record<string, Json>> = {
  '304': answer('Nothing has changed since.'),
  '400': answer('The data sent is not valid.', the('Errors')),
  '401': answer('No valid credential was sent.', the('Detail')),
  '403': answer('Not allowed, or not there.', the('Detail')),
  '404': answer('There is no such object, or no such page.', the('Detail')),
  '408': answer('The body came too slowly, or was cut off: send it again.', the('Detail')),
  '409': answer('Somebody else changes the same thing; try again.', the('Detail')),
  '410': answer('What this goes on from is not there any more: begin anew.', the('Gone')),
  '412': answer('It has changed since.'),
  '413': answer('The body is larger than what is taken.', the('Detail')),
  '415': answer('The body is not said to be JSON.', the('Detail')),
  '426': answer('Another version of the messages is spoken here.', the('OtherProtocol')),
  '429': answer('Too much from this caller: the header Retry-After says when to ask again.', the('Detail')),
  '503': answer('Not now: the header Retry-After says when to ask again.', the('Detail')),
  '507': answer('The disk of the server is full.', the('Detail')),
}

/** Refusals that do not depend on what is asked for: all who write can get them. */
const ofAnyWrite = ['408', '413', '415', '429', '503', '507'] as const

/** These refusals. */
export const pickKeys = (...statuses: readonly string[]): Json =>
  Object.fromEntries(statuses.map((status) => [status, refusals[status]]))

/** What may be refused whatever is asked for, by method. */
export const always = (method: string): Json =>
  method === 'get' ? pickKeys('400', '401', '429', '503') : pickKeys('400', '401', '409', ...ofAnyWrite)

/** A path of the router as it is written here. */
export const pathOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

const numbers = /^(id|list|position|parent|subevent|conflict)$/

/** The parts of a path that name something. */
export const pathParameters = (path: string): Json[] =>
  [...pathOf(path).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: numbers.test(String(name)) && !path.includes(`:${name}/redeem`) ? 'integer' : 'string' },
  }))

/** What a caller needs, in words. */
export const needs = (requirement: Requirement): string =>
  requirement === null ? 'any access' : [requirement].flat().join(' or ')
