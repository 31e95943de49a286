import type { Resource } from '../resource.ts'
import { category } from './category.ts'
import { checkin } from './checkin.ts'
import { checkinList } from './checkin-list.ts'
import { device } from './device.ts'
import { event } from './event.ts'
import { gate } from './gate.ts'
import { item } from './item.ts'
import { itemAddon } from './item-addon.ts'
import { itemBundle } from './item-bundle.ts'
import { order } from './order.ts'
import { orderFee } from './order-fee.ts'
import { orderPayment } from './order-payment.ts'
import { orderPosition } from './order-position.ts'
import { question } from './question.ts'
import { questionOption } from './question-option.ts'
import { quota } from './quota.ts'
import { revokedSecret } from './revoked-secret.ts'
import { subevent } from './subevent.ts'
import { taxRule } from './tax-rule.ts'
import { team } from './team.ts'
import { teamMember } from './team-member.ts'
import { teamToken } from './team-token.ts'
import { variation } from './variation.ts'

/** Everything that exists inside an organizer, each after what it points at. */
export const resources: readonly Resource[] = [
  gate,
  device,
  team,
  teamToken,
  teamMember,
  event,
  category,
  taxRule,
  subevent,
  item,
  variation,
  itemAddon,
  itemBundle,
  quota,
  question,
  questionOption,
  checkinList,
  order,
  orderPosition,
  orderFee,
  orderPayment,
  revokedSecret,
  checkin,
]

/** The same by name. */
export const resourceByName: ReadonlyMap<string, Resource> = new Map(resources.map((one) => [one.name, one]))
