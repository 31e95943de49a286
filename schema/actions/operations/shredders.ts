import { exactly, pageSchema } from '../../json-schema.ts'
import { type Action, bodyAs, defineAction, ev, hidden, refused, refusedOrHidden } from '../action.ts'

/** The kinds of personal data that can be deleted from an event, with their names, sorted by these. */
export const shredderNames = {
  attendee_info: 'Attendee info',
  cachedtickets: 'Cached ticket files',
  order_emails: 'Emails',
  invoice_addresses: 'Invoice addresses',
  invoices: 'Invoices',
  payment_info: 'Payment information',
  phone_numbers: 'Phone numbers',
  question_answers: 'Question answers',
  waiting_list: 'Waiting list',
} as const

/** A kind of personal data that can be deleted from an event. */
export type Shredder = keyof typeof shredderNames

/** All of them. */
export const shredderIds = Object.keys(shredderNames) as Shredder[]

const text = { type: 'string' } as const

const shredder = exactly({ identifier: text, verbose_name: text })

const underWay = exactly({ status: { type: 'string', enum: ['waiting', 'running'] } })

const ended = (status: string) => exactly({ status: { type: 'string', enum: [status] }, message: text })

const common = { tag: 'shredder', needs: 'can_change_orders' } as const

export const shredderList = defineAction({
  ...common,
  name: 'shredder_list',
  method: 'get',
  path: `${ev}/shredders/`,
  summary: 'The kinds of personal data that can be deleted from an event. All of them are on one page.',
  shows: pageSchema(shredder),
  answers: { '200': 'The kinds.', '401': '', '403': '' },
})

export const shredderRetrieve = defineAction({
  ...common,
  name: 'shredder_retrieve',
  method: 'get',
  path: `${ev}/shredders/:id/`,
  summary: 'One kind of personal data.',
  shows: shredder,
  answers: { '200': 'The kind.', ...hidden },
})

export const shredderExport = defineAction({
  ...common,
  name: 'shredder_export',
  method: 'post',
  path: `${ev}/shredders/export/`,
  summary:
    'Saves personal data of an event that is over and not live into a file, which is there for two hours.',
  body: bodyAs({
    type: 'object',
    required: ['shredders'],
    properties: { shredders: { type: 'array', items: { type: 'string', enum: shredderIds } } },
  }),
  shows: exactly({ download: text, shred: text }),
  answers: { '202': 'Where the file will be, and where to delete what is in it.', ...refused },
})

export const shredderDownload = defineAction({
  ...common,
  name: 'shredder_download',
  method: 'get',
  path: `${ev}/shredders/download/:task/:file/`,
  summary: 'The file with the saved data, for the credential that asked for it.',
  shows: { type: 'string', format: 'binary' },
  type: '*/*',
  refusals: { '409': underWay, '410': ended('failed') },
  answers: { '200': 'The file.', ...hidden, '409': 'Not yet.', '410': 'It failed.' },
})

export const shredderShred = defineAction({
  ...common,
  name: 'shredder_shred',
  method: 'post',
  path: `${ev}/shredders/shred/:task/:file/`,
  summary: 'Deletes what was saved, for the credential that asked for that.',
  shows: exactly({ status: text }),
  refusals: {
    '409': { type: 'object', properties: { ...(underWay.properties as object), detail: text } },
    '410': ended('failed'),
  },
  answers: {
    '202': 'Where to ask whether it is done.',
    ...refusedOrHidden,
    '409': 'Not saved yet.',
    '410': 'It was not saved.',
  },
})

export const shredderStatus = defineAction({
  ...common,
  name: 'shredder_status',
  method: 'get',
  path: `${ev}/shredders/status/:task/:file/`,
  summary: 'Whether personal data is deleted.',
  shows: ended('ok'),
  refusals: { '409': underWay, '410': ended('gone'), '417': ended('failed') },
  answers: {
    '200': 'It is deleted.',
    ...{ '401': '', '403': '' },
    '409': 'It is being deleted.',
    '410': 'Nothing is known of it any more.',
    '417': 'It was not deleted.',
  },
})

/** Deletes personal data of events that are over. */
export const shredderActions: readonly Action[] = [
  shredderList,
  shredderRetrieve,
  shredderExport,
  shredderDownload,
  shredderShred,
  shredderStatus,
]
