import type { StoredRow } from '../../../schema/resource.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import type { Tx } from '../../resource/transactions.ts'

/** On a hub, has the server above told of a device that was made or changed here; the row as it is by then. */
export function tellOfDevice(tx: Tx, organizer: number, row: StoredRow<typeof device>): void {
  tx.fact({ organizer, event: 0 }, null, { kind: device.name, payload: { row } })
}
