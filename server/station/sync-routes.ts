import type Router from '@koa/router'
import type { Middleware } from 'koa'
import { linkSettingsBody, stationJoinBody, stationLeaveBody } from '../../schema/bodies/station-sync.ts'
import type { Live } from '../http/live.ts'
import type { RowData } from '../resource/codec.ts'
import { bodyOf } from '../resource/endpoints.ts'
import { check } from '../resource/input.ts'
import { refuseMethod } from '../resource/routes.ts'
import type { Sync } from '../sync/node/sync.ts'
import { readPairing } from '../sync/upstream/joining.ts'
import type { UpstreamSettings } from '../sync/upstream/upstream.ts'

/** Serves how a station and the server above it get on, to its own screens. */
export function serveStationSync(
  router: Router,
  base: string,
  own: Middleware,
  { sync, live }: { readonly sync: Sync; readonly live: Live },
): void {
  sync.onStatus((status) => live.publish('link', status))

  router.get(`${base}link/`, own, async (ctx) => {
    ctx.body = await sync.status()
  })

  router.post(`${base}join/`, own, async (ctx) => {
    const body = bodyOf(ctx) as RowData
    check(stationJoinBody, body)
    const url = typeof body.url === 'string' ? body.url : undefined
    await sync.join(readPairing(String(body.code), url, body.role === 'hub' ? 'hub' : 'station'))
    ctx.status = 202
    ctx.body = await sync.status()
  })

  router.post(`${base}leave/`, own, async (ctx) => {
    const body = bodyOf(ctx) as RowData
    check(stationLeaveBody, body)
    await sync.leave(body.export_done === true)
    ctx.body = await sync.status()
  })

  router.get(`${base}link/settings/`, own, async (ctx) => {
    ctx.body = shown(await sync.settings())
  })

  router.put(`${base}link/settings/`, own, async (ctx) => {
    const body = bodyOf(ctx) as Partial<UpstreamSettings>
    check(linkSettingsBody, body)
    const before = await sync.settings()
    const { confirm_ms, strict_lists, strict_wait_ms, strict_fallback } = { ...before, ...body }
    const { signed_unknown, keep_days, sell_quotas, sell_at_risk } = { ...before, ...body }
    await sync.saveSettings({
      ...before,
      confirm_ms,
      strict_lists,
      strict_wait_ms,
      strict_fallback,
      signed_unknown,
      keep_days,
      sell_quotas,
      sell_at_risk,
    })
    ctx.body = shown(await sync.settings())
  })

  for (const path of ['link/', 'join/', 'leave/', 'link/settings/'])
    router.all(base + path, own, (ctx) => refuseMethod(ctx))
}

const shown = ({ forgotten: _, told_before: __, ...settings }: UpstreamSettings): RowData => settings
