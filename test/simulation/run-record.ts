import type { ListName } from './plan/plan.ts'

/** A ticket that somebody holds: its codes, the first one first, and the order it is of. */
interface HeldTicket {
  readonly name: string
  readonly codes: string[]
  readonly order: string
  readonly position: number
  readonly product: 'plain' | 'scarce'
  /** Sold at a station's own risk. */
  readonly atRisk: boolean
}

/** What a station has shown to somebody who had a ticket read. */
interface Shown {
  readonly time: number
  readonly machine: string
  /** How often the disk of the machine had been put back by then: what it showed before may be forgotten. */
  readonly life: number
  readonly ticket: string
  readonly code: string
  readonly list: ListName
  readonly type: 'entry' | 'exit'
  readonly force: boolean
  readonly nonce: string
  readonly status: string
  readonly reason: string | null
}

/** A sale with a key, and what whoever sells was answered. */
export interface KeyedSale {
  /** How often the disk of its machine had been put back, and its program been started, at the last attempt. */
  life: number
  boot: number
  attempts: number
  /** Codes of the orders that it was acknowledged with: more than one is wrong unless a disk has lost one. */
  readonly orders: string[]
  /** The disk of its machine was put back between two attempts, perhaps to before the first. */
  mayDiffer: boolean
}

/** What people have been told in a run, to be held against what is known in the end. */
export interface RunRecord {
  readonly tickets: Map<string, HeldTicket>
  readonly shown: Shown[]
  /** Nonces of entries that were taken back, and when. */
  readonly undone: Map<string, number>
  /** Nonces of scans that went with disks that were put back, so that nobody can tell of them any more. */
  readonly gone: Set<string>
  /** Codes of orders that somebody was told to have bought, and what whoever sold them had heard of; see heard. */
  readonly sold: Map<string, number>
  readonly goneOrders: Set<string>
  /** By hash, receipts and closings that tills have printed: what each is. */
  readonly printed: Map<string, string>
  /** Hashes of those that went with disks. */
  readonly goneReceipts: Set<string>
  /** By key. */
  readonly sales: Map<string, KeyedSale>
  /** By key, money that is given back: of which order, and how often that was asked for. */
  readonly refunds: Map<string, { readonly order: string; readonly attempts: number }>
  readonly lives: Map<string, number>
  /** Codes that were revoked, and are the codes of their tickets again since central was put back to before that. */
  readonly goodAgain: Set<string>
  /** Machines whose access somebody has taken away: they give up what they hold, and stay so. */
  readonly revoked: Set<string>
  /** Leases that central had given and knew nothing of any more when it was put back, and when that was. */
  readonly forgotten: Map<number, number>
  /** By machine: it has heard what central forgot, if that was before this moment. */
  readonly heard: Map<string, number>
  /** What went wrong, as it was noticed. */
  readonly wrongs: string[]
  /** States that were reached. */
  readonly reached: Set<string>
}

/** A ledger in which only the tickets from the beginning are written. */
export function openRunRecord(first: readonly string[]): RunRecord {
  const held = first.map(
    (name, index): HeldTicket => ({
      name,
      codes: [`secret${name}`],
      order: `ORD${index - (index % 2)}`,
      position: 0,
      product: 'plain',
      atRisk: false,
    }),
  )
  return {
    tickets: new Map(held.map((ticket) => [ticket.name, ticket])),
    shown: [],
    undone: new Map(),
    gone: new Set(),
    sold: new Map(),
    goneOrders: new Set(),
    printed: new Map(),
    goneReceipts: new Set(),
    sales: new Map(),
    refunds: new Map(),
    lives: new Map(),
    goodAgain: new Set(),
    revoked: new Set(),
    forgotten: new Map(),
    heard: new Map(),
    wrongs: [],
    reached: new Set(),
  }
}

/** Of a station: what it has shown must fit what it showed before; what is wrong with it, or undefined. */
export function wrongWith(record: RunRecord, shown: Shown): string | undefined {
  if (shown.status !== 'ok' || shown.force) return undefined
  const before = record.shown.filter(
    (one) => one !== shown && one.machine === shown.machine && one.life === shown.life,
  )
  const revoked = before.find((one) => one.code === shown.code && one.reason === 'revoked')
  if (revoked && !record.goodAgain.has(shown.code))
    return `${shown.machine} admits ${shown.code}, which it has shown as revoked at ${revoked.time}`
  if (shown.type !== 'entry' || shown.list !== 'once') return undefined
  const again = before.find(
    (one) =>
      one.ticket === shown.ticket &&
      one.list === 'once' &&
      one.type === 'entry' &&
      one.status === 'ok' &&
      one.nonce !== shown.nonce &&
      !record.undone.has(one.nonce),
  )
  if (again) return `${shown.machine} admits ${shown.ticket} twice, at ${again.time} and ${shown.time}`
  const used = before.find(
    (one) => one.ticket === shown.ticket && one.list === 'once' && one.reason === 'already_redeemed',
  )
  // Whoever was in by then may have been taken out again, at whatever station.
  const since = record.shown.some(
    (one) => one.ticket === shown.ticket && one.list === 'once' && record.undone.has(one.nonce),
  )
  if (used && !since)
    return `${shown.machine} admits ${shown.ticket}, which it has shown as used at ${used.time}`
  return undefined
}
