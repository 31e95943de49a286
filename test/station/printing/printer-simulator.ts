import { type AddressInfo, createServer, type Socket } from 'node:net'
import { drawerPulse, printedRequest, statusRequest } from '../../../server/domain/printers/escpos.ts'
import { eplStatus, zplStatus } from '../../../server/domain/printers/label-status.ts'

/** How a receipt printer behaves. */
export type PrinterBehaviour =
  | 'prints'
  | 'has-no-paper'
  | 'is-open'
  | 'is-offline'
  /** Takes connections and says nothing. */
  | 'is-silent'
  /** Prints, and knows no question but how it is. */
  | 'knows-no-end'
  /** Has no paper any more in the middle of a document. */
  | 'runs-out'
  /** Takes a document and says nothing any more. */
  | 'stalls'
  /** Hangs up in the middle of a document. */
  | 'breaks-off'

/** A receipt printer of a test, on a port of its own. */
export interface PrinterSimulator {
  readonly port: number
  behaviour: PrinterBehaviour
  /** What came out of it, document by document, as the letters that the bytes stand for. */
  readonly papers: readonly string[]
  /** All that it was sent, connection by connection. */
  readonly received: readonly Buffer[]
  /** How often it has opened the drawer. */
  readonly pulses: number
  /** When it did so last, in milliseconds since 1970. */
  readonly pulsedAt: number
  /** How often somebody has connected. */
  readonly connections: number
  close(): Promise<void>
}

const well = 0x12
const noPaper = [well | 0x08, well | 0x20, well | 0x60]
const answers: Readonly<Partial<Record<PrinterBehaviour, readonly number[]>>> = {
  'has-no-paper': noPaper,
  'is-open': [well | 0x08, well | 0x04, well],
  'is-offline': [well | 0x08, well, well],
}

/** What a label printer answers to ~HS: without labels, with its head open, paused, or well. */
function hostStatus(behaviour: PrinterBehaviour): string {
  const flag = (wanted: PrinterBehaviour) => (behaviour === wanted ? 1 : 0)
  const first = `030,${flag('has-no-paper')},${flag('is-offline')},1245,000,0,0,0,000,0,0,0`
  const second = `000,0,${flag('is-open')},0,0,2,4,0,00000000,1,000`
  return [first, second, '1234,0'].map((line) => `\u0002${line}\u0003\r\n`).join('')
}

/** The same to ^ee. */
const errorReport = (behaviour: PrinterBehaviour): string =>
  behaviour === 'has-no-paper' ? '07\r\n' : behaviour === 'is-open' ? '11\r\n' : '00\r\n'

const bytesOf = (text: string): number[] => [...Buffer.from(text, 'latin1')]

/** The document among all that a receipt printer was sent on a connection: between how it is and whether it is done. */
export function documentIn(bytes: Buffer): Buffer {
  const from = bytes.lastIndexOf(Buffer.from(statusRequest)) + statusRequest.length
  return bytes.subarray(from, bytes.lastIndexOf(Buffer.from(printedRequest)))
}

/** Starts a printer that behaves as printers do; at another one's port where that has been closed. */
export async function startPrinter(port = 0): Promise<PrinterSimulator> {
  const papers: string[] = []
  const received: Buffer[] = []
  const sockets = new Set<Socket>()
  const seen = { pulses: 0, pulsedAt: 0, connections: 0 }
  let behaviour: PrinterBehaviour = 'prints'

  function serve(socket: Socket): void {
    let taken: Buffer = Buffer.alloc(0)
    let paper: Buffer = Buffer.alloc(0)
    let hasRunOut = false
    const say = (bytes: readonly number[]): void => void socket.write(Uint8Array.from(bytes))
    const commands: readonly (readonly [bytes: Uint8Array, act: () => void])[] = [
      [
        statusRequest,
        () => {
          const isStalled = behaviour === 'stalls' && paper.length > 0
          if (behaviour !== 'is-silent' && !isStalled)
            say(hasRunOut ? noPaper : (answers[behaviour] ?? [well, well, well]))
        },
      ],
      [
        zplStatus.request,
        () => {
          // Many say nothing at all without labels.
          if (behaviour !== 'is-silent') say(bytesOf(hostStatus(behaviour)))
        },
      ],
      [
        eplStatus.request,
        () => {
          if (behaviour !== 'is-silent') say(bytesOf(errorReport(behaviour)))
        },
      ],
      [
        printedRequest,
        () => {
          if (behaviour === 'prints') say([0])
        },
      ],
      [
        drawerPulse(0),
        () => {
          seen.pulses += 1
          seen.pulsedAt = performance.timeOrigin + performance.now()
        },
      ],
    ]
    const nth = received.push(Buffer.alloc(0)) - 1
    socket.on('data', (piece) => {
      received[nth] = Buffer.concat([received[nth] ?? Buffer.alloc(0), piece])
      taken = Buffer.concat([taken, piece])
      for (;;) {
        const [next] = commands
          .map(([bytes, act]) => ({ at: taken.indexOf(bytes), length: bytes.length, act }))
          .filter(({ at }) => at >= 0)
          .sort((a, b) => a.at - b.at)
        if (!next) break
        paper = Buffer.concat([paper, taken.subarray(0, next.at)])
        taken = taken.subarray(next.at + next.length)
        hasRunOut ||= behaviour === 'runs-out' && paper.length > 0
        next.act()
      }
      if (behaviour === 'breaks-off' && taken.length + paper.length > 50) socket.resetAndDestroy()
    })
    socket.on('error', () => {})
    const cut = (): void => {
      const whole = Buffer.concat([paper, taken])
      if (whole.length > 0) papers.push(whole.toString('latin1'))
      paper = Buffer.alloc(0)
      taken = Buffer.alloc(0)
    }
    socket.on('end', () => {
      cut()
      socket.end()
    })
    socket.on('close', () => {
      cut()
      sockets.delete(socket)
    })
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    seen.connections += 1
    sockets.add(socket)
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    papers,
    received,
    get behaviour() {
      return behaviour
    },
    set behaviour(wanted) {
      behaviour = wanted
    },
    get pulses() {
      return seen.pulses
    },
    get pulsedAt() {
      return seen.pulsedAt
    },
    get connections() {
      return seen.connections
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
