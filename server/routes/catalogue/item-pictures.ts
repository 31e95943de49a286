import { itemPicture } from '../../../schema/actions/catalogue.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { notFound } from '../../errors.ts'
import { type ApiRouter, serveRaw } from '../../resource/endpoints.ts'
import { idIn } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import { pictureOf } from '../../services/catalogue/item-pictures.ts'

/** A picture that is looked at on its own runs nothing, loads nothing and is in nobody's frame. */
const policy = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Serves the pictures of items, to whoever may see the items. */
export function serveItemPictures(router: ApiRouter): void {
  const { database } = router.api.transactions
  serveRaw(router, itemPicture, async ({ place, event, params }, ctx) => {
    const id = idIn(params.id)
    const row = await findRow(database, item, place, { id })
    if (!row || row.picture === null) throw notFound()
    const file = await pictureOf(database, place.organizer, id)
    if (!file) throw notFound('The picture of this item is on the central server or hub only.')
    ctx.type = file.type
    ctx.attachment(`${event.slug.toUpperCase()}-${id}.${file.type.split('/')[1]}`, { type: 'inline' })
    ctx.set('Content-Security-Policy', policy)
    return file.bytes
  })
}
