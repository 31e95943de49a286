import { profileNamed } from '../../../../schema/bodies/printer-profiles.ts'
import type { Transport } from './transport.ts'

/** Printers that the station's window knows: Electron prints without asking. What came out, it does not learn. */
export const windowTransport: Transport = {
  look: async ({ window }) => (window.isThere ? null : 'unreachable'),
  async print({ window }, { address, profile }, printout) {
    if (!window.isThere) return { kind: 'unsent', reason: 'unreachable' }
    const pages = await printout.pictures()
    const { dpi } = profileNamed(profile)
    return window.print(printout.name, { printer: address, dpi, pages }, () => printout.begin())
  },
}
