import sql from 'sql-template-tag'
import { organizer as organizerResource } from '../../../schema/resources/events/organizer.ts'
import type { giftCardAcceptance } from '../../../schema/resources/payments/gift-card-acceptance.ts'
import { invalid } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import type { Queryable } from '../../storage/database.ts'

/** What grants to take gift cards must keep to: they are given to somebody else who exists. */
export const acceptanceBehaviour: Behaviour<typeof giftCardAcceptance> = {
  async prepare(tx, scope, { next, before }) {
    if (next.acceptor === before?.acceptor) return next
    const found = await tx.get(sql`SELECT id FROM organizer WHERE slug = ${next.acceptor}`)
    if (!found) throw invalid({ acceptor: [`Object with slug=${next.acceptor} does not exist.`] })
    if (next.acceptor === scope.organizer.slug)
      throw invalid({ acceptor: [`An ${organizerResource.name} takes its own gift cards anyway.`] })
    return next
  },
}

const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id)

/** The organizers whose gift cards an organizer may take beside its own. */
export const issuersFor = async (db: Queryable, organizer: number): Promise<number[]> =>
  idsOf(
    await db.all<{ id: number }>(
      sql`SELECT a.organizer AS id FROM gift_card_acceptance a JOIN organizer o ON o.slug = a.acceptor
          WHERE o.id = ${organizer} AND a.active = 1 ORDER BY a.organizer`,
    ),
  )

/** The organizers that may take an organizer's gift cards. */
export const acceptorsOf = async (db: Queryable, organizer: number): Promise<number[]> =>
  idsOf(
    await db.all<{ id: number }>(
      sql`SELECT o.id FROM gift_card_acceptance a JOIN organizer o ON o.slug = a.acceptor
          WHERE a.organizer = ${organizer} AND a.active = 1 ORDER BY o.id`,
    ),
  )
