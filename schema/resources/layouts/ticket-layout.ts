import { defineResource } from '../../resource.ts'
import { pageLayout } from './page-layout-fields.ts'

/** How a printed ticket looks. */
export const ticketLayout = defineResource({
  name: 'ticket_layout',
  path: 'ticketlayouts',
  ...pageLayout,
  audience: 'sale',
})
