import { syncFindGuest } from '../../../schema/actions/sync-down.ts'
import { invalid } from '../../errors.ts'
import { entersEvent } from '../../resource/actor.ts'
import { type ApiRouter, serveRead } from '../../resource/endpoints.ts'
import { listsById } from '../../services/checkin/checkin-lists.ts'
import { findGuest } from '../../services/checkin/find-guest.ts'

/**
 * Serves kiosks, whose copies hold no email addresses, with the tickets of guests who have proved whose order it is: only
 * their ids, which mean nothing to who has no copy.
 */
export function serveFindGuest(router: ApiRouter): void {
  serveRead(router, syncFindGuest, async ({ actor, organizer, body }, db) => {
    const [list] = await listsById(db, organizer.id, [body.list])
    if (!list || !entersEvent(actor, organizer.id, list.facts.event))
      throw invalid({ list: ['This check-in list does not exist.'] })
    return { positions: (await findGuest(db, organizer.id, list, body)).map(({ id }) => id) }
  })
}
