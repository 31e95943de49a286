import {
  deviceEventselection,
  deviceRevokeByOrganizer,
  ownDeviceInfo,
  ownDeviceInitialize,
  ownDeviceRevoke,
  ownDeviceRoll,
  ownDeviceUpdate,
} from '../../../schema/actions/devices.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { notFound, unauthenticated } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Caller } from '../../resource/api.ts'
import {
  type ActionRequest,
  type ApiRouter,
  admittingAll,
  serveAction,
  serveRaw,
  serveRead,
} from '../../resource/endpoints.ts'
import { integerParameter, single } from '../../resource/query.ts'
import { idIn, serve, shown } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import {
  type DeviceAccess,
  deviceShown,
  giveUpDevice,
  initializeDevice,
  rollToken,
  updateDevice,
} from '../../services/devices/device-access.ts'
import { deviceBehaviour, ownCodesOnly, revokeDevice } from '../../services/devices/device-behaviour.ts'
import { suggestEvent } from '../../services/event-setup/event-selection.ts'
import type { Queryable } from '../../storage/database.ts'
import { serverVersion } from '../../version.ts'

/** Serves devices as their organizer sees them, and what a device asks for itself. */
export function serveDevices(router: ApiRouter): void {
  const { transactions } = router.api
  serveAction(router, deviceRevokeByOrganizer, async (request, tx) => {
    const [row] = await ownCodesOnly(tx, request, [await revokeDevice(tx, request, idIn(request.params.id))])
    return row && shown(device, row)
  })
  serve(router, device, deviceBehaviour)

  const show = (_: unknown, access: DeviceAccess, db: Queryable) => deviceShown(db, access)
  serveAction(
    admittingAll(router),
    ownDeviceInitialize,
    (request, tx) => initializeDevice(tx, request.body),
    show,
  )
  serveAction(
    router,
    ownDeviceUpdate,
    (request, tx) => {
      const { actor, token } = deviceAsking(request)
      return updateDevice(tx, actor, token, request.body)
    },
    show,
  )
  serveAction(router, ownDeviceRoll, (request, tx) => rollToken(tx, deviceAsking(request).actor), show)
  serveAction(
    router,
    ownDeviceRevoke,
    (request, tx) => {
      const { actor, token } = deviceAsking(request)
      return giveUpDevice(tx, actor, token)
    },
    show,
  )
  serveRead(router, ownDeviceInfo, async (request, db) => {
    const { actor, token } = deviceAsking(request)
    const place = { organizer: Number(actor.organizer), event: 0 }
    const row = await findRow(db, device, place, { id: actor.id })
    if (!row) throw unauthenticated('Invalid token.')
    return {
      device: await deviceShown(db, { row, place, token }),
      server: { version: serverVersion },
      medium_key_sets: [],
    }
  })
  serveRaw(router, deviceEventselection, async (request, ctx) => {
    const { actor } = deviceAsking(request)
    const { query } = request
    const current = {
      event: single(query, 'current_event') ?? null,
      subevent: integerParameter(query, 'current_subevent') ?? null,
      list: integerParameter(query, 'current_checkinlist') ?? null,
      language: ctx.acceptsLanguages()[0] ?? 'en',
    }
    const suggested = await suggestEvent(transactions.database, actor, current, transactions.horizon())
    if (suggested === null) throw notFound('There is no event that this device could be at.')
    if (suggested !== 'keep') return suggested
    ctx.status = 304
  })
}

/** The device that asks, and the token it has shown; 401 for anybody else. */
function deviceAsking(request: Caller & Pick<ActionRequest<string>, 'header'>): {
  actor: Actor
  token: string
} {
  const { actor } = request
  if (actor.kind !== 'device') throw unauthenticated('Only a device may ask for this, with its own token.')
  return { actor, token: request.header('Authorization').split(' ')[1] ?? '' }
}
