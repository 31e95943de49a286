import type { MailRoute } from './jobs/mailer.ts'
import type { Database } from './storage/database.ts'
import type { UpdateToInstall } from './sync/updates/updater.ts'

/** How a server is run. */
export interface Config {
  /** A folder that holds the SQLite database, `:memory:`, or a `postgres://` address. */
  readonly database: string
  readonly host: string
  /** 0 lets the system choose a free one. */
  readonly port: number
  /** The secret of this machine's own screens, or null for a server without any. */
  readonly stationKey: string | null
  /** The server to join, where this one has no upstream yet. */
  readonly upstream?: {
    readonly url: string
    /** The one-time token of the device that this machine is to be. */
    readonly token: string
    readonly role: 'station' | 'hub'
  }
  /** Networks, such as `10.0.0.0/8`, that webhooks may be in beside the public internet. */
  readonly webhookNetworks?: readonly string[]
  /** How many requests a minute each credential may make, and each address without one; no limit unless given. */
  readonly rateLimit?: number
  /** Whether requests come through one proxy, which says where from. */
  readonly behindProxy?: boolean
  /** Lets other machines see `/metrics`. */
  readonly metricsToken?: string
  /** Milliseconds for the head of a request and for all of it, where not the usual ones, and how often is looked. */
  readonly timeouts?: { readonly head: number; readonly whole: number; readonly look: number }
  /** How many connections there are at a time, from one address and in all, where not the usual numbers. */
  readonly connections?: { readonly each?: number; readonly all: number }
  /** How much waits for one address that does not read it, and for how long, where not the usual. */
  readonly answers?: { readonly each: number; readonly all: number; readonly patience: number }
  /**
   * The address by which browsers reach this server, without a slash at its end; else the one that each request names.
   */
  readonly publicUrl?: string
  /** Where files of exports are kept: in the data folder unless given, without one until the server stops. */
  readonly exportsFolder?: string
  /** How mails go and whom they come from: into the data folder unless given, and where there is none they wait. */
  readonly mail?: { readonly route?: MailRoute; readonly from?: string }
  /** What the server has to do with updates of the program; nothing unless given. */
  readonly updates?: {
    /** The folder or address where they lie, where not at the upstream server. */
    readonly place?: string
    /** The folder of this machine that they are kept in. */
    readonly folder: string
    /** Ends this server so that what has started it installs an update; missing where it is not updated by itself. */
    readonly install?: (update: UpdateToInstall) => void
    /** The version of the package that starts it, where not this one. */
    readonly base?: string
    /** The keys that are gone by, where not the program's own, and the bytes fetched in a second, where not the usual. */
    readonly keys?: readonly string[]
    readonly speed?: number
  }
  /** Opens an empty SQLite database for a new copy, where the data is not in a folder: in memory unless given. */
  readonly openBeside?: () => Promise<Database>
}
