import type { Env } from '../../env.ts'
import { type Initialized, initialize, joiningRow, type UpstreamPairing } from './joining.ts'
import type { Upstream } from './upstream.ts'

/** Has servers let this node in, each with a token that can be used only once. */
interface Initializer {
  /** The row of a server that has let this node in: by now, or before if that is not stored yet. */
  by(pairing: UpstreamPairing): Promise<Upstream>
  /** What was learned is on the disk. */
  stored(): void
}

/**
 * Keeps what a server has answered until it is on the disk: a disk that is full or busy at that moment takes it later,
 * and nobody has to make another device for that.
 */
export function createInitializer(env: Env, softwareVersion: string): Initializer {
  let known: { readonly url: string; readonly token: string; readonly device: Initialized } | null = null
  return {
    async by(pairing) {
      const { url, token } = pairing
      if (known?.url !== url || known.token !== token)
        known = { url, token, device: await initialize(env, pairing, softwareVersion) }
      return joiningRow(pairing, known.device)
    },
    stored() {
      known = null
    },
  }
}
