import { blockInput, printInput } from '../bodies/order-actions.ts'
import { furtherParameters } from '../described/parameters.ts'
import { bodySchema, pageSchema, the } from '../json-schema.ts'
import { orderPosition as resource } from '../resources/orders/order-position.ts'
import {
  type Action,
  bodyLike,
  bodyWith,
  defineAction,
  ev,
  org,
  refusedOrHidden,
  showsFile,
  showsOne,
  showsPage,
} from './action.ts'

const position = `${ev}/orderpositions/:id` as const

/** What it is to be answered with tickets. */
export const ticketFile = {
  shows: { type: 'string', format: 'binary' },
  type: 'application/pdf',
  answers: { '200': 'The file.', ...refusedOrHidden, '409': '' },
} as const

const view = ['expand', 'include', 'exclude', 'include_canceled_positions']

export const organizerPositionList = defineAction({
  name: 'organizer_order_position_list',
  tag: 'order_position',
  method: 'get',
  path: `${org}/orderpositions/`,
  summary: 'The positions of all events that the caller may see.',
  needs: 'can_view_orders',
  query: [
    'page',
    'page_size',
    'ordering',
    ...Object.keys(resource.filters ?? {}),
    ...(furtherParameters.order_position?.list.filter((name) => name !== 'pdf_data') ?? []),
  ],
  shows: pageSchema(the('OrderPosition')),
  answers: { '200': 'One page of positions.', '400': '', '401': '', '403': '' },
})

export const organizerPositionRetrieve = defineAction({
  name: 'organizer_order_position_retrieve',
  tag: 'order_position',
  ...showsOne('OrderPosition', 'The position.'),
  path: `${org}/orderpositions/:id/`,
  summary: 'One position of any event.',
  needs: 'can_view_orders',
  query: view,
})

const change = {
  tag: 'order_position',
  method: 'post',
  needs: 'can_change_orders',
  query: ['pdf_data'],
  shows: the('OrderPosition'),
  answers: { '200': 'The position.', ...refusedOrHidden },
} as const

const blocking = {
  ...change,
  summary: 'Sets or takes away a reason why a ticket must not be used.',
  body: bodyWith(blockInput),
} as const

export const orderPositionRegenerateSecrets = defineAction({
  name: 'order_position_regenerate_secrets',
  ...change,
  path: `${position}/regenerate_secrets/`,
  summary: 'Gives a ticket a new code and revokes the old one.',
})

export const orderPositionAddBlock = defineAction({
  name: 'order_position_add_block',
  ...blocking,
  path: `${position}/add_block/`,
})

export const orderPositionRemoveBlock = defineAction({
  name: 'order_position_remove_block',
  ...blocking,
  path: `${position}/remove_block/`,
})

export const orderPositionAnswer = defineAction({
  name: 'order_position_answer',
  tag: 'order_position',
  ...showsFile('The file.'),
  path: `${position}/answer/:question/`,
  summary: 'The file that is the answer to a question.',
  needs: 'can_view_orders',
})

export const orderPositionPicture = defineAction({
  name: 'order_position_picture',
  tag: 'order_position',
  ...showsFile('The picture.'),
  path: `${position}/pdf_image/:key/`,
  summary: 'A picture that `pdf_data` names under `images`.',
  needs: 'can_view_orders',
})

export const orderPositionPrints = defineAction({
  name: 'order_position_prints',
  tag: 'order_position',
  ...showsPage('PrintLog', 'One page of prints.'),
  path: `${position}/printlog/`,
  summary: 'What was printed for a position.',
  needs: 'can_view_orders',
})

export const orderPositionPrinted = defineAction({
  name: 'order_position_printed',
  tag: 'order_position',
  method: 'post',
  path: `${position}/printlog/`,
  summary: 'Keeps that something was printed for a position.',
  needs: ['can_change_orders', 'can_checkin_orders'],
  body: bodyLike(bodySchema(printInput)),
  shows: the('PrintLog'),
  answers: { '201': 'The print.', ...refusedOrHidden },
})

export const orderPositionDownload = defineAction({
  name: 'order_position_download',
  tag: 'order_position',
  method: 'get',
  needs: 'can_view_orders',
  ...ticketFile,
  path: `${position}/download/:output/`,
  summary: 'The ticket of a position as a file: pdf for pages, roll for printers with a roll of paper.',
})

/** What can be done with a position of an order beyond the standard operations. */
export const orderPositionActions: readonly Action[] = [
  organizerPositionList,
  organizerPositionRetrieve,
  orderPositionRegenerateSecrets,
  orderPositionAddBlock,
  orderPositionRemoveBlock,
  orderPositionAnswer,
  orderPositionPicture,
  orderPositionPrints,
  orderPositionPrinted,
  orderPositionDownload,
]
