import { type Field, type Fields, type JsonObject, marksOf } from '../../schema/fields.ts'
import type { Resource } from '../../schema/resource.ts'
import { type Audience, audienceOfProfile, isGivenTo } from '../../schema/security-profiles.ts'
import type { Cells } from '../storage/database.ts'
import type { Actor } from './actor.ts'
import { encode, type RowData } from './codec.ts'
import type { Query } from './query.ts'

/** Whom a caller is shown data as: devices by their profile, everybody else by what they may do. */
export const audienceOf = ({ device }: Pick<Actor, 'device'>): Audience =>
  device === null ? 'sale' : audienceOfProfile(device.profile)

/** Whether an audience is given rows of a resource at all. */
export const isGiven = ({ audience = 'entrance' }: Resource, to: Audience): boolean => isGivenTo(audience, to)

const masks = new WeakMap<Resource, Map<Audience, ReadonlySet<string>>>()

/** The fields of a resource that an audience is not given. */
export function maskedFields(resource: Resource, audience: Audience): ReadonlySet<string> {
  const known = masks.get(resource) ?? new Map<Audience, ReadonlySet<string>>()
  masks.set(resource, known)
  const mask = known.get(audience) ?? makeMask(resource, audience)
  known.set(audience, mask)
  return mask
}

const makeMask = ({ only = {} }: Resource, audience: Audience): ReadonlySet<string> =>
  new Set(
    (['checkin', 'sale'] as const).flatMap((meant) =>
      isGivenTo(meant, audience) ? [] : (only[meant] ?? []),
    ),
  )

/** What is shown in place of a field that is not given: nothing, as far as the field can say so. */
function blankOf(field: Field<unknown>): unknown {
  const { kind, nullable, default: fallback } = marksOf(field)
  if (nullable) return null
  switch (kind) {
    case 'refs':
    case 'texts':
      return []
    case 'json':
    case 'multilingual':
      return fallback ?? ('type' in field && field.type === 'array' ? [] : {})
    case 'flag':
      return false
    case 'money':
    case 'percent':
      return '0.00'
    case 'id':
    case 'integer':
    case 'float':
    case 'ref':
      return 0
    case 'text':
    case 'decimal':
    case 'datetime':
    case 'date':
    case 'time':
      return ''
  }
}

/** What is stored in place of a field that is not given. */
export const blankCell = (field: Field<unknown>): string | number | null => encode(field, blankOf(field))

const fieldsOf = ({ fields, hidden, computed }: Resource): Fields => ({ ...fields, ...hidden, ...computed })

/** A row in its JSON form as an audience is shown it. */
export function maskedRow<T extends RowData | JsonObject>(resource: Resource, audience: Audience, row: T): T {
  const masked = maskedFields(resource, audience)
  if (masked.size === 0) return row
  const blank = Object.entries(fieldsOf(resource)).flatMap(([name, field]) =>
    masked.has(name) && name in row ? [[name, blankOf(field)] as const] : [],
  )
  return { ...row, ...Object.fromEntries(blank) }
}

/** Stored cells as an audience is given them. */
export function maskedCells<T extends Cells>(resource: Resource, audience: Audience, cells: T): T {
  const masked = maskedFields(resource, audience)
  if (masked.size === 0) return cells
  const blank = Object.entries(fieldsOf(resource)).flatMap(([name, field]) =>
    masked.has(name) && name in cells ? [[name, blankCell(field)] as const] : [],
  )
  return { ...cells, ...Object.fromEntries(blank) }
}

/** A query without what would choose rows by something that the caller is not given. */
export function maskedQuery(resource: Resource, audience: Audience, query: Query): Query {
  const masked = maskedFields(resource, audience)
  if (masked.size === 0) return query
  const isMasked = (name: string): boolean =>
    masked.has(resource.filters?.[name]?.field ?? '') || masked.has(name.split('__')[0] ?? '')
  return Object.fromEntries(Object.entries(query).filter(([name]) => !isMasked(name)))
}
