import type { team } from '../../../schema/resources/accounts/team.ts'
import type { Behaviour } from '../../resource/api.ts'
import { checkEventLimits } from '../events/event-limits.ts'

/** What teams must keep to. */
export const teamBehaviour: Behaviour<typeof team> = {
  async prepare(tx, scope, { next }) {
    await checkEventLimits(tx, scope.organizer.id, next)
    return next
  },
}
