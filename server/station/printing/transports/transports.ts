import type { PrinterWay } from '../../../../schema/bodies/printer-profiles.ts'
import { deviceTransport } from './device.ts'
import { folderTransport } from './folder.ts'
import { ippTransport } from './ipp.ts'
import { tcpTransport } from './tcp.ts'
import type { Transport } from './transport.ts'
import { windowTransport } from './window.ts'
import { windowsTransport } from './windows.ts'

/** The ways to printers. */
export const transports: Readonly<Record<PrinterWay, Transport>> = {
  ...{ tcp: tcpTransport, ipp: ippTransport, device: deviceTransport },
  ...{ windows: windowsTransport, window: windowTransport, folder: folderTransport },
}
