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
import { autoCheckinRule } from '../../schema/resources/checkin/auto-checkin-rule.ts'
import { blockedSecret } from '../../schema/resources/checkin/blocked-secret.ts'
import { checkinList } from '../../schema/resources/checkin/checkin-list.ts'
import { revokedSecret } from '../../schema/resources/checkin/revoked-secret.ts'
import { gate } from '../../schema/resources/devices/gate.ts'
import { event } from '../../schema/resources/events/event.ts'
import { eventMetaProperty } from '../../schema/resources/events/event-meta-property.ts'
import { subevent } from '../../schema/resources/events/subevent.ts'
import { giftCardAcceptance } from '../../schema/resources/payments/gift-card-acceptance.ts'
import type { ApiRouter } from '../resource/endpoints.ts'
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
import { autoCheckinRuleBehaviour } from '../services/checkin/auto-checkin-rules.ts'
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
import { serveTicketKeys } from './checkin/ticket-keys.ts'
import { serveDevices } from './devices/devices.ts'
import { serveDrawers } from './drawer/drawers.ts'
import { servePosDevices } from './drawer/pos-devices.ts'
import { serveReceiptFiles } from './drawer/receipt-files.ts'
import { serveStaff } from './drawer/staff.ts'
import { serveEventClone, serveEventSettings } from './events/events.ts'
import { serveOrganizerSubevents } from './events/organizer-subevents.ts'
import { serveOrganizers } from './events/organizers.ts'
import { serveSalesChannels } from './events/sales-channels.ts'
import { serveLayouts } from './layouts/layouts.ts'
import { serveMedia } from './media/media.ts'
import { serveEmailRules } from './notifications/email-rules.ts'
import { serveWebhooks } from './notifications/webhooks.ts'
import { serveAuditLog } from './operations/audit-log.ts'
import { serveScheduledExports } from './operations/scheduled-exports.ts'
import { serveServerInfo } from './operations/server-info.ts'
import { serveUploads } from './operations/uploads.ts'
import { serveInvoices } from './orders/invoices.ts'
import { serveOrderPositions } from './orders/order-positions.ts'
import { serveOrders } from './orders/orders.ts'
import { serveOrganizerPositions } from './orders/organizer-positions.ts'
import { serveTransactions } from './orders/transactions.ts'
import { serveGiftCards } from './payments/gift-cards.ts'
import { serveQuotaAvailability } from './quotas/quota-availability.ts'
import { serveSyncLeases } from './sync/leases.ts'
import { serveVouchers } from './vouchers/vouchers.ts'

/** Serves every resource: the whole API at a glance, apart from what `app.ts` adds. */
export function serveResources(router: ApiRouter): void {
  serveServerInfo(router)
  serveUploads(router)
  serveScheduledExports(router)
  serveOrganizers(router)
  serveTeams(router)
  serveDevices(router)
  serveStaff(router)
  serveWebhooks(router)
  serve(router, gate, gateBehaviour)
  serveSalesChannels(router)
  serve(router, eventMetaProperty, metaPropertyBehaviour)
  serveCustomers(router)
  serveGiftCards(router)
  serve(router, giftCardAcceptance, acceptanceBehaviour)
  serveMedia(router)
  serve(router, seatingPlan, seatingPlanBehaviour)

  serveEventClone(router)
  serve(router, event, eventsOnSale(router.api.transactions))
  serveEventSettings(router)
  serve(router, subevent, subeventsOnSale(router.api.transactions))
  serveOrganizerSubevents(router)

  serve(router, itemMetaProperty, itemMetaPropertyBehaviour)
  serve(router, category)
  serve(router, taxRule, taxRuleBehaviour)
  serve(router, item, itemBehaviour)
  serveItemPictures(router)
  serve(router, variation, variationBehaviour)
  serve(router, itemAddon, addonBehaviour)
  serve(router, itemBundle, bundleBehaviour)
  serve(router, quota, quotaBehaviour(router.api.transactions))
  serveQuotaAvailability(router)
  serveVouchers(router)
  serve(router, discount, discountBehaviour)
  serve(router, question, questionBehaviour)
  serve(router, questionOption, questionOptionBehaviour)
  serve(router, checkinList, checkinListBehaviour)
  serve(router, autoCheckinRule, autoCheckinRuleBehaviour)
  serveSeats(router)
  serveLayouts(router)
  serveEmailRules(router)
  serveWaitingList(router)

  serveAuditLog(router)
  serveConflicts(router)
  serveOrders(router)
  serveInvoices(router)
  serveTransactions(router)
  serveDrawers(router)
  serveReceiptFiles(router)
  servePosDevices(router)
  serveCarts(router)
  serveOrderPositions(router)
  serveOrganizerPositions(router)
  serve(router, revokedSecret)
  serveSyncLeases(router)
  serve(router, blockedSecret)
  serveTicketKeys(router)
}
