import { hash } from 'node:crypto'
import type { Resource } from '../../../schema/resource.ts'
import { organizer } from '../../../schema/resources/events/organizer.ts'
import { resources } from '../../../schema/resources/index.ts'
import type { Audience } from '../../../schema/security-profiles.ts'
import { isGiven, maskedFields } from '../../resource/mask.ts'
import { storedFields } from '../../resource/store.ts'
import { partGiven } from '../../services/orders/given-in-part.ts'

/** What nodes below hold copies of, each after what it points at. */
export const replicated: readonly Resource[] = [organizer, ...resources.filter((one) => one.replicate)]

const keptFrom = (audience: Audience): string =>
  JSON.stringify(
    replicated.map((resource) => [
      ...[resource.name, isGiven(resource, audience), ...maskedFields(resource, audience)],
      ...Object.keys(storedFields(resource)).filter((name) => partGiven(resource.name, name, audience)),
    ]),
  )

const maskTags = new Map<Audience, string>()

/** Names what is kept from an audience: a node that holds a copy from when that was less loads it anew. */
export function maskTag(audience: Audience): string {
  if (audience === 'sale') return 'whole'
  const tag = maskTags.get(audience) ?? `${audience}-${hash('sha256', keptFrom(audience)).slice(0, 8)}`
  maskTags.set(audience, tag)
  return tag
}
