import sql, { type Sql } from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import type { item } from '../../../schema/resources/catalogue/item.ts'
import { isUploadedFile } from '../../domain/questions/answer-values.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import {
  fileIdIn,
  filePrefix,
  mayUse,
  newFileId,
  releaseFiles,
  takeFile,
  type UploadedFile,
  uploaderOf,
} from '../input/uploads.ts'

/** The kinds of pictures that items have. */
const kinds: readonly string[] = ['image/png', 'image/jpeg', 'image/gif']

const noFile: FieldErrors = { picture: ['There is no uploaded file of this name.'] }

/** Where the items of an event are found: the address of the server, and the slugs. */
interface ItemSite {
  readonly origin: string
  readonly organizer: string
  readonly event: string
}

const pathOf = ({ organizer, event }: Omit<ItemSite, 'origin'>, item: unknown): string =>
  `/api/v1/organizers/${organizer}/events/${event}/items/${item}/picture/`

/**
 * An item with the address of its picture instead of the name of the file. What stands behind the `#` differs for another
 * file: apps store pictures by their addresses.
 */
export const withPicture = <Shown extends { readonly id?: unknown; readonly picture?: unknown }>(
  site: ItemSite,
  row: Shown,
): Shown =>
  typeof row.picture === 'string'
    ? {
        ...row,
        picture: `${site.origin}${pathOf(site, row.id)}#etag=${row.picture.slice(filePrefix.length)}`,
      }
    : row

const userOf = ({ actor, place }: Scope) => ({ organizer: place.organizer, uploader: uploaderOf(actor) })

/** Whether a text says that the picture of an item stays: by the word for it, its name, or its address at any server. */
function isKept(
  scope: Scope,
  text: string,
  before: Pick<StoredRow<typeof item>, 'id' | 'picture'> | undefined,
): boolean {
  if (text === `${filePrefix}keep`) return true
  if (typeof before?.picture !== 'string') return false
  if (text === before.picture) return true
  const site = { organizer: scope.organizer.slug, event: scope.event?.slug ?? '' }
  return URL.parse(text)?.pathname === pathOf(site, before.id)
}

/** The picture that an item which is about to be stored is to have; refused with 400 where there is no such file. */
export async function chosenPicture(
  tx: Tx,
  scope: Scope,
  next: Pick<StoredRow<typeof item>, 'id' | 'picture'>,
  before: Pick<StoredRow<typeof item>, 'id' | 'picture'> | undefined,
): Promise<{ readonly picture: string | null } | { readonly errors: FieldErrors }> {
  const named = next.picture
  if (typeof named !== 'string') return { picture: null }
  if (isKept(scope, named, before)) return { picture: before?.picture ?? null }
  const file = isUploadedFile(named)
    ? await tx.get<{ type: string }>(
        sql`SELECT "type" AS type FROM uploaded_file WHERE ${mayUse(userOf(scope), named, tx.now)}`,
      )
    : undefined
  if (!file) return { errors: noFile }
  if (!kinds.includes(file.type)) return { errors: { picture: ['A picture is a PNG, JPEG or GIF file.'] } }
  return { picture: filePrefix + fileIdIn(named) }
}

/** Keeps the file of an item's picture with the item, and no other; 400 where its day is over meanwhile. */
export async function keepPicture(
  tx: Tx,
  scope: Scope,
  { id, picture }: Pick<StoredRow<typeof item>, 'id' | 'picture'>,
  before: Pick<StoredRow<typeof item>, 'id' | 'picture'> | undefined,
): Promise<void> {
  if (picture === (before?.picture ?? null)) return
  const { organizer } = scope.place
  if (before) await forgetPictures(tx, organizer, sql`${id}`)
  if (picture === null) return
  const user = userOf(scope)
  const kept = await takeFile(tx, mayUse(user, picture, tx.now), { organizer, item: id }, user.uploader)
  if (!kept) throw invalid(noFile)
}

/** Gives up the files of items that are deleted; which ones, a list or a query of ids says. */
export async function forgetPictures(tx: Tx, organizer: number, items: Sql): Promise<void> {
  await releaseFiles(tx, sql`organizer = ${organizer} AND item IN (${items})`)
}

/** Deletes the files of all items of an event that is deleted, before the items are. */
export const forgetEventPictures = (tx: Tx, { organizer, event }: Place): Promise<void> =>
  forgetPictures(
    tx,
    organizer,
    sql`SELECT id FROM item WHERE organizer = ${organizer} AND event = ${event} AND picture IS NOT NULL`,
  )

/** Copies the picture of an item for another one of the same organizer; its name, or null where there is none. */
export async function copyPicture(
  tx: Tx,
  organizer: number,
  from: number,
  to: number,
): Promise<string | null> {
  const id = newFileId(tx)
  const copied = await tx.run(
    sql`INSERT INTO uploaded_file (organizer, id, upload, uploader, name, "type", content, created, bytes, item)
        SELECT organizer, CAST(${id} AS TEXT), CAST(${id} AS TEXT), '', name, "type", content, CAST(${tx.now} AS TEXT), bytes,
          CAST(${to} AS BIGINT)
        FROM uploaded_file WHERE organizer = ${organizer} AND item = ${from}`,
  )
  return copied === 1 ? filePrefix + id : null
}

/** The picture of an item, or undefined where this server does not have it. */
export async function pictureOf(
  db: Queryable,
  organizer: number,
  item: number,
): Promise<UploadedFile | undefined> {
  const found = await db.get<{ name: string; type: string; content: string }>(
    sql`SELECT name, "type" AS type, content FROM uploaded_file WHERE organizer = ${organizer} AND item = ${item}`,
  )
  return found && { name: found.name, type: found.type, bytes: Buffer.from(found.content, 'base64') }
}
