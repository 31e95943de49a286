import type Router from '@koa/router'
import { category } from '../../schema/resources/catalogue/category.ts'
import { discount } from '../../schema/resources/catalogue/discount.ts'
import { item } from '../../schema/resources/catalogue/item.ts'
import { itemAddon } from '../../schema/resources/catalogue/item-addon.ts'
import { itemBundle } from '../../schema/resources/catalogue/item-bundle.ts'
import { itemMetaProperty } from '../../schema/resources/catalogue/item-meta-property.ts'
import { question } from '../../schema/resources/catalogue/question.ts'
import { questionOption } from '../../schema/resources/catalogue/question-option.ts'
import { quota } from '../../schema/resources/catalogue/quota.ts'
import { seatingPlan } from '../../schema/resources/catalogue/seating-plan.ts'
import { taxRule } from '../../schema/resources/catalogue/tax-rule.ts'
import { variation } from '../../schema/resources/catalogue/variation.ts'
import { blockedSecret } from '../../schema/resources/checkin/blocked-secret.ts'
import { checkinList } from '../../schema/resources/checkin/checkin-list.ts'
import { gate } from '../../schema/resources/devices/gate.ts'
import { event } from '../../schema/resources/events/event.ts'
import { eventMetaProperty } from '../../schema/resources/events/event-meta-property.ts'
import { subevent } from '../../schema/resources/events/subevent.ts'
import { giftCardAcceptance } from '../../schema/resources/payments/gift-card-acceptance.ts'
import type { Api } from '../resource/api.ts'
import { serve } from '../resource/routes.ts'
import { addonBehaviour } from '../services/catalogue/addon-behaviour.ts'
import { bundleBehaviour } from '../services/catalogue/bundle-behaviour.ts'
import { discountBehaviour } from '../services/catalogue/discount-behaviour.ts'
import { itemBehaviour } from '../services/catalogue/item-behaviour.ts'
import { itemMetaPropertyBehaviour } from '../services/catalogue/item-meta-properties.ts'
import { questionBehaviour } from '../services/catalogue/question-behaviour.ts'
import { questionOptionBehaviour } from '../services/catalogue/question-options.ts'
import { seatingPlanBehaviour } from '../services/catalogue/seating-plan-behaviour.ts'
import { taxRuleBehaviour } from '../services/catalogue/tax-rule-behaviour.ts'
import { variationBehaviour } from '../services/catalogue/variation-behaviour.ts'
import { checkinListBehaviour } from '../services/checkin/checkin-list-behaviour.ts'
import { gateBehaviour } from '../services/devices/gate-behaviour.ts'
import { eventsOnSale } from '../services/event-setup/event-availability.ts'
import { subeventsOnSale } from '../services/event-setup/subevent-availability.ts'
import { metaPropertyBehaviour } from '../services/events/meta-properties.ts'
import { acceptanceBehaviour } from '../services/payments/gift-card-issuers.ts'
import { quotaBehaviour } from '../services/quotas/quota-behaviour.ts'
import { serveTeams } from './accounts/teams.ts'
import { serveCarts } from './carts/carts.ts'
import { serveWaitingList } from './carts/waiting-list.ts'
import { serveCustomers } from './catalogue/customers.ts'
import { serveItemPictures } from './catalogue/item-pictures.ts'
import { serveSeats } from './catalogue/seats.ts'
import { serveConflicts } from './checkin/conflicts.ts'
import { serveRevokedSecrets } from './checkin/revoked-secrets.ts'
import { serveTicketKeys } from './checkin/ticket-keys.ts'
import { serveDevices } from './devices/devices.ts'
import { serveEventClone } from './events/event-clone.ts'
import { serveEventSettings } from './events/event-settings.ts'
import { serveOrganizerSubevents } from './events/organizer-subevents.ts'
import { serveOrganizers } from './events/organizers.ts'
import { serveSalesChannels } from './events/sales-channels.ts'
import { serveEmailRules } from './notifications/email-rules.ts'
import { serveWebhooks } from './notifications/webhooks.ts'
import { serveAuditLog } from './operations/audit-log.ts'
import { serveServerInfo } from './operations/server-info.ts'
import { serveUploads } from './operations/uploads.ts'
import { serveOrderPositions } from './orders/order-positions.ts'
import { serveOrders } from './orders/orders.ts'
import { serveGiftCards } from './payments/gift-cards.ts'
import { serveQuotaAvailability } from './quotas/quota-availability.ts'
import { serveSyncLeases } from './sync/leases.ts'
import { serveVouchers } from './vouchers/vouchers.ts'

/** Serves every resource: the whole API at a glance, apart from what `app.ts` adds. */
export function serveResources(router: Router, api: Api): void {
  serveServerInfo(router, api)
  serveUploads(router, api)
  serveOrganizers(router, api)
  serveTeams(router, api)
  serveDevices(router, api)
  serveWebhooks(router, api)
  serve(router, api, gate, gateBehaviour)
  serveSalesChannels(router, api)
  serve(router, api, eventMetaProperty, metaPropertyBehaviour)
  serveCustomers(router, api)
  serveGiftCards(router, api)
  serve(router, api, giftCardAcceptance, acceptanceBehaviour)
  serve(router, api, seatingPlan, seatingPlanBehaviour)

  serveEventClone(router, api)
  serve(router, api, event, eventsOnSale(api.transactions))
  serveEventSettings(router, api)
  serve(router, api, subevent, subeventsOnSale(api.transactions))
  serveOrganizerSubevents(router, api)

  serve(router, api, itemMetaProperty, itemMetaPropertyBehaviour)
  serve(router, api, category)
  serve(router, api, taxRule, taxRuleBehaviour)
  serve(router, api, item, itemBehaviour)
  serveItemPictures(router, api)
  serve(router, api, variation, variationBehaviour)
  serve(router, api, itemAddon, addonBehaviour)
  serve(router, api, itemBundle, bundleBehaviour)
  serve(router, api, quota, quotaBehaviour(api.transactions))
  serveQuotaAvailability(router, api)
  serveVouchers(router, api)
  serve(router, api, discount, discountBehaviour)
  serve(router, api, question, questionBehaviour)
  serve(router, api, questionOption, questionOptionBehaviour)
  serve(router, api, checkinList, checkinListBehaviour)
  serveSeats(router, api)
  serveEmailRules(router, api)
  serveWaitingList(router, api)

  serveAuditLog(router, api)
  serveConflicts(router, api)
  serveOrders(router, api)
  serveCarts(router, api)
  serveOrderPositions(router, api)
  serveRevokedSecrets(router, api)
  serveSyncLeases(router, api)
  serve(router, api, blockedSecret)
  serveTicketKeys(router, api)
}
