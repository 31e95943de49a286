import type Router from '@koa/router'
import { category } from '../../schema/resources/category.ts'
import { checkinList } from '../../schema/resources/checkin-list.ts'
import { event } from '../../schema/resources/event.ts'
import { gate } from '../../schema/resources/gate.ts'
import { item } from '../../schema/resources/item.ts'
import { itemAddon } from '../../schema/resources/item-addon.ts'
import { itemBundle } from '../../schema/resources/item-bundle.ts'
import { question } from '../../schema/resources/question.ts'
import { questionOption } from '../../schema/resources/question-option.ts'
import { quota } from '../../schema/resources/quota.ts'
import { subevent } from '../../schema/resources/subevent.ts'
import { taxRule } from '../../schema/resources/tax-rule.ts'
import { variation } from '../../schema/resources/variation.ts'
import type { Api } from '../resource/api.ts'
import { serve } from '../resource/routes.ts'
import { addonRules } from '../services/addon-rules.ts'
import { bundleRules } from '../services/bundle-rules.ts'
import { checkinListRules } from '../services/checkin-list-rules.ts'
import { eventRules } from '../services/event-rules.ts'
import { gateRules } from '../services/gate-rules.ts'
import { itemRules } from '../services/item-rules.ts'
import { optionRules } from '../services/question-options.ts'
import { questionRules } from '../services/question-rules.ts'
import { quotaRules } from '../services/quota-rules.ts'
import { subeventRules } from '../services/subevent-rules.ts'
import { taxRules } from '../services/tax-rules.ts'
import { variationRules } from '../services/variation-rules.ts'
import { serveDevices } from './devices.ts'
import { serveEventClone } from './event-clone.ts'
import { serveEventSettings } from './event-settings.ts'
import { serveOrderPositions } from './order-positions.ts'
import { serveOrders } from './orders.ts'
import { serveOrganizerSubevents } from './organizer-subevents.ts'
import { serveOrganizers } from './organizers.ts'
import { serveRevokedSecrets } from './revoked-secrets.ts'
import { serveServerInfo } from './server-info.ts'
import { serveTeams } from './teams.ts'

/** Serves every resource: the whole API at a glance, apart from what `app.ts` adds. */
export function serveResources(router: Router, api: Api): void {
  serveServerInfo(router, api)
  serveOrganizers(router, api)
  serveTeams(router, api)
  serveDevices(router, api)
  serve(router, api, gate, gateRules)

  serve(router, api, event, eventRules)
  serveEventSettings(router, api)
  serveEventClone(router, api)
  serve(router, api, subevent, subeventRules)
  serveOrganizerSubevents(router, api)

  serve(router, api, category)
  serve(router, api, taxRule, taxRules)
  serve(router, api, item, itemRules)
  serve(router, api, variation, variationRules)
  serve(router, api, itemAddon, addonRules)
  serve(router, api, itemBundle, bundleRules)
  serve(router, api, quota, quotaRules)
  serve(router, api, question, questionRules)
  serve(router, api, questionOption, optionRules)
  serve(router, api, checkinList, checkinListRules)

  serveOrders(router, api)
  serveOrderPositions(router, api)
  serveRevokedSecrets(router, api)
}
