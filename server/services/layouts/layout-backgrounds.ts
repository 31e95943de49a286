import sql from 'sql-template-tag'
import { layoutBackground } from '../../../schema/resources/layouts/layout-background.ts'
import { isUploadedFile } from '../../domain/questions/answer-values.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { findRow, findRows, insertRow, removeRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { fileIdIn, filePrefix, mayUse, newFileId, uploaderOf } from '../input/uploads.ts'

/** A layout of badges or tickets, as far as its background goes. */
interface Backed {
  readonly id: number
  readonly background: string | null
}

/** Where the layouts of a kind are found: the address of the server, and the path of the collection. */
export interface LayoutSite {
  readonly origin: string
  readonly collection: string
}

/**
 * The address of a layout's background. What stands behind the `#` differs for another file, so that whoever has stored
 * the file by its address fetches the new one.
 */
export const backgroundAddress = ({ origin, collection }: LayoutSite, { id, background }: Backed): string =>
  `${origin}${collection}${id}/background/#etag=${background?.slice(filePrefix.length) ?? 'blank'}`

/** Whether a text says that the background stays: by the word for it, its name, or its address at any server. */
function isKept(text: string, before: Backed | undefined, collection: string): boolean {
  if (text === `${filePrefix}keep`) return true
  if (!before) return false
  return text === before.background || URL.parse(text)?.pathname === `${collection}${before.id}/background/`
}

const refused = (message: string): FieldErrors => ({ background: [message] })

/** The background that a layout which is about to be stored is to have; refused with 400 where there is no such file. */
export async function chosenBackground(
  tx: Tx,
  scope: Scope,
  collection: string,
  { next, before }: { readonly next: Backed; readonly before: Backed | undefined },
): Promise<{ readonly background: string | null } | { readonly errors: FieldErrors }> {
  const { background: named } = next
  if (named === null) return { background: null }
  if (isKept(named, before, collection)) return { background: before?.background ?? null }
  const file = isUploadedFile(named)
    ? await tx.get<{ type: string }>(
        sql`SELECT "type" AS type FROM uploaded_file WHERE ${mayUse(userOf(scope), named, tx.now)}`,
      )
    : undefined
  if (!file) return { errors: refused('The submitted file ID was not found.') }
  if (file.type !== 'application/pdf')
    return { errors: refused('The submitted file has a file type that is not allowed in this field.') }
  return { background: filePrefix + fileIdIn(named) }
}

const userOf = ({ actor, place }: Scope) => ({ organizer: place.organizer, uploader: uploaderOf(actor) })

/** Turns an uploaded file into the background of a layout that was stored; 400 where its day is over meanwhile. */
export async function keepBackground(
  tx: Tx,
  scope: Scope,
  { id, background }: Backed,
  before: Backed | undefined,
): Promise<void> {
  if (background === (before?.background ?? null)) return
  if (before) await forgetBackground(tx, scope.place, id)
  if (background === null) return
  const mine = mayUse(userOf(scope), background, tx.now)
  const file = await tx.get<{ content: string }>(
    sql`SELECT content FROM uploaded_file WHERE ${mine} ORDER BY id LIMIT 1`,
  )
  if (!file) throw invalid(refused('The submitted file ID was not found.'))
  await insertRow(tx, layoutBackground, scope.place, { id: tx.nextId(), layout: id, content: file.content })
}

/** Deletes the background of a layout. */
export async function forgetBackground(tx: Tx, place: Place, layout: number): Promise<void> {
  for (const { id } of await findRows(tx, layoutBackground, place, { where: sql`"layout" = ${layout}` }))
    await removeRow(tx, layoutBackground, place, id)
}

/** Copies the background of a layout for one of another event of the organizer; its name, or null without one. */
export async function copyBackground(
  tx: Tx,
  { from, to }: { readonly from: Place; readonly to: Place },
  layouts: { readonly from: number; readonly to: number },
): Promise<string | null> {
  const found = await findRow(tx, layoutBackground, from, { layout: layouts.from })
  if (!found) return null
  await insertRow(tx, layoutBackground, to, { ...found, id: tx.nextId(), layout: layouts.to })
  return filePrefix + newFileId(tx)
}

/** The PDF that a layout is printed on, undefined where it has none of its own. */
export async function backgroundOf(db: Queryable, place: Place, layout: number): Promise<Buffer | undefined> {
  const found = await findRow(db, layoutBackground, place, { layout })
  return found && Buffer.from(found.content, 'base64')
}
