import type { SignedData } from '../../domain/drawer/signed-data.ts'

/** A transaction that a signing device has begun. */
export interface BegunSigning {
  readonly transaction: number
  readonly started: string
}

/** What a signing device says of a transaction that it has finished. */
export interface Signature extends BegunSigning {
  readonly serial: string
  readonly counter: number
  readonly finished: string
  readonly signature: string
}

/**
 * What signs the receipts of tills. Everything can fail or stay without an answer, and no sale waits for it; a device
 * that takes one after the other makes its own queue. A till is named by the same text each time.
 */
export interface SigningDevice {
  /** Makes a till known to it, once or again; the serial number of the device. */
  register(till: string): Promise<string>
  begin(till: string): Promise<BegunSigning>
  finish(till: string, begun: BegunSigning, data: SignedData): Promise<Signature>
  /** Everything that it has recorded, in its own form. */
  exportLog(): Promise<string>
}
