import {
  cashMovement,
  drawerCount,
  drawerOpenedAnyway,
  drawerOpening,
  movementReversal,
  receiptPrinting,
} from '../../bodies/drawers.ts'
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

export const drawerOpenWithoutSale = defineAction({
  ...atDrawer,
  name: 'drawer_open_without_sale',
  method: 'post',
  path: `${ev}/drawers/:id/open_without_sale/`,
  summary: 'Has a drawer opened without a sale, for a reason that is kept.',
  body: bodyWith(drawerOpenedAnyway),
  refusals: staffRefusals,
  shows: the('Receipt'),
  answers: { '201': 'The receipt that says so; printing it opens the drawer.', ...answers },
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
  summary:
    'What went through a drawer so far (X), or until it was closed; without amounts where it is counted blind.',
  shows: { type: 'object' },
  answers: { '200': 'The figures.', ...hidden },
})

/** Why a drawer is not closed, and at which till something has to be settled first. */
const notSettled = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: { type: 'string' },
    reason: { enum: ['open_basket', 'open_card'] },
    till: { type: 'string' },
  },
} as const

export const drawerClose = defineAction({
  ...atDrawer,
  name: 'drawer_close',
  method: 'post',
  path: `${ev}/drawers/:id/close/`,
  summary: 'Closes a drawer by what was counted in it (Z).',
  body: bodyAs(drawerCount),
  refusals: { ...staffRefusals, '409': notSettled },
  shows: the('Closing'),
  answers: { '201': 'The closing.', ...answers },
})

export const receiptPrinted = defineAction({
  ...atDrawer,
  name: 'receipt_print_create',
  method: 'post',
  path: `${ev}/receipts/:id/prints/`,
  summary:
    'Notes that a receipt is given out on paper, or has it mailed; from the second time on it is a copy.',
  body: bodyWith(receiptPrinting),
  refusals: staffRefusals,
  shows: the('ReceiptPrint'),
  answers: { '201': 'Which copy it is; name its id as `print` where the receipt is fetched.', ...answers },
})

/** What a till prints, in the ways in which it is given out. */
function shownOnPaper<const P extends string, const N extends string>(
  name: N,
  path: P,
  what: string,
  query: readonly string[] = [],
) {
  const file = {
    tag: 'drawer',
    method: 'get',
    needs: 'can_view_orders',
    query: ['columns', 'locale', ...query],
    shows: { type: 'string' },
  } as const
  const answers = (found: string) => ({ '200': found, '400': 'A width that no paper has.', ...hidden })
  return {
    text: defineAction({
      ...file,
      name: `${name}_text`,
      path: `${path}/text/`,
      summary: `${what} as text, in lines that paper of so many columns takes (24 to 64; 42 unless said).`,
      type: 'text/plain',
      answers: answers('The lines.'),
    }),
    picture: defineAction({
      ...file,
      name: `${name}_picture`,
      path: `${path}/picture/`,
      summary: `${what} as a picture (SVG).`,
      type: 'image/svg+xml',
      answers: answers('The picture.'),
    }),
    pdf: defineAction({
      ...file,
      name: `${name}_pdf`,
      path: `${path}/pdf/`,
      summary: `${what} as a PDF for roll paper of 80 mm.`,
      type: 'application/pdf',
      answers: answers('The file.'),
    }),
    escpos: defineAction({
      ...file,
      name: `${name}_escpos`,
      path: `${path}/escpos/`,
      summary: `${what} as a receipt printer takes it (ESC/POS). Letters that code pages 437, 852, 858, 866 and 1252 lack are spelled.`,
      type: 'application/octet-stream',
      answers: answers('The bytes.'),
    }),
  }
}

export const receiptFilesShown = shownOnPaper('receipt', `${ev}/receipts/:id`, 'A receipt', ['print'])
export const closingFilesShown = shownOnPaper('closing', `${ev}/closings/:id`, 'The closing of a drawer (Z)')
export const reportFilesShown = shownOnPaper(
  'drawer_report',
  `${ev}/drawers/:id/report`,
  'What went through a drawer so far (X)',
)

/** Endpoints of the drawers of tills. */
export const drawerActions: readonly Action[] = [
  drawerOpen,
  drawerJoin,
  drawerMoveCash,
  drawerOpenWithoutSale,
  drawerReverse,
  drawerReportShown,
  drawerClose,
  receiptPrinted,
  ...Object.values(receiptFilesShown),
  ...Object.values(closingFilesShown),
  ...Object.values(reportFilesShown),
]
