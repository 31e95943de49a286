import {
  stationJoin,
  stationLeave,
  stationLink,
  stationLinkSettings,
  stationLinkSettingsReplace,
} from '../../schema/actions/station.ts'
import type { JsonObject } from '../../schema/fields.ts'
import type { Live } from '../http/live.ts'
import { serveRaw, serveRead } from '../resource/endpoints.ts'
import type { Transactions } from '../resource/transactions.ts'
import { requireAtEntrance } from '../services/accounts/entrance-rights.ts'
import { stationActor } from '../services/devices/station-settings.ts'
import type { Sync } from '../sync/node/sync.ts'
import { readPairing } from '../sync/upstream/joining.ts'
import type { UpstreamSettings } from '../sync/upstream/upstream.ts'
import type { StationRouter } from './station-router.ts'

/** What a station's dealings with its upstream server are served from. */
interface SyncParts {
  readonly sync: Sync
  readonly live: Live
  readonly transactions: Transactions
}

/** Serves how a station and its upstream server get on, to its own screens. */
export function serveStationSync(router: StationRouter, { sync, live, transactions }: SyncParts): void {
  const mayChange = async (token: string): Promise<void> => {
    const actor = await stationActor(transactions.database)
    if (actor) await transactions.write((tx) => requireAtEntrance(tx, { actor }, 'settings', token))
  }
  sync.onStatus((status) => live.publish('link', status))

  serveRead(router, stationLink, () => sync.status())

  serveRaw(router, stationJoin, async ({ body: { code, url, role } }) => {
    await sync.join(readPairing(code, url ?? undefined, role === 'hub' ? 'hub' : 'station'))
    return sync.status()
  })

  serveRaw(router, stationLeave, async ({ body }, ctx) => {
    await mayChange(ctx.get('X-Step-Up'))
    await sync.leave(body.export_done === true)
    return sync.status()
  })

  serveRead(router, stationLinkSettings, async () => shown(await sync.settings()))

  serveRaw(router, stationLinkSettingsReplace, async ({ body }, ctx) => {
    await mayChange(ctx.get('X-Step-Up'))
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
    return shown(await sync.settings())
  })
}

const shown = ({
  forgotten: _,
  told_before: __,
  outdated_site: ___,
  ...settings
}: UpstreamSettings): JsonObject => settings
