import type { Sql } from 'sql-template-tag'
import type { Database, Queryable, TurnOfTransaction } from '../storage/database.ts'
import type { Actor } from './actor.ts'
import type { Fact, Stamp } from './facts.ts'

/** A webhook that something is to be sent to. */
export interface Receiver {
  readonly organizer: number
  readonly webhook: number
}

/** Where a row lives: an organizer, and an event of it or none. */
export interface Place {
  readonly organizer: number
  /** 0 for what belongs to the organizer itself. */
  readonly event: number
}

/** One entry of the audit trail, written with the change it describes. */
export interface AuditEntry {
  readonly action: string
  readonly resource: string
  readonly row: number
  readonly data?: unknown
}

/** A transaction in progress: statements, ids, the time, and what becomes of its changes at commit. */
export interface Tx extends Queryable {
  /** The moment of the transaction: 27 characters, UTC. */
  readonly now: string
  readonly site: number
  /** Appended to a SELECT to keep others from changing its rows until the commit. */
  readonly forUpdate: Sql
  nextId(): number
  randomBytes(count: number): Uint8Array
  /** Enters a row into the change feed of its place. */
  changed(place: Place, resource: string, row: number, op: 'put' | 'delete'): void
  audit(place: Place, actor: Actor, entry: AuditEntry): void
  /**
   * On a node below another one: reports what happened here to the upstream server; the nonce by which it is known
   * there. Elsewhere this does nothing and gives null.
   */
  fact(place: Place, device: number | null, fact: Fact): string | null
  /** What the machine's clocks show, where facts are reported to an upstream server; elsewhere null. */
  stamp(): Stamp | null
}

/** What is done in a transaction once all that goes with its work is written, such as the audit trail. */
export type Finish<T> = (tx: Tx, value: T) => Promise<void>

/** How a transaction is carried out beside what it does. */
export interface Terms<T> extends Pick<TurnOfTransaction, 'isUrgent'> {
  readonly finish?: Finish<T>
}

/** Runs transactions that keep the change feed and the audit trail. */
export interface Transactions {
  readonly database: Database
  readonly site: number
  write<T>(work: (tx: Tx) => Promise<T>, terms?: Terms<T>): Promise<T>
  /** A moment before which every change made here is committed: what a reader may continue from later. */
  horizon(): string
  /** Gives back the ids that were taken and not used, before the database is closed. */
  release(): Promise<void>
  /** Calls back after each commit that changed something, with the places changed. */
  onCommit(listener: (changes: readonly Change[]) => void): () => void
  /** Calls back after each commit that has something to tell to webhooks, with those. */
  onQueued(listener: (receivers: readonly Receiver[]) => void): () => void
}

/** A row that a commit has changed. */
export interface Change {
  readonly place: Place
  readonly resource: string
  readonly row: number
  readonly op: 'put' | 'delete'
}
