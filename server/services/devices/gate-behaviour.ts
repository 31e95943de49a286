import { gate } from '../../../schema/resources/devices/gate.ts'
import type { Behaviour } from '../../resource/api.ts'
import { identifierFor } from '../codes/identifiers.ts'

/** What gates must keep to. */
export const gateBehaviour: Behaviour<typeof gate> = {
  async prepare(tx, scope, { next, before }) {
    return { ...next, identifier: await identifierFor(tx, gate, scope.place, { next, before }) }
  },
}
