import { cashMovement, drawerCount, drawerOpening, movementReversal } from '../../bodies/drawers.ts'
import { the } from '../../json-schema.ts'
import {
  type Action,
  bodyAs,
  bodyWith,
  defineAction,
  ev,
  hidden,
  refused,
  refusedOrHidden,
} from '../action.ts'
import { staffRefusals } from './staff.ts'

const atDrawer = { tag: 'drawer', needs: 'can_change_orders' } as const
const answers = { ...refusedOrHidden, '409': 'The drawer is closed, or something is not settled.' }

export const drawerOpen = defineAction({
  ...atDrawer,
  name: 'drawer_open',
  method: 'post',
  path: `${ev}/drawers/`,
  summary: 'Opens a drawer for the till that asks, with what is in it to give change from.',
  body: bodyWith(drawerOpening),
  refusals: staffRefusals,
  shows: the('Drawer'),
  answers: { '201': 'The drawer.', ...refused },
})

export const drawerJoin = defineAction({
  ...atDrawer,
  name: 'drawer_join',
  method: 'post',
  path: `${ev}/drawers/:id/join/`,
  summary: 'Has the till that asks work at a drawer of the same station or hub.',
  refusals: staffRefusals,
  shows: the('Drawer'),
  answers: { '200': 'The drawer.', ...answers },
})

export const drawerMoveCash = defineAction({
  ...atDrawer,
  name: 'drawer_move_cash',
  method: 'post',
  path: `${ev}/drawers/:id/move_cash/`,
  summary: 'Puts cash into a drawer or, with less than nothing, takes it out.',
  body: bodyWith(cashMovement),
  refusals: staffRefusals,
  shows: the('Receipt'),
  answers: { '201': 'The receipt of the movement.', ...answers },
})

export const drawerReverse = defineAction({
  ...atDrawer,
  name: 'drawer_reverse',
  method: 'post',
  path: `${ev}/drawers/:id/receipts/:receipt/reverse/`,
  summary: 'Takes a movement of cash back by its opposite.',
  body: bodyWith(movementReversal),
  refusals: staffRefusals,
  shows: the('Receipt'),
  answers: { '201': 'The receipt that takes it back.', ...answers },
})

export const drawerReportShown = defineAction({
  ...atDrawer,
  name: 'drawer_report',
  method: 'get',
  path: `${ev}/drawers/:id/report/`,
  needs: 'can_view_orders',
  summary: 'What went through a drawer so far (X), or until it was closed.',
  shows: { type: 'object' },
  answers: { '200': 'The figures.', ...hidden },
})

export const drawerClose = defineAction({
  ...atDrawer,
  name: 'drawer_close',
  method: 'post',
  path: `${ev}/drawers/:id/close/`,
  summary: 'Closes a drawer by what was counted in it (Z).',
  body: bodyAs(drawerCount),
  refusals: staffRefusals,
  shows: the('Closing'),
  answers: { '201': 'The closing.', ...answers },
})

const shownReceiptFile = {
  tag: 'drawer',
  method: 'get',
  needs: 'can_view_orders',
  query: ['columns', 'locale'],
  shows: { type: 'string' },
} as const

export const receiptTextShown = defineAction({
  ...shownReceiptFile,
  name: 'receipt_text',
  path: `${ev}/receipts/:id/text/`,
  summary: 'A receipt as text, in lines that paper of so many columns takes (24 to 64; 42 unless said).',
  type: 'text/plain',
  answers: { '200': 'The lines.', '400': 'A width that no paper has.', ...hidden },
})

export const receiptPictureShown = defineAction({
  ...shownReceiptFile,
  name: 'receipt_picture',
  path: `${ev}/receipts/:id/picture/`,
  summary: 'A receipt as a picture (SVG).',
  type: 'image/svg+xml',
  answers: { '200': 'The picture.', '400': 'A width that no paper has.', ...hidden },
})

/** Endpoints of the drawers of tills. */
export const drawerActions: readonly Action[] = [
  drawerOpen,
  drawerJoin,
  drawerMoveCash,
  drawerReverse,
  drawerReportShown,
  drawerClose,
  receiptTextShown,
  receiptPictureShown,
]
