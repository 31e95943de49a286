import type Router from '@koa/router'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { notFound } from '../../errors.ts'
import type { Api } from '../../resource/api.ts'
import { collectionPath } from '../../resource/paths.ts'
import { idIn, refuseMethod } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import { pictureOf } from '../../services/catalogue/item-pictures.ts'
import { eventAt } from '../events/event-at.ts'

/** A picture that is looked at on its own runs nothing, loads nothing and is in nobody's frame. */
const policy = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Serves the pictures of items, to whoever may see the items. */
export function serveItemPictures(router: Router, { admit, catalogue, transactions }: Api): void {
  const { database } = transactions
  const path = `${collectionPath(item, catalogue)}:id/picture/`
  router.get(path, admit('event', item.permission.read), async (ctx) => {
    const { place, event } = eventAt(ctx)
    const id = idIn(ctx.params.id)
    const row = await findRow(database, item, place, 'id', id)
    if (!row || row.picture === null) throw notFound()
    const file = await pictureOf(database, place.organizer, id)
    if (!file) throw notFound('The picture of this item is on the server above only.')
    ctx.type = file.type
    ctx.attachment(`${event.slug.toUpperCase()}-${id}.${file.type.split('/')[1]}`, { type: 'inline' })
    ctx.set('Content-Security-Policy', policy)
    ctx.body = file.bytes
  })
  router.all(path, admit('event', null), (ctx) => refuseMethod(ctx))
}
