import { addressInput } from '../../../schema/bodies/order-create.ts'
import { addressProblems } from '../../domain/text/addresses.ts'
import { fullName } from '../../domain/text/names.ts'
import { readBody } from '../../resource/input.ts'
import { refuseIfAny } from '../input/attempts.ts'
import type { AddressDraft, EventScope } from './order-draft.ts'
import { readName } from './position-input.ts'

/** Reads an invoice address, which is always sent whole; throws 400 with messages by field. */
export function readAddress(body: unknown, { event }: EventScope): AddressDraft {
  const row = readBody(addressInput, body, { partial: false, locale: event.locale })
  const text = (name: keyof typeof addressInput): string => String(row[name] ?? '')
  refuseIfAny(addressProblems(text('country'), text('state')))
  const parts = readName(row, 'name', event.nameScheme) ?? {}
  return {
    is_business: row.is_business === true,
    company: text('company'),
    name: fullName(parts, event.nameScheme) ?? '',
    name_parts: parts,
    street: text('street'),
    zipcode: text('zipcode'),
    city: text('city'),
    country: text('country'),
    state: text('state'),
    internal_reference: text('internal_reference'),
    vat_id: text('vat_id'),
    vat_id_validated: row.vat_id_validated === true,
    custom_field: row.custom_field === null ? null : text('custom_field'),
  }
}
