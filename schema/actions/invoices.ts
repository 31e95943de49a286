import { pageSchema, the } from '../json-schema.ts'
import { invoice } from '../resources/orders/invoice.ts'
import { type Action, defineAction, ev, hidden, org, refusedOrHidden, showsOne } from './action.ts'

const ofEvent = `${ev}/invoices/:number` as const
const ofOrganizer = `${org}/invoices/:number` as const

const file = {
  tag: 'invoice',
  method: 'get',
  summary: 'An invoice as a PDF.',
  needs: invoice.permission.read,
  shows: { type: 'string', format: 'binary' },
  type: 'application/pdf',
  answers: { '200': 'The file.', ...hidden },
} as const

const change = {
  tag: 'invoice',
  method: 'post',
  needs: invoice.permission.write,
  shows: null,
  answers: { '204': 'It is done.', ...refusedOrHidden },
} as const

const regeneration = {
  ...change,
  summary: 'Writes an invoice anew as its order is now, under its number.',
} as const
const reissue = { ...change, summary: 'Cancels an invoice and makes a new one as its order is now.' } as const

export const organizerInvoiceList = defineAction({
  name: 'organizer_invoice_list',
  tag: 'invoice',
  method: 'get',
  path: `${org}/invoices/`,
  summary: 'The invoices of all events that the caller may see.',
  needs: invoice.permission.read,
  query: [
    'page',
    'page_size',
    'ordering',
    ...Object.keys(invoice.filters ?? {}),
    ...['number', 'order', 'refers'],
  ],
  shows: pageSchema(the('Invoice')),
  answers: { '200': 'One page of invoices.', '400': '', '401': '', '403': '' },
})

export const organizerInvoiceRetrieve = defineAction({
  name: 'organizer_invoice_retrieve',
  tag: 'invoice',
  path: `${ofOrganizer}/`,
  summary: 'One invoice of any event.',
  needs: invoice.permission.read,
  ...showsOne('Invoice', 'The invoice.'),
})

export const invoiceDownload = defineAction({
  name: 'invoice_download',
  ...file,
  path: `${ofEvent}/download/`,
})

export const organizerInvoiceDownload = defineAction({
  name: 'organizer_invoice_download',
  ...file,
  path: `${ofOrganizer}/download/`,
})

export const invoiceRegenerate = defineAction({
  name: 'invoice_regenerate',
  ...regeneration,
  path: `${ofEvent}/regenerate/`,
})

export const organizerInvoiceRegenerate = defineAction({
  name: 'organizer_invoice_regenerate',
  ...regeneration,
  path: `${ofOrganizer}/regenerate/`,
})

export const invoiceReissue = defineAction({
  name: 'invoice_reissue',
  ...reissue,
  path: `${ofEvent}/reissue/`,
})

export const organizerInvoiceReissue = defineAction({
  name: 'organizer_invoice_reissue',
  ...reissue,
  path: `${ofOrganizer}/reissue/`,
})

export const invoiceTransmit = defineAction({
  name: 'invoice_transmit',
  ...change,
  path: `${ofEvent}/transmit/`,
  summary: 'Mails an invoice to the buyer that was not sent yet.',
})

export const invoiceRetransmit = defineAction({
  name: 'invoice_retransmit',
  ...change,
  path: `${ofEvent}/retransmit/`,
  summary: 'Mails an invoice to the buyer once more.',
})

/** Endpoints of invoices beyond the standard ones. */
export const invoiceActions: readonly Action[] = [
  organizerInvoiceList,
  organizerInvoiceRetrieve,
  invoiceDownload,
  organizerInvoiceDownload,
  invoiceRegenerate,
  organizerInvoiceRegenerate,
  invoiceReissue,
  organizerInvoiceReissue,
  invoiceTransmit,
  invoiceRetransmit,
]
