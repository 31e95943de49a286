import { customerAnonymize } from '../../../schema/actions/customers.ts'
import { membershipType } from '../../../schema/resources/catalogue/membership-type.ts'
import { customer } from '../../../schema/resources/orders/customer.ts'
import { membership } from '../../../schema/resources/orders/membership.ts'
import { type ApiRouter, serveAction } from '../../resource/endpoints.ts'
import { serve, shown } from '../../resource/routes.ts'
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
export function serveCustomers(router: ApiRouter): void {
  serve(router, membershipType, membershipTypeBehaviour)
  serve(router, membership, membershipBehaviour)
  serve(router, customer, customerBehaviour)
  serveAction(router, customerAnonymize, async (request, tx) =>
    shown(customer, withName(await anonymizeCustomer(tx, request, request.params.id))),
  )
}
