import { join } from 'node:path'

/** Whether an address is that of a server that speaks PostgreSQL's language. */
export const isPostgres = (address: string): boolean => /^postgres(ql)?:\/\//.test(address)

/** The folder that an address of a database names, or null where it names none. */
export const folderIn = (address: string): string | null =>
  address === ':memory:' || isPostgres(address) ? null : address

/** Where the database lies in a data folder. */
export const fileIn = (folder: string): string => join(folder, 'gatehouse.sqlite')
