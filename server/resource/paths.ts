import type { Resource } from '../../schema/resource.ts'

/** A path below an organizer. */
export type ResourcePath = `/api/v1/organizers/:organizer/${string}`

/** The path of a collection, with the names that `ctx.params` gives its parts. */
export function collectionPath(resource: Resource, catalogue: ReadonlyMap<string, Resource>): ResourcePath {
  const event = resource.scope === 'event' ? 'events/:event/' : ''
  const parent = resource.parent ? catalogue.get(resource.parent.resource) : undefined
  const below = parent ? `${parent.path}/:parent/` : ''
  return `/api/v1/organizers/:organizer/${event}${below}${resource.path}/`
}
