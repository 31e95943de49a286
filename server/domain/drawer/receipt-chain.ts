import { hash } from 'node:crypto'
import type { ReceiptType } from '../../../schema/receipt-words.ts'
import type { ReceiptLine, ReceiptPayment } from './receipts.ts'

/** What new receipts and closings are hashed by: from version 2 on a receipt also says by what it is to be signed. */
export const hashVersion = 2

/** The hash that stands before the first one of a chain. */
export const chainBeginning = ''

/** What a receipt says, as it is hashed: amounts are in hundredths, times 27 characters in UTC. */
export interface ReceiptContent {
  /** A chain is that of a till at one node. */
  readonly till: number
  readonly site: number
  /** From 1, without gaps. */
  readonly number: number
  readonly type: ReceiptType
  readonly drawer: number
  readonly event: string | null
  readonly order: string | null
  readonly cashier: string
  readonly staff: number | null
  readonly started: string
  readonly ended: string
  readonly training: boolean
  readonly currency: string
  readonly total: number
  readonly lines: readonly ReceiptLine[]
  readonly payments: readonly ReceiptPayment[]
  /** The id of the receipt that it takes back, wholly or in part. */
  readonly reverses: number | null
  readonly reason: string
  /** By what it is to be signed; missing in version 1. */
  readonly signing?: string
}

/** One link of a chain, whatever it says. */
export interface ChainLink<T> {
  readonly number: number
  readonly previous_hash: string
  readonly hash: string
  readonly hash_version: number
  readonly content: T
}

/** JSON with the keys of every object in their order, so that one content has one text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`
}

/** The hash of a content by the hash before it; null for a version that this program does not know. */
export function chainHash(version: number, previous: string, content: object): string | null {
  if (version !== 1 && version !== hashVersion) return null
  return hash('sha256', `${version}\n${previous}\n${canonical(content)}`, 'hex')
}

/** What is wrong with a chain, and at which number. */
export interface ChainFault {
  readonly number: number
  readonly problem: 'missing' | 'twice' | 'changed' | 'unlinked' | 'unknown_version'
}

/** What is wrong with the links of one chain, the lowest number first. */
export function verifyChain<T extends object>(links: readonly ChainLink<T>[]): ChainFault[] {
  const faults: ChainFault[] = []
  let before = { number: 0, hash: chainBeginning }
  for (const link of [...links].sort((a, b) => a.number - b.number)) {
    const { number, previous_hash, content, hash_version } = link
    if (number === before.number) faults.push({ number, problem: 'twice' })
    for (let gap = before.number + 1; gap < number; gap += 1) faults.push({ number: gap, problem: 'missing' })
    const follows = number === before.number + 1
    if (follows && previous_hash !== before.hash) faults.push({ number, problem: 'unlinked' })
    const expected = chainHash(hash_version, previous_hash, content)
    if (expected === null) faults.push({ number, problem: 'unknown_version' })
    else if (expected !== link.hash) faults.push({ number, problem: 'changed' })
    before = link
  }
  return faults
}
