import type { HidDevice } from './hid-port.ts'

/** A device that can be opened as a scanner. */
export interface ScannerDevice {
  readonly path: string
  readonly name: string
  readonly vendorId: number
}

const POS_SCANNER_PAGE = 0x8c
// Bar code badge reader, bar code scanner, dumb bar code scanner.
const SCANNER_USAGES: readonly (number | undefined)[] = [1, 2, 3]

/**
 * Picks the scanners in HID POS mode out of the machine's devices: by what they say they are, because their
 * numbers change with their mode. A device with several collections under one path is given once.
 */
export function chooseScanners(devices: readonly HidDevice[]): readonly ScannerDevice[] {
  const scanners = new Map<string, ScannerDevice>()
  for (const device of devices) {
    if (device.usagePage !== POS_SCANNER_PAGE || !SCANNER_USAGES.includes(device.usage)) continue
    if (device.path === undefined || device.path === '' || scanners.has(device.path)) continue
    scanners.set(device.path, { path: device.path, name: nameDevice(device), vendorId: device.vendorId })
  }
  return [...scanners.values()]
}

function nameDevice(device: HidDevice): string {
  const maker = device.manufacturer?.trim() ?? ''
  const product = device.product?.trim() ?? ''
  const name = product.toLowerCase().startsWith(maker.toLowerCase()) ? product : `${maker} ${product}`.trim()
  if (name !== '') return name.slice(0, 100)
  const hex = (value: number) => value.toString(16).padStart(4, '0')
  return `Scanner ${hex(device.vendorId)}:${hex(device.productId)}`
}
