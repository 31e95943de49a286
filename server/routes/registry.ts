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
import { addonRules } from '../services/catalogue/addon-behaviour.ts'
import { bundleRules } from '../services/catalogue/bundle-behaviour.ts'
import { discountRules } from '../services/catalogue/discount-behaviour.ts'
import { itemRules } from '../services/catalogue/item-behaviour.ts'
import { itemMetaPropertyRules } from '../services/catalogue/item-meta-properties.ts'
import { questionRules } from '../services/catalogue/question-behaviour.ts'
import { optionRules } from '../services/catalogue/question-options.ts'
import { seatingPlanRules } from '../services/catalogue/seating-plan-behaviour.ts'
import { taxRules } from '../services/catalogue/tax-rule-behaviour.ts'
import { variationRules } from '../services/catalogue/variation-behaviour.ts'
import { checkinListRules } from '../services/checkin/checkin-list-behaviour.ts'
import { gateRules } from '../services/devices/gate-behaviour.ts'
import { eventsOnSale } from '../services/event-setup/event-availability.ts'
import { dateRules } from '../services/event-setup/subevent-availability.ts'
import { metaPropertyRules } from '../services/events/meta-properties.ts'
import { acceptanceRules } from '../services/payments/gift-card-issuers.ts'
import { quotaRules } from '../services/quotas/quota-behaviour.ts'
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
  serve(router, api, gate, gateRules)
  serveSalesChannels(router, api)
  serve(router, api, eventMetaProperty, metaPropertyRules)
  serveCustomers(router, api)
  serveGiftCards(router, api)
  serve(router, api, giftCardAcceptance, acceptanceRules)
  serve(router, api, seatingPlan, seatingPlanRules)

  serveEventClone(router, api)
  serve(router, api, event, eventsOnSale(api.transactions))
  serveEventSettings(router, api)
  serve(router, api, subevent, dateRules(api.transactions))
  serveOrganizerSubevents(router, api)

  serve(router, api, itemMetaProperty, itemMetaPropertyRules)
  serve(router, api, category)
  serve(router, api, taxRule, taxRules)
  serve(router, api, item, itemRules)
  serveItemPictures(router, api)
  serve(router, api, variation, variationRules)
  serve(router, api, itemAddon, addonRules)
  serve(router, api, itemBundle, bundleRules)
  serve(router, api, quota, quotaRules(api.transactions))
  serveQuotaAvailability(router, api)
  serveVouchers(router, api)
  serve(router, api, discount, discountRules)
  serve(router, api, question, questionRules)
  serve(router, api, questionOption, optionRules)
  serve(router, api, checkinList, checkinListRules)
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
