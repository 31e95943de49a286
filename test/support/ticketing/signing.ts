import { hash } from 'node:crypto'
import type { TicketContent } from '../../../server/domain/signed-tickets/content.ts'
import { keyPairFrom, readPrivateKey, readPublicKey } from '../../../server/domain/signed-tickets/keys.ts'
import type { TicketKey } from '../../../server/domain/signed-tickets/signed-ticket.ts'

/** Some bytes that are always the same for a number. */
export const seedOf = (n: number): Uint8Array => Buffer.from(hash('sha256', `seed ${n}`), 'hex')

/** Numbers that look like chance and are always the same. */
export function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 8
  }
}

/** A key under test, and what signs with it. */
interface TestKey extends TicketKey {
  readonly signer: { readonly key_id: number; readonly key: TicketKey['key'] }
  readonly publicText: string
}

/** Keys of both schemes with a number, always the same. */
export function keyOf(n: number): Readonly<Record<'pretix_sig1' | 'gatehouse_1', TestKey>> {
  const make = (scheme: 'pretix_sig1' | 'gatehouse_1'): TestKey => {
    const pair = keyPairFrom(seedOf(n * 1000 + (scheme === 'gatehouse_1' ? 1 : 0)))
    const key = readPublicKey(pair.publicKey)
    if (!key) throw new Error('A key of ours cannot be read.')
    return {
      scheme,
      key_id: n,
      key,
      created: '2020-01-01T00:00:00.000000Z',
      retired: null,
      signer: { key_id: n, key: readPrivateKey(pair.privateKey) },
      publicText: pair.publicKey,
    }
  }
  return { pretix_sig1: make('pretix_sig1'), gatehouse_1: make('gatehouse_1') }
}

/** A ticket that says nothing but its product. */
export const plain: TicketContent = {
  item: 12,
  variation: null,
  subevent: null,
  valid_from: null,
  valid_until: null,
  issued: null,
  position: null,
}
