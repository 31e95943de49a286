import type { Database } from './storage/database.ts'

/** How a server is run. */
export interface Config {
  /** A folder that holds the SQLite database, `:memory:`, or a `postgres://` address. */
  readonly database: string
  readonly host: string
  /** 0 lets the system choose a free one. */
  readonly port: number
  /** The secret of this machine's own screens, or null for a server without any. */
  readonly stationKey: string | null
  /** The server to be let in by, where this one is below none yet. */
  readonly upstream?: {
    readonly url: string
    /** The one-time token of the device that this machine is to be. */
    readonly token: string
    readonly role: 'station' | 'hub'
  }
  /** Opens an empty SQLite database for a new copy, where the data is not in a folder: in memory unless given. */
  readonly openBeside?: () => Promise<Database>
}
