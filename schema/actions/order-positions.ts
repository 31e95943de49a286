import { blockInput, printInput } from '../bodies/order-actions.ts'
import { bodySchema, pageSchema, the } from '../json-schema.ts'
import { type Action, bodyLike, bodyWith, defineAction, ev, hidden, refusedOrHidden } from './action.ts'

const position = `${ev}/orderpositions/:id` as const
const write = 'can_change_orders'

/** What it is to be answered with tickets. */
export const ticketFile = {
  shows: { type: 'string', format: 'binary' },
  type: 'application/pdf',
  answers: { '200': 'The file.', ...refusedOrHidden, '409': '' },
} as const

export const orderPositionRegenerateSecrets = defineAction({
  name: 'order_position_regenerate_secrets',
  tag: 'order_position',
  method: 'post',
  path: `${position}/regenerate_secrets/`,
  summary: 'Gives a ticket a new code and revokes the old one.',
  needs: write,
  query: ['pdf_data'],
  shows: the('OrderPosition'),
  answers: { '200': 'The position.', ...refusedOrHidden },
})

export const orderPositionAddBlock = defineAction({
  name: 'order_position_add_block',
  tag: 'order_position',
  method: 'post',
  path: `${position}/add_block/`,
  summary: 'Sets or takes away a reason why a ticket must not be used.',
  needs: write,
  query: ['pdf_data'],
  body: bodyWith(blockInput),
  shows: the('OrderPosition'),
  answers: { '200': 'The position.', ...refusedOrHidden },
})

export const orderPositionRemoveBlock = defineAction({
  name: 'order_position_remove_block',
  tag: 'order_position',
  method: 'post',
  path: `${position}/remove_block/`,
  summary: 'Sets or takes away a reason why a ticket must not be used.',
  needs: write,
  query: ['pdf_data'],
  body: bodyWith(blockInput),
  shows: the('OrderPosition'),
  answers: { '200': 'The position.', ...refusedOrHidden },
})

export const orderPositionAnswer = defineAction({
  name: 'order_position_answer',
  tag: 'order_position',
  method: 'get',
  path: `${position}/answer/:question/`,
  summary: 'The file that is the answer to a question.',
  needs: 'can_view_orders',
  shows: { type: 'string', format: 'binary' },
  type: '*/*',
  answers: { '200': 'The file.', ...hidden },
})

export const orderPositionPicture = defineAction({
  name: 'order_position_picture',
  tag: 'order_position',
  method: 'get',
  path: `${position}/pdf_image/:key/`,
  summary: 'A picture that `pdf_data` names under `images`.',
  needs: 'can_view_orders',
  shows: { type: 'string', format: 'binary' },
  type: '*/*',
  answers: { '200': 'The picture.', ...hidden },
})

export const orderPositionPrints = defineAction({
  name: 'order_position_prints',
  tag: 'order_position',
  method: 'get',
  path: `${position}/printlog/`,
  summary: 'What was printed for a position.',
  needs: 'can_view_orders',
  query: ['page', 'page_size'],
  shows: pageSchema(the('PrintLog')),
  answers: { '200': 'One page of prints.', ...hidden },
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
  orderPositionRegenerateSecrets,
  orderPositionAddBlock,
  orderPositionRemoveBlock,
  orderPositionAnswer,
  orderPositionPicture,
  orderPositionPrints,
  orderPositionPrinted,
  orderPositionDownload,
]
