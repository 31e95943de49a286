import { accountActions } from './actions/accounts.ts'
import type { Action } from './actions/action.ts'
import { cartActions } from './actions/carts.ts'
import { catalogueActions } from './actions/catalogue.ts'
import { checkinActions } from './actions/checkin.ts'
import { conflictActions } from './actions/conflicts.ts'
import { customerActions } from './actions/customers.ts'
import { deviceActions } from './actions/devices.ts'
import { drawerActions } from './actions/drawer/drawers.ts'
import { posDeviceActions } from './actions/drawer/pos-devices.ts'
import { staffActions } from './actions/drawer/staff.ts'
import { exporterActions } from './actions/exporters.ts'
import { invoiceActions } from './actions/invoices.ts'
import { mediaActions } from './actions/media.ts'
import { oauthActions } from './actions/oauth.ts'
import { bankImportActions } from './actions/operations/bank-imports.ts'
import { scheduledExportActions } from './actions/operations/scheduled-exports.ts'
import { shredderActions } from './actions/operations/shredders.ts'
import { orderActions } from './actions/orders.ts'
import { safetyActions } from './actions/safety.ts'
import { syncDownActions } from './actions/sync-down.ts'
import { syncLeaseActions } from './actions/sync-leases.ts'
import { syncUpActions } from './actions/sync-up.ts'
import { uploadActions } from './actions/uploads.ts'
import { voucherActions } from './actions/vouchers.ts'
import { waitingListActions } from './actions/waiting-list.ts'
import { webhookActions } from './actions/webhooks.ts'

/** Every endpoint that is not a standard operation of a resource. */
export const actions: readonly Action[] = [
  ...accountActions,
  ...bankImportActions,
  ...scheduledExportActions,
  ...shredderActions,
  ...deviceActions,
  ...cartActions,
  ...catalogueActions,
  ...checkinActions,
  ...conflictActions,
  ...customerActions,
  ...drawerActions,
  ...posDeviceActions,
  ...staffActions,
  ...exporterActions,
  ...invoiceActions,
  ...mediaActions,
  ...oauthActions,
  ...orderActions,
  ...safetyActions,
  ...syncDownActions,
  ...syncUpActions,
  ...syncLeaseActions,
  ...uploadActions,
  ...voucherActions,
  ...waitingListActions,
  ...webhookActions,
]
