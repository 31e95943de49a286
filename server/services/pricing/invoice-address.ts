import { addressInput } from '../../../schema/bodies/order-create.ts'
import { addressProblems } from '../../domain/text/addresses.ts'
import { fullName } from '../../domain/text/names.ts'
import { readBody } from '../../resource/input.ts'
import { refuseIfAny } from '../input/attempts.ts'
import type { AddressDraft, OrderScope } from './order-draft.ts'
import { readName } from './position-input.ts'

/** Reads an invoice address, which is always sent whole; throws 400 with messages by field. */
export function readAddress(body: unknown, { event }: OrderScope): AddressDraft {
  const row = readBody(addressInput, body, { partial: false, locale: event.locale })
  refuseIfAny(addressProblems(row.country, row.state))
  const parts = readName({ whole: row.name, parts: row.name_parts }, 'name', event.nameScheme) ?? {}
  return {
    is_business: row.is_business,
    company: row.company ?? '',
    name: fullName(parts, event.nameScheme) ?? '',
    name_parts: parts,
    street: row.street ?? '',
    zipcode: row.zipcode ?? '',
    city: row.city ?? '',
    country: row.country ?? '',
    state: row.state ?? '',
    internal_reference: row.internal_reference ?? '',
    vat_id: row.vat_id ?? '',
    vat_id_validated: row.vat_id_validated,
    custom_field: row.custom_field,
  }
}
