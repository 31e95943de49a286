/** How a server is run. */
export interface Config {
  /** A folder that holds the SQLite database, `:memory:`, or a `postgres://` address. */
  readonly database: string
  readonly host: string
  /** 0 lets the system choose a free one. */
  readonly port: number
  /** The secret of this machine's own screens, or null for a server without any. */
  readonly stationKey: string | null
}
