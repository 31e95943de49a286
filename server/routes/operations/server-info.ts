import { me, versionRead } from '../../../schema/actions/accounts.ts'
import { idempotencyQuery } from '../../../schema/actions/safety.ts'
import { denied } from '../../errors.ts'
import { answerByKey, type IdempotencyParts } from '../../http/idempotency.ts'
import { type ApiRouter, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { findUser } from '../../services/accounts/users.ts'
import { serverVersion } from '../../version.ts'

/** Serves what concerns no organizer: the server's version, and the profile of a user who is signed in. */
export function serveServerInfo(router: ApiRouter): void {
  serveRead(router, versionRead, () => serverVersion)
  serveRead(router, me, async ({ actor }, db) => {
    const user = actor.kind === 'user' ? await findUser(db, actor.id) : undefined
    if (!user) throw denied('Only a person has a profile: sign in as one.')
    const { email, fullname, locale, timezone, isStaff } = user
    return { email, fullname: fullname ?? '', locale, is_staff: isStaff, timezone }
  })
}

/** Serves what callers were answered before, by their key. */
export function serveIdempotencyKeys(router: ApiRouter, parts: IdempotencyParts): void {
  serveRaw(router, idempotencyQuery, ({ actor }, ctx) => answerByKey(ctx, actor, parts))
}
