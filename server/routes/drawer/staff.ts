import {
  staffSession,
  staffSetBadge,
  staffSetPin,
  staffSignIn,
  staffSignOut,
  staffStepUp,
} from '../../../schema/actions/drawer/staff.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import { type StoredStaff, staff } from '../../../schema/resources/accounts/staff.ts'
import { notFound } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { type ApiRouter, serveAction, serveRaw, serveRead } from '../../resource/endpoints.ts'
import { idIn, serve, shown } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import { hashBadge, hashPassword } from '../../services/accounts/passwords.ts'
import { checkPinFor, setStaffCodes, staffBehaviour, withCodes } from '../../services/accounts/staff-codes.ts'
import {
  recogniseStaff,
  signStaffIn,
  signStaffOut,
  staffAt,
  staffFor,
  staffSince,
  stepUp,
} from '../../services/accounts/staff-sign-in.ts'
import type { Queryable } from '../../storage/database.ts'

const personOf = ({ id, name, role, rights }: StoredStaff) => ({ id, name, role, rights })

/** Who has signed in at a device, and who may. */
async function sessionOf(db: Queryable, scope: Scope, now: string): Promise<JsonObject> {
  const row = await staffAt(db, scope.actor)
  const choices = await staffFor(db, scope, now)
  return {
    staff: row && personOf(row),
    since: row && (await staffSince(db, scope.actor)),
    choices: choices.map(({ id, name, role, pin_hash }) => ({ id, name, role, has_pin: pin_hash !== null })),
  }
}

/** Serves those who work at stations: as their organizer sees them, and what they do there. */
export function serveStaff(router: ApiRouter): void {
  const { database } = router.api.transactions

  serveRaw(router, staffSetPin, async (request) => {
    const { params, body, place } = request
    const id = idIn(params.id)
    const row = await findRow(database, staff, place, { id })
    if (!row) throw notFound()
    if (body.pin !== null) checkPinFor(row, body.pin)
    const pin_hash = body.pin === null ? null : await hashPassword(body.pin)
    return request.carryOut(
      (tx) => setStaffCodes(tx, request, id, { pin_hash }),
      (set) => shown(staff, withCodes(set)),
    )
  })
  serveRaw(router, staffSetBadge, async (request) => {
    const { params, body, organizer } = request
    const badge_hash = body.code === null ? null : await hashBadge(organizer.id, body.code)
    return request.carryOut(
      (tx) => setStaffCodes(tx, request, idIn(params.id), { badge_hash }),
      (set) => shown(staff, withCodes(set)),
    )
  })
  serve(router, staff, staffBehaviour)
  serveAtStation(router)
}

function serveAtStation(router: ApiRouter): void {
  const { transactions } = router.api
  serveRead(router, staffSession, (request, db) => sessionOf(db, request, transactions.horizon()))
  serveAction(router, staffSignOut, (request, tx) => signStaffOut(tx, request))
  serveRaw(router, staffSignIn, async (request) => {
    const row = await recogniseStaff(transactions, request, request.body)
    return request.carryOut(async (tx) => {
      await signStaffIn(tx, request, row)
      return sessionOf(tx, request, tx.now)
    })
  })
  serveRaw(router, staffStepUp, async (request) => {
    const { act, reason, ...shownCodes } = request.body
    const row = await recogniseStaff(transactions, request, shownCodes)
    return request.carryOut(
      (tx) => stepUp(tx, request, row, { act, reason }),
      ({ token, until }) => ({ token, act, staff: personOf(row), until }),
    )
  })
}
