import type { Resource } from '../resource.ts'
import { blockedSecret } from './blocked-secret.ts'
import { cartPosition } from './cart-position.ts'
import { category } from './category.ts'
import { checkin } from './checkin.ts'
import { checkinList } from './checkin-list.ts'
import { conflict } from './conflict.ts'
import { customer } from './customer.ts'
import { device } from './device.ts'
import { discount } from './discount.ts'
import { emailRule } from './email-rule.ts'
import { event } from './event.ts'
import { eventKey } from './event-key.ts'
import { eventMetaProperty } from './event-meta-property.ts'
import { gate } from './gate.ts'
import { giftCard } from './gift-card.ts'
import { giftCardAcceptance } from './gift-card-acceptance.ts'
import { giftCardTransaction } from './gift-card-transaction.ts'
import { item } from './item.ts'
import { itemAddon } from './item-addon.ts'
import { itemBundle } from './item-bundle.ts'
import { itemMetaProperty } from './item-meta-property.ts'
import { membership } from './membership.ts'
import { membershipType } from './membership-type.ts'
import { order } from './order.ts'
import { orderFee } from './order-fee.ts'
import { orderPayment } from './order-payment.ts'
import { orderPosition } from './order-position.ts'
import { orderRefund } from './order-refund.ts'
import { printLog } from './print-log.ts'
import { question } from './question.ts'
import { questionOption } from './question-option.ts'
import { quota } from './quota.ts'
import { quotaLease } from './quota-lease.ts'
import { revokedSecret } from './revoked-secret.ts'
import { salesChannel } from './sales-channel.ts'
import { seat } from './seat.ts'
import { seatingPlan } from './seating-plan.ts'
import { subevent } from './subevent.ts'
import { taxRule } from './tax-rule.ts'
import { team } from './team.ts'
import { teamInvite } from './team-invite.ts'
import { teamMember } from './team-member.ts'
import { teamToken } from './team-token.ts'
import { variation } from './variation.ts'
import { voucher } from './voucher.ts'
import { waitingListEntry } from './waiting-list-entry.ts'
import { webhook } from './webhook.ts'
import { webhookAttempt } from './webhook-attempt.ts'

/** Everything that exists inside an organizer, each after what it points at. */
export const resources: readonly Resource[] = [
  eventMetaProperty,
  salesChannel,
  membershipType,
  customer,
  membership,
  giftCard,
  giftCardTransaction,
  giftCardAcceptance,
  seatingPlan,
  gate,
  device,
  team,
  teamToken,
  teamMember,
  teamInvite,
  webhook,
  webhookAttempt,
  event,
  eventKey,
  itemMetaProperty,
  category,
  taxRule,
  subevent,
  item,
  variation,
  itemAddon,
  itemBundle,
  quota,
  quotaLease,
  voucher,
  discount,
  question,
  questionOption,
  seat,
  checkinList,
  emailRule,
  waitingListEntry,
  order,
  orderPosition,
  orderFee,
  orderPayment,
  orderRefund,
  printLog,
  revokedSecret,
  blockedSecret,
  checkin,
  conflict,
  cartPosition,
]

/** The same by name. */
export const resourceByName: ReadonlyMap<string, Resource> = new Map(resources.map((one) => [one.name, one]))
