import { statfs } from 'node:fs/promises'
import { StrangeDatabase } from './migrate.ts'

/** File systems of other machines by the numbers that Linux has for them, from its `magic.h`. */
const networkDisks: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
])

const diskOf = async (folder: string): Promise<number> => (await statfs(folder)).type

/**
 * Refuses a folder on a disk of another machine: SQLite's locks and its log beside the file do not work there, and what
 * was acknowledged could be lost.
 */
export async function refuseNetworkDisk(folder: string, typeOf = diskOf): Promise<void> {
  // Windows names other machines in the path.
  const name = /^[\\/]{2}[^\\/?.]/.test(folder) ? 'SMB' : networkDisks.get((await typeOf(folder)) >>> 0)
  if (name === undefined) return
  throw new StrangeDatabase(
    `The data folder ${folder} is on a disk of another machine (${name}), where a database loses what it has confirmed. Choose a folder on a disk of this machine with --data, or use PostgreSQL with --database.`,
  )
}
