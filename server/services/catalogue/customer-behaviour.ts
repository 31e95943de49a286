import sql from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { customer } from '../../../schema/resources/orders/customer.ts'
import { membership } from '../../../schema/resources/orders/membership.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { fullName, withScheme } from '../../domain/text/names.ts'
import { invalid, notFound } from '../../errors.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { settled } from '../../resource/codec.ts'
import { countRows, findRow, findRows, lockRow, storedFields, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { alphabets, randomWord } from '../codes/secrets.ts'
import { organizerSettings } from '../events/organizer-settings.ts'

const identifierLength = 7

/** A customer with the name that its parts make. */
export const withName = (row: StoredRow<typeof customer>): StoredRow<typeof customer> & { name: string } => ({
  ...row,
  name: fullName(row.name_parts, 'full') ?? '',
})

/** What customers must keep to: nobody is there twice. */
export const customerBehaviour: Behaviour<typeof customer> = {
  present: async (_db, _scope, rows) => rows.map(withName),
  async prepare(tx, scope, { next, before }) {
    const place: Place = { organizer: scope.organizer.id, event: 0 }
    const { email } = next
    if (typeof email === 'string' && email !== before?.email && (await isKnown(tx, place, email, before)))
      throw invalid({ email: ['There is already a customer with this email address.'] })
    const scheme = String((await organizerSettings(tx, place.organizer)).name_scheme)
    const name_parts = withScheme(next.name_parts, scheme)
    const row = { ...next, name_parts }
    if (!before)
      return {
        ...row,
        identifier: await freshIdentifier(tx, place),
        date_joined: tx.now,
        last_modified: tx.now,
      }
    return JSON.stringify(row) === JSON.stringify(before) ? row : { ...row, last_modified: tx.now }
  },
}

const isKnown = async (
  tx: Tx,
  place: Place,
  email: string,
  before: StoredRow<typeof customer> | undefined,
): Promise<boolean> =>
  (await countRows(
    tx,
    customer,
    place,
    sql`lower(email) = ${email.toLowerCase()} AND id <> ${before?.id ?? 0}`,
  )) > 0

async function freshIdentifier(tx: Tx, place: Place): Promise<string> {
  for (;;) {
    const identifier = randomWord(tx.randomBytes, alphabets.orderCode, identifierLength)
    if (!(await findRow(tx, customer, place, { identifier }))) return identifier
  }
}

/**
 * Forgets who a customer is: name and address go, from the audit trail as well, and orders no longer say whose they
 * are. What remains is that there was somebody.
 */
export async function anonymizeCustomer(
  tx: Tx,
  scope: Scope,
  identifier: string,
): Promise<StoredRow<typeof customer>> {
  const { organizer } = scope
  const place: Place = { organizer: organizer.id, event: 0 }
  const row = await lockRow(tx, customer, place, { identifier })
  if (!row) throw notFound()
  const changes = {
    email: null,
    name_parts: {},
    is_active: false,
    is_verified: false,
    last_modified: tx.now,
  }
  await updateRow(tx, customer, place, { id: row.id, ...changes })
  await tx.run(
    sql`UPDATE audit SET data = NULL WHERE organizer = ${organizer.id} AND resource = ${customer.name} AND row_id = ${row.id}`,
  )
  for (const { id } of await findRows(tx, membership, place, { where: sql`customer = ${identifier}` }))
    await updateRow(tx, membership, place, { id, attendee_name_parts: {} })
  const orders = await tx.all<{ id: number; event: number }>(
    sql`SELECT id, event FROM orders WHERE organizer = ${organizer.id} AND customer = ${identifier} ORDER BY id`,
  )
  for (const { id, event } of orders)
    await updateRow(tx, order, { ...place, event: event }, { id, customer: null, last_modified: tx.now })
  tx.audit(place, scope.actor, {
    action: 'ticketsvc.customer.anonymized',
    resource: customer.name,
    row: row.id,
  })
  return settled(storedFields(customer), { ...row, ...changes })
}
