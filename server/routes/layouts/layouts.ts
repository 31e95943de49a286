import type { Action } from '../../../schema/actions/action.ts'
import { badgeLayoutBackground, ticketLayoutBackground } from '../../../schema/actions/catalogue.ts'
import { badgeItem } from '../../../schema/resources/layouts/badge-item.ts'
import { badgeLayout } from '../../../schema/resources/layouts/badge-layout.ts'
import { ticketLayout } from '../../../schema/resources/layouts/ticket-layout.ts'
import { ticketLayoutItem } from '../../../schema/resources/layouts/ticket-layout-item.ts'
import { blankPage } from '../../domain/text/blank-page.ts'
import { notFound } from '../../errors.ts'
import { type ApiRouter, serveRaw } from '../../resource/endpoints.ts'
import { idIn, serve } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import { backgroundOf } from '../../services/layouts/layout-backgrounds.ts'
import {
  badgeLayoutBehaviour,
  ticketLayoutBehaviour,
  ticketLayoutItemBehaviour,
} from '../../services/layouts/layout-behaviour.ts'

/** Serves the layouts of badges and tickets, which items they are for, and what they are printed on. */
export function serveLayouts(router: ApiRouter): void {
  serve(router, badgeLayout, badgeLayoutBehaviour)
  serve(router, badgeItem)
  serveBackground(router, badgeLayoutBackground, { of: badgeLayout, blank: blankPage(419.53, 297.64) })
  serve(router, ticketLayout, ticketLayoutBehaviour)
  serve(router, ticketLayoutItem, ticketLayoutItemBehaviour)
  serveBackground(router, ticketLayoutBackground, { of: ticketLayout, blank: blankPage(595.28, 841.89) })
}

type BackgroundPath = (typeof badgeLayoutBackground)['path'] | (typeof ticketLayoutBackground)['path']

/** Serves the background of each layout, an empty page where it has none: A6 across for badges, A4 for tickets. */
function serveBackground(
  router: ApiRouter,
  action: Action<BackgroundPath, undefined>,
  { of, blank }: { readonly of: typeof badgeLayout | typeof ticketLayout; readonly blank: Uint8Array },
): void {
  const { database } = router.api.transactions
  serveRaw(router, action, async ({ place, params }, ctx) => {
    const id = idIn(params.id)
    const row = await findRow(database, of, place, { id })
    if (!row) throw notFound()
    const file = row.background === null ? Buffer.from(blank) : await backgroundOf(database, place, id)
    if (!file) throw notFound('The background of this layout has not arrived here yet.')
    ctx.type = 'application/pdf'
    ctx.attachment(`${of.name.replace('_', '-')}-${id}.pdf`)
    return file
  })
}
