import { me, versionRead } from '../../../schema/actions/accounts.ts'
import { idempotencyQuery } from '../../../schema/actions/safety.ts'
import { denied } from '../../errors.ts'
import { answerByKey, type KeptAnswerParts } from '../../http/idempotency.ts'
import { type ApiRouter, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { findPerson } from '../../services/accounts/users.ts'
import { serverVersion } from '../../version.ts'

/** Serves what concerns no organizer: the server's version, and the profile of a person who is signed in. */
export function serveServerInfo(router: ApiRouter): void {
  serveRead(router, versionRead, () => serverVersion)
  serveRead(router, me, async ({ actor }, db) => {
    const person = actor.kind === 'user' ? await findPerson(db, actor.id) : undefined
    if (!person) throw denied('Only a person has a profile: sign in as one.')
    const { email, fullname, locale, timezone, isStaff } = person
    return { email, fullname: fullname ?? '', locale, is_staff: isStaff, timezone }
  })
}

/** Serves what callers were answered before, by their key. */
export function serveKeptAnswers(router: ApiRouter, parts: KeptAnswerParts): void {
  serveRaw(router, idempotencyQuery, (_, ctx) => answerByKey(ctx, parts))
}
