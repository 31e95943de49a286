import { accountActions } from './actions/accounts.ts'
import type { Action } from './actions/action.ts'
import { catalogueActions } from './actions/catalogue.ts'
import { checkinActions } from './actions/checkin.ts'
import { orderActions } from './actions/orders.ts'

/** Every endpoint that is not a standard operation of a resource. */
export const actions: readonly Action[] = [
  ...accountActions,
  ...catalogueActions,
  ...checkinActions,
  ...orderActions,
]
