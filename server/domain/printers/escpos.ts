import type { StatusDialect, StatusTrouble } from './status-dialect.ts'

/** Asks a printer how it is: answered at once with a byte each, also while it is offline (DLE EOT 1, 2 and 4). */
export const statusRequest = Uint8Array.of(0x10, 0x04, 1, 0x10, 0x04, 2, 0x10, 0x04, 4)

/** How many bytes it answers to that. */
const statusLength = 3

/** Asks a printer for a byte that it sends once everything before was printed (GS r 1). */
export const printedRequest = Uint8Array.of(0x1d, 0x72, 1)

/** Opens the drawer at a pin: 100 ms on, 500 ms off (ESC p). */
export const drawerPulse = (pin: 0 | 1): Uint8Array => Uint8Array.of(0x1b, 0x70, pin, 50, 250)

/** How printers that speak ESC/POS say how they are. */
export const escposStatus: StatusDialect = {
  request: statusRequest,
  isWhole: (heard) => heard.length >= statusLength,
  trouble: troubleIn,
  isBusy: () => false,
  printedRequest,
}

/**
 * What a printer's answer to `statusRequest` says; null where nothing is wrong. The bits are those of Epson's "ESC/POS
 * Application Programming Guide", DLE EOT.
 */
function troubleIn([printer = 0, cause = 0, paper = 0]: readonly number[]): StatusTrouble | null {
  if ((paper & 0x60) !== 0 || (cause & 0x20) !== 0) return 'paper'
  if ((cause & 0x04) !== 0) return 'open'
  return (printer & 0x08) !== 0 || (cause & 0x40) !== 0 ? 'offline' : null
}
