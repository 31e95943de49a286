import { device } from '../../../schema/resources/devices/device.ts'
import type { RowData } from '../../resource/codec.ts'
import type { Tx } from '../../resource/transactions.ts'

/** On a hub, has the server above told of a device that was made or changed here; the row as it is by then. */
export function tellOfDevice(tx: Tx, organizer: number, row: RowData): void {
  tx.fact({ organizer, event: 0 }, null, { kind: device.name, payload: { row } })
}
