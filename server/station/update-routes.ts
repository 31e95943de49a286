import { stationUpdate, stationUpdateDecide } from '../../schema/actions/station.ts'
import type { UpdateStatus } from '../../schema/updates/update-status.ts'
import { Refusal } from '../errors.ts'
import type { Live } from '../http/live.ts'
import { serveRaw, serveRead } from '../resource/endpoints.ts'
import type { Transactions } from '../resource/transactions.ts'
import { requireAtEntrance } from '../services/accounts/entrance-rights.ts'
import { stationActor } from '../services/devices/station-settings.ts'
import type { Updater } from '../sync/updates/updater.ts'
import { version } from '../version.ts'
import type { StationRouter } from './station-router.ts'

/** What a station's own updates are served from. */
interface UpdateParts {
  readonly updater: Updater | null
  readonly live: Live
  readonly transactions: Transactions
}

/** What a program shows that somebody else keeps up to date. */
const notByItself: UpdateStatus = {
  ...{ version, enabled: false, channel: 'hold', offered: null, phase: 'none', progress: null },
  ...{ why: null, missing: 0, may_now: false, until: null, trouble: null, failed: null },
}

/** Serves how far a station is with its own updates, to its own screens. */
export function serveStationUpdates(router: StationRouter, parts: UpdateParts): void {
  const { updater, live, transactions } = parts
  const status = () => updater?.status() ?? Promise.resolve(notByItself)
  updater?.onStatus(async () => {
    if (live.listeners > 0) live.publish('update', await status())
  })

  serveRead(router, stationUpdate, status)

  serveRaw(router, stationUpdateDecide, async ({ body: { when } }, ctx) => {
    if (!updater) throw new Refusal(409, { detail: 'This program is not updated by itself.' })
    const actor = await stationActor(transactions.database)
    if (actor)
      await transactions.write((tx) => requireAtEntrance(tx, { actor }, 'settings', ctx.get('X-Step-Up')))
    await (when === 'now' ? updater.installNow() : updater.notToday())
    return status()
  })
}
