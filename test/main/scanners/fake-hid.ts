import type { HidConnection, HidDevice, HidPort } from '../../../main/scanners/hid-port.ts'

/** A scanner that a test plugs in, scans with and pulls out. */
interface FakeScanner {
  readonly device: HidDevice
  readonly featureReports: (readonly number[])[]
  opened: number
  closed: number
  send(report: Uint8Array): void
  fail(message: string): void
}

/** HID devices made of nothing. */
interface FakeHid {
  readonly port: HidPort
  looks(): number
  plugIn(path: string, more?: Partial<HidDevice>): FakeScanner
  pullOut(path: string): void
  /** The next attempts to list or to open fail with this message; null ends that. */
  refuse(what: 'devices' | 'open', message: string | null): void
  describe(path: string, descriptor: Uint8Array): void
  hint(): void
  hintsEnded(): boolean
}

/** Makes a machine without any device. */
export function makeFakeHid(): FakeHid {
  const scanners = new Map<string, FakeScanner>()
  const descriptors = new Map<string, Uint8Array>()
  const refusals = new Map<'devices' | 'open', string>()
  let looks = 0
  let hint: (() => void) | null = null

  const listeners = new Map<
    FakeScanner,
    { report: (report: Uint8Array) => void; error: (error: Error) => void }
  >()

  function connect(scanner: FakeScanner): HidConnection {
    scanner.opened++
    const heard = { report: (_report: Uint8Array) => {}, error: (_error: Error) => {} }
    listeners.set(scanner, heard)
    return {
      onReport(act) {
        heard.report = act
      },
      onError(act) {
        heard.error = act
      },
      async sendFeatureReport(report) {
        scanner.featureReports.push(report)
      },
      async close() {
        scanner.closed++
        listeners.delete(scanner)
      },
    }
  }

  return {
    port: {
      async devices() {
        looks++
        const refusal = refusals.get('devices')
        if (refusal !== undefined) throw new Error(refusal)
        return [...scanners.values()].map(({ device }) => device)
      },
      async open(path) {
        const scanner = scanners.get(path)
        const refusal = refusals.get('open') ?? (scanner ? undefined : `cannot open device with path ${path}`)
        if (scanner === undefined || refusal !== undefined) throw new Error(refusal)
        return connect(scanner)
      },
      descriptor: async (path) => descriptors.get(path) ?? null,
      onHint(act) {
        hint = act
        return () => {
          hint = null
        }
      },
    },
    looks: () => looks,
    plugIn(path, more = {}) {
      const device = {
        vendorId: 0x1eab,
        productId: 0x10,
        path,
        product: path,
        usagePage: 0x8c,
        usage: 2,
        ...more,
      }
      const scanner: FakeScanner = {
        device,
        featureReports: [],
        opened: 0,
        closed: 0,
        send: (report) => listeners.get(scanner)?.report(report),
        fail: (message) => listeners.get(scanner)?.error(new Error(message)),
      }
      scanners.set(path, scanner)
      return scanner
    },
    pullOut: (path) => void scanners.delete(path),
    refuse(what, message) {
      if (message === null) refusals.delete(what)
      else refusals.set(what, message)
    },
    describe: (path, descriptor) => void descriptors.set(path, descriptor),
    hint: () => hint?.(),
    hintsEnded: () => hint === null,
  }
}
