import type Router from '@koa/router'
import type { Context } from 'koa'
import { device } from '../../../schema/resources/devices/device.ts'
import { notFound, unauthenticated } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { bodyOf } from '../../resource/endpoints.ts'
import { integerParameter, single } from '../../resource/query.ts'
import { idIn, refuseMethod, serve, shown } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import {
  type DeviceAccess,
  deviceShown,
  giveUpDevice,
  initializeDevice,
  rollToken,
  updateDevice,
} from '../../services/devices/device-access.ts'
import { deviceBehaviour, revokeDevice } from '../../services/devices/device-behaviour.ts'
import { suggestEvent } from '../../services/event-setup/event-selection.ts'
import { serverVersion } from '../operations/server-version.ts'

/** Serves devices as their organizer sees them, and what a device asks for itself. */
export function serveDevices(router: Router, api: Api): void {
  const { database } = api.transactions
  const revoke = '/api/v1/organizers/:organizer/devices/:id/revoke/'
  router.post(revoke, api.admit('organizer', 'can_change_organizer_settings'), async (ctx) => {
    const scope: Scope = ctx.state.scope
    const number = idIn(ctx.params.id)
    const row = await api.transactions.write((tx) => revokeDevice(tx, scope, number))
    ctx.body = shown(device, row)
  })
  router.all(revoke, api.admit('organizer', null), (ctx) => refuseMethod(ctx))
  serve(router, api, device, deviceBehaviour)

  const own = '/api/v1/device/'
  const answer = async (ctx: Context, access: DeviceAccess): Promise<void> => {
    ctx.body = await deviceShown(database, access)
  }
  router.post(`${own}initialize`, async (ctx) =>
    answer(ctx, await api.transactions.write((tx) => initializeDevice(tx, bodyOf(ctx)))),
  )
  router.post(`${own}update`, api.admit('server', null), async (ctx) => {
    const { actor, token } = deviceAsking(ctx)
    await answer(ctx, await api.transactions.write((tx) => updateDevice(tx, actor, token, bodyOf(ctx))))
  })
  router.post(`${own}roll`, api.admit('server', null), async (ctx) => {
    const { actor } = deviceAsking(ctx)
    await answer(ctx, await api.transactions.write((tx) => rollToken(tx, actor)))
  })
  router.post(`${own}revoke`, api.admit('server', null), async (ctx) => {
    const { actor, token } = deviceAsking(ctx)
    await answer(ctx, await api.transactions.write((tx) => giveUpDevice(tx, actor, token)))
  })
  router.get(`${own}info`, api.admit('server', null), async (ctx) => {
    const { actor, token } = deviceAsking(ctx)
    const place = { organizer: Number(actor.organizer), event: 0 }
    const row = await findRow(database, device, place, 'id', actor.id)
    if (!row) throw unauthenticated('Invalid token.')
    ctx.body = {
      device: await deviceShown(database, { row, place, token }),
      server: { version: serverVersion },
      medium_key_sets: [],
    }
  })
  router.get(`${own}eventselection`, api.admit('server', null), async (ctx) => {
    const { actor } = deviceAsking(ctx)
    const current = {
      event: single(ctx.query, 'current_event') ?? null,
      subevent: integerParameter(ctx.query, 'current_subevent') ?? null,
      list: integerParameter(ctx.query, 'current_checkinlist') ?? null,
    }
    const suggested = await suggestEvent(database, actor, current, api.transactions.horizon())
    if (suggested === null) throw notFound('There is no event that this device could be at.')
    if (suggested === 'keep') ctx.status = 304
    else ctx.body = suggested
  })
  router.all(`${own}initialize`, (ctx) => refuseMethod(ctx))
  for (const name of ['update', 'roll', 'revoke', 'info', 'eventselection'])
    router.all(own + name, api.admit('server', null), (ctx) => refuseMethod(ctx))
}

/** The device that asks, and the token it has shown; 401 for anybody else. */
function deviceAsking(ctx: Context): { actor: Actor; token: string } {
  const actor: Actor = ctx.state.actor
  if (actor.kind !== 'device') throw unauthenticated('Only a device may ask for this, with its own token.')
  return { actor, token: ctx.get('Authorization').split(' ')[1] ?? '' }
}
