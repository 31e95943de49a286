import type { Context } from 'koa'
import type { Sql } from 'sql-template-tag'
import type { Where } from '../../schema/actions/action.ts'
import type { EventSettings } from '../../schema/event-settings.ts'
import type { JsonObject } from '../../schema/fields.ts'
import type { Requirement } from '../../schema/permissions.ts'
import type { Resource, StoredRow } from '../../schema/resource.ts'
import type { Database } from '../storage/database.ts'
import type { Actor } from './actor.ts'
import type { Query } from './query.ts'
import type { ResourceCatalogue } from './references.ts'
import type { Place, Transactions, Tx } from './transactions.ts'

/** What a request needs to know of the event it is about. */
export interface EventFacts {
  readonly id: number
  readonly slug: string
  readonly timezone: string
  readonly locale: string
  readonly locales: readonly string[]
  readonly nameScheme: string
  readonly hasSubevents: boolean
  readonly currency: string
  readonly settings: EventSettings
}

/** Who asks. */
export interface Caller {
  readonly actor: Actor
  /** The scheme, host and port by which the caller reached this server; missing for commands. */
  readonly origin?: string
  /** By what the caller's address is counted; missing for commands. */
  readonly address?: string
}

/** Who asks, and about which organizer and event. */
export interface Scope extends Caller {
  readonly place: Place
  readonly organizer: { readonly id: number; readonly slug: string }
  /** Present on paths below an event. */
  readonly event: EventFacts | null
}

/** Who asks, and about which event. */
export interface ScopeInEvent extends Scope {
  readonly event: EventFacts
}

/** Who was admitted, and where, by what an endpoint is about. */
export interface Scopes extends Record<Where, Caller> {
  readonly server: Caller
  readonly organizer: Scope
  readonly event: ScopeInEvent
}

/** How callers are admitted, by what an endpoint is about. */
export type Admissions = {
  readonly [W in Where]: (ctx: Context, needs: Requirement) => Promise<Scopes[W]>
}

/** A body as it is expected. */
export interface WantedBody {
  /** The most bytes of it that are received, and unpacked. */
  readonly limit: number
  /** Whether the caller was admitted by a credential; others send little, and are counted by their address. */
  readonly from: 'credential' | 'anybody'
  /** See Endpoint. */
  readonly isScanned?: boolean
}

/** Receives the bodies of requests; throws 408, 413, 429 or 503 where one is too slow, too large or too much now. */
export interface BodyReader {
  /** As it came. */
  bytes(ctx: Context, wanted: WantedBody): Promise<Buffer>
  /** Unpacked where it came packed. */
  unpacked(ctx: Context, wanted: WantedBody): Promise<Buffer>
  /** What it says as JSON, or the refusal of what it says, to be thrown where it is asked for. */
  json(ctx: Context, wanted: WantedBody): Promise<unknown>
  /** Whether the rest of what somebody known sends, which nobody reads, is still received and forgotten. */
  isForgotten(ctx: Context): boolean
}

/** What the routes of every resource share. */
export interface Api {
  readonly bodies: BodyReader
  readonly transactions: Transactions
  readonly catalogue: ResourceCatalogue
  /** Let callers in that may do what is asked for, and say who they are and where; 401 and 403 for others. */
  readonly admissions: Admissions
  /**
   * On a node below another one: asks for more of what it may sell without asking, where that many of some quotas are
   * not at hand; whether more came.
   */
  readonly askForLeases?: (
    place: Place,
    needs: readonly { readonly quota: number; readonly count: number }[],
  ) => Promise<boolean>
  /** Waits until it is known what became of having a receipt signed, where that is under way here. */
  readonly receiptSettled?: (receipt: number) => Promise<void>
  /** See Config. */
  readonly publicUrl?: string
  /** Networks, such as `10.0.0.0/8`, that webhooks may be in beside the public internet. */
  readonly webhookNetworks?: readonly string[]
}

/** A row that is made or changed. */
export interface RowChange<R extends Resource = Resource> {
  readonly next: StoredRow<R>
  /** The row as it was, undefined for a new one. */
  readonly before: StoredRow<R> | undefined
  /** What was sent. */
  readonly body: JsonObject
}

/** What a resource does beyond the standard. */
export interface Behaviour<R extends Resource = Resource> {
  /** That a row is an event: paths name it as such, and whoever asks for it must be admitted to it. */
  readonly enters?: boolean
  /** Checks and completes the values about to be stored. */
  readonly prepare?: (tx: Tx, scope: Scope, change: RowChange<R>) => Promise<StoredRow<R>>
  /** What else happens in the transaction that stored a row; `next` is the row as it was stored. */
  readonly afterWrite?: (tx: Tx, scope: Scope, change: RowChange<R>) => Promise<void>
  /** Adds the computed fields of stored rows. */
  readonly present?: (
    db: Database | Tx,
    scope: Scope,
    rows: readonly StoredRow<R>[],
    query: Query,
  ) => Promise<readonly JsonObject[]>
  /** Whether a list shows what changes without its rows, so that it is never said to be unchanged. */
  readonly isLive?: (query: Query) => boolean
  /** Conditions of a list beyond the declared filters. */
  readonly conditions?: (scope: Scope, query: Query, now: string) => readonly Sql[]
  /** The order of a list where the declared words are not columns. */
  readonly order?: (query: Query, engine: 'sqlite' | 'postgres') => Sql
  /** Refuses a deletion, or does what has to be done before it. */
  readonly beforeDelete?: (tx: Tx, scope: Scope, row: StoredRow<R>) => Promise<void>
  /** What the audit trail keeps of values that were sent or changed, where that is not all of them. */
  readonly noted?: (values: Partial<StoredRow<R>>) => Partial<StoredRow<R>>
  /** The audit trail's word for this resource, where it is not the common one. */
  readonly action?: (done: 'added' | 'changed' | 'deleted') => string
}
