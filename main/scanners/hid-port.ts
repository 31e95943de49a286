import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ShellLog } from '../common/log.ts'

/** What the system says about a HID device. */
export interface HidDevice {
  readonly vendorId: number
  readonly productId: number
  readonly path?: string | undefined
  readonly manufacturer?: string | undefined
  readonly product?: string | undefined
  readonly usagePage?: number | undefined
  readonly usage?: number | undefined
}

/** An open device. */
export interface HidConnection {
  onReport(act: (report: Uint8Array) => void): void
  /** The device cannot be read any more: unplugged, mostly. */
  onError(act: (error: Error) => void): void
  sendFeatureReport(report: readonly number[]): Promise<void>
  close(): Promise<void>
}

/** Access to the machine's HID devices. */
export interface HidPort {
  devices(): Promise<readonly HidDevice[]>
  open(path: string): Promise<HidConnection>
  /** The device's report descriptor, where the system lets it be read. */
  descriptor(path: string): Promise<Uint8Array | null>
  /** Calls `act` when a device may have come or gone, where the system says so. Returns what ends that. */
  onHint(act: () => void): () => void
}

/** The part of node-hid that is used here. */
export type HidLibrary = Pick<typeof import('node-hid'), 'devicesAsync' | 'getHidapiVersion'> & {
  readonly HIDAsync: Pick<typeof import('node-hid').HIDAsync, 'open'>
}

/**
 * The machine's devices through node-hid. Null, with a message, where it cannot be loaded: a station without
 * it still reads keyboard scanners and the camera.
 */
export async function loadHidPort(
  log: ShellLog,
  load: () => Promise<HidLibrary> = () => import('node-hid'),
): Promise<HidPort | null> {
  try {
    const { HIDAsync, devicesAsync, getHidapiVersion } = await load()
    // The native part is loaded by the first call, not by the import.
    getHidapiVersion()
    return {
      devices: () => devicesAsync(),
      async open(path) {
        const device = await HIDAsync.open(path)
        return {
          onReport: (act) => void device.on('data', act),
          onError: (act) => void device.on('error', act),
          async sendFeatureReport(report) {
            await device.sendFeatureReport([...report])
          },
          close: () => device.close(),
        }
      },
      descriptor: readLinuxDescriptor,
      onHint: watchLinuxDevices,
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const advice = why.includes('libusb') ? ' (on Debian: apt install libusb-1.0-0)' : ''
    log(`USB scanners in HID POS mode are not read, because node-hid cannot be loaded: ${why}${advice}`)
    return null
  }
}

async function readLinuxDescriptor(path: string): Promise<Uint8Array | null> {
  if (process.platform !== 'linux') return null
  try {
    return await readFile(`/sys/class/hidraw/${basename(path)}/device/report_descriptor`)
  } catch {
    return null
  }
}

// hidapi tells nothing about plugging in; on Linux the new device file does.
function watchLinuxDevices(act: () => void): () => void {
  if (process.platform !== 'linux') return () => {}
  try {
    const watcher = watch('/dev', { persistent: false }, (_event, name) => {
      if (name?.startsWith('hidraw')) act()
    })
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    return () => {}
  }
}
