import type { Resource } from '../resource.ts'
import { staff } from './accounts/staff.ts'
import { team } from './accounts/team.ts'
import { teamInvite } from './accounts/team-invite.ts'
import { teamMember } from './accounts/team-member.ts'
import { teamToken } from './accounts/team-token.ts'
import { cartPosition } from './carts/cart-position.ts'
import { voucher } from './carts/voucher.ts'
import { waitingListEntry } from './carts/waiting-list-entry.ts'
import { category } from './catalogue/category.ts'
import { discount } from './catalogue/discount.ts'
import { item } from './catalogue/item.ts'
import { itemAddon } from './catalogue/item-addon.ts'
import { itemBundle } from './catalogue/item-bundle.ts'
import { itemMetaProperty } from './catalogue/item-meta-property.ts'
import { membershipType } from './catalogue/membership-type.ts'
import { question } from './catalogue/question.ts'
import { questionOption } from './catalogue/question-option.ts'
import { quota } from './catalogue/quota.ts'
import { seat } from './catalogue/seat.ts'
import { seatingPlan } from './catalogue/seating-plan.ts'
import { taxRule } from './catalogue/tax-rule.ts'
import { variation } from './catalogue/variation.ts'
import { autoCheckinRule } from './checkin/auto-checkin-rule.ts'
import { blockedSecret } from './checkin/blocked-secret.ts'
import { checkin } from './checkin/checkin.ts'
import { checkinList } from './checkin/checkin-list.ts'
import { conflict } from './checkin/conflict.ts'
import { eventKey } from './checkin/event-key.ts'
import { refusedTicket } from './checkin/refused-ticket.ts'
import { revokedSecret } from './checkin/revoked-secret.ts'
import { device } from './devices/device.ts'
import { gate } from './devices/gate.ts'
import { quotaLease } from './devices/quota-lease.ts'
import { closing } from './drawer/closing.ts'
import { drawer } from './drawer/drawer.ts'
import { receipt } from './drawer/receipt.ts'
import { receiptPrint } from './drawer/receipt-print.ts'
import { receiptSignature } from './drawer/receipt-signature.ts'
import { event } from './events/event.ts'
import { eventMetaProperty } from './events/event-meta-property.ts'
import { salesChannel } from './events/sales-channel.ts'
import { subevent } from './events/subevent.ts'
import { badgeItem } from './layouts/badge-item.ts'
import { badgeLayout } from './layouts/badge-layout.ts'
import { layoutBackground } from './layouts/layout-background.ts'
import { ticketLayout } from './layouts/ticket-layout.ts'
import { ticketLayoutItem } from './layouts/ticket-layout-item.ts'
import { reusableMedium } from './media/reusable-medium.ts'
import { emailRule } from './notifications/email-rule.ts'
import { webhook } from './notifications/webhook.ts'
import { webhookAttempt } from './notifications/webhook-attempt.ts'
import { customer } from './orders/customer.ts'
import { invoice } from './orders/invoice.ts'
import { membership } from './orders/membership.ts'
import { order } from './orders/order.ts'
import { orderFee } from './orders/order-fee.ts'
import { orderPayment } from './orders/order-payment.ts'
import { orderPosition } from './orders/order-position.ts'
import { orderRefund } from './orders/order-refund.ts'
import { orderTransaction } from './orders/order-transaction.ts'
import { printLog } from './orders/print-log.ts'
import { giftCard } from './payments/gift-card.ts'
import { giftCardAcceptance } from './payments/gift-card-acceptance.ts'
import { giftCardTransaction } from './payments/gift-card-transaction.ts'

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
  reusableMedium,
  seatingPlan,
  gate,
  device,
  staff,
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
  layoutBackground,
  badgeLayout,
  badgeItem,
  ticketLayout,
  ticketLayoutItem,
  checkinList,
  autoCheckinRule,
  emailRule,
  waitingListEntry,
  order,
  orderPosition,
  orderFee,
  orderPayment,
  orderRefund,
  orderTransaction,
  invoice,
  printLog,
  revokedSecret,
  blockedSecret,
  refusedTicket,
  drawer,
  receipt,
  receiptPrint,
  receiptSignature,
  closing,
  checkin,
  conflict,
  cartPosition,
]

/** The same by name. */
export const resourceByName: ReadonlyMap<string, Resource> = new Map(resources.map((one) => [one.name, one]))
