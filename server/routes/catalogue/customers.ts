import type Router from '@koa/router'
import { membershipType } from '../../../schema/resources/catalogue/membership-type.ts'
import { customer } from '../../../schema/resources/orders/customer.ts'
import { membership } from '../../../schema/resources/orders/membership.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { refuseMethod, serve, shown } from '../../resource/routes.ts'
import {
  anonymizeCustomer,
  customerBehaviour,
  withName,
} from '../../services/catalogue/customer-behaviour.ts'
import {
  membershipBehaviour,
  membershipTypeBehaviour,
} from '../../services/catalogue/membership-behaviour.ts'

/** Serves customers, kinds of membership, and who has them. */
export function serveCustomers(router: Router, api: Api): void {
  serve(router, api, membershipType, membershipTypeBehaviour)
  serve(router, api, membership, membershipBehaviour)
  serve(router, api, customer, customerBehaviour)

  const path = '/api/v1/organizers/:organizer/customers/:id/anonymize/'
  router.post(path, api.admit('organizer', customer.permission.write), async (ctx) => {
    const scope: Scope = ctx.state.scope
    const identifier = String(ctx.params.id)
    const row = await api.transactions.write((tx) => anonymizeCustomer(tx, scope, identifier))
    ctx.body = shown(customer, withName(row))
  })
  router.all(path, api.admit('organizer', null), (ctx) => refuseMethod(ctx))
}
