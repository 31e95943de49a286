import type { FieldErrors } from '../errors.ts'
import type { RowData } from '../resource/codec.ts'

const unknown = (id: unknown): string => `Invalid pk "${id}" - object does not exist.`

/** Messages about membership types that an item or variation names: there are none that it could name. */
export function membershipErrors(row: RowData): FieldErrors {
  const required = row.require_membership_types as readonly number[]
  const granted = row.grant_membership_type ?? null
  return {
    ...(required.length > 0 ? { require_membership_types: required.map(unknown) } : {}),
    ...(granted === null ? {} : { grant_membership_type: [unknown(granted)] }),
  }
}
