import { join, resolve } from 'node:path'
import type { MailRoute } from './jobs/mailer.ts'

/** Whether an address is that of a server that speaks PostgreSQL's language. */
export const isPostgres = (address: string): boolean => /^postgres(ql)?:\/\//.test(address)

/** The folder that an address of a database names, or null where it names none. */
export const folderIn = (address: string): string | null =>
  address === ':memory:' || isPostgres(address) ? null : address

/** An address of a database as it may be shown. */
export function publicAddress(address: string): string {
  const url = isPostgres(address) ? URL.parse(address) : null
  if (!url) return address
  url.password = ''
  // Words after the question mark may be a password as well.
  url.search = ''
  return url.href
}

/** Where the database lies in a data folder. */
export const fileIn = (folder: string): string => join(folder, 'gatehouse.sqlite')

/** What a server holds in a data folder for as long as it runs. */
export const lockIn = (folder: string): string => join(folder, 'serving.lock')

/** How mails go: as the server was configured, else into files in its data folder; null where it has none. */
export function mailRoute(config: {
  readonly database: string
  readonly mail?: { readonly route?: MailRoute }
}): MailRoute | null {
  if (config.mail?.route) return config.mail.route
  const folder = folderIn(config.database)
  return folder === null ? null : { kind: 'folder', folder: join(folder, 'mails') }
}

/** Where exports read from and write to; what only this program has is read by itself. */
export function exportPlaces(config: { readonly database: string; readonly exportsFolder?: string }) {
  const { database, exportsFolder } = config
  const folder = folderIn(database)
  const own = exportsFolder === undefined ? null : resolve(exportsFolder)
  if (folder !== null)
    return { data: { kind: 'sqlite', file: fileIn(folder) }, folder: own ?? join(folder, 'exports') } as const
  const data = isPostgres(database) ? ({ kind: 'postgres', address: database } as const) : null
  return { data, folder: own }
}
