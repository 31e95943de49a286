import type { KeyObject } from 'node:crypto'
import { microsecondsOf } from '../../../schema/instants.ts'
import type { SignatureScheme } from '../../../schema/resources/checkin/event-key.ts'
import type { Sealed, TicketContent } from './content.ts'
import { openGatehouse, sealGatehouse } from './gatehouse.ts'
import { isSignedBy } from './keys.ts'
import { openPretix, sealPretix } from './pretix.ts'

/** A ticket that says by itself what it is for, and by whose word. */
export interface SignedTicket extends TicketContent {
  readonly scheme: SignatureScheme
  /** The number of the key that signed it. */
  readonly key_id: number
}

/** A public key of an event. */
export interface TicketKey {
  readonly scheme: SignatureScheme
  readonly key_id: number
  readonly key: KeyObject
  /** From when until when it signs; what it signed stays valid. */
  readonly created: string
  readonly retired: string | null
}

/** Clocks of servers that take turns in signing differ a little. */
const clockTolerance = 600e6

const opened = (code: string): readonly [SignatureScheme, Sealed] | undefined => {
  const ours = openGatehouse(code)
  if (ours) return ['gatehouse_1', ours]
  const theirs = openPretix(code)
  return theirs && ['pretix_sig1', theirs]
}

/** Whether a code has the form of a signed ticket, whoever signed it. Costs next to nothing for all others. */
export const looksSigned = (code: string): boolean => opened(code) !== undefined

/**
 * What a code says, when one of the keys has signed it. One ticket has one spelling only: whatever differs from what
 * was issued by as little as a letter's case is undefined, so that a ticket can be known again by its code.
 */
export function verifyTicket(code: string, keys: readonly TicketKey[]): SignedTicket | undefined {
  const [scheme, sealed] = opened(code) ?? []
  if (!scheme || !sealed) return undefined
  const signer = keys.find(
    (one) =>
      one.scheme === scheme &&
      (sealed.keyId === null || sealed.keyId === one.key_id) &&
      isSignedBy(sealed.signed, sealed.signature, one.key),
  )
  const content = signer && sealed.read()
  if (!content || !wasInUse(signer, content.issued)) return undefined
  return { ...content, scheme, key_id: signer.key_id }
}

/** A key that was retired signs nothing new, whoever may have got hold of it. */
function wasInUse({ created, retired }: TicketKey, issued: string | null): boolean {
  if (issued === null) return true
  const at = microsecondsOf(issued)
  return (
    at >= microsecondsOf(created) - clockTolerance &&
    (retired === null || at <= microsecondsOf(retired) + clockTolerance)
  )
}

/** The code of a ticket, signed with the private key of a number. `seed` is chance: 16 bytes of it. */
export function signTicket(
  scheme: SignatureScheme,
  content: TicketContent,
  seed: Uint8Array,
  key: { readonly key_id: number; readonly key: KeyObject },
): string {
  switch (scheme) {
    case 'pretix_sig1':
      return sealPretix(content, seed, key.key)
    case 'gatehouse_1':
      return sealGatehouse(content, seed, key.key_id, key.key)
  }
}
