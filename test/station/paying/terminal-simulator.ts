import { type AddressInfo, createServer, type Socket } from 'node:net'
import { digitBytes, encodeZvt, zvt, zvtSplitter } from '../../../server/domain/terminals/zvt-packets.ts'

/** How a terminal behaves when it is asked to charge a card. */
export type Misbehaviour =
  | 'charges'
  | 'declines'
  | 'refuses'
  /** Says nothing any more, and charges nothing. */
  | 'stalls'
  /** Hangs up before it has asked the bank. */
  | 'closes'
  /** Charges, and hangs up before it says so. */
  | 'charges-and-closes'
  /** Has charged by the time that it is told to give up. */
  | 'charges-after-cancel'
  /** Gives up when it is told to. */
  | 'obeys-cancel'
  | 'answers-twice'
  | 'talks-garbage'
  | 'splits'
  /** Is at it until it is told to go on. */
  | 'waits'
  /** Says that it has charged, and then that it has not. */
  | 'contradicts'

/** What a terminal has done, as the bank sees it. */
export interface SimulatedCharge {
  readonly amount: number
  readonly receipt: number
  readonly trace: number
  readonly result: number
  takenBack: boolean
}

/** A payment terminal of a test, on a port of its own. */
export interface TerminalSimulator {
  readonly port: number
  behaviour: Misbehaviour
  /** Refuses to take payments back. */
  keepsMoney: boolean
  readonly charges: readonly SimulatedCharge[]
  /** How often it was asked to charge something. */
  readonly asked: number
  /** The money that it holds, in hundredths. */
  readonly held: number
  /** Resolves once it was asked so often. */
  untilAsked(count: number): Promise<void>
  /** Lets go on what waits. */
  goOn(): void
  /** Somebody types an amount into it. */
  chargeByHand(amount: number): void
  close(): Promise<void>
}

const accepted = [0x80, 0x00, 0x00]

/** Starts a terminal that behaves as terminals do. */
export async function startTerminal(): Promise<TerminalSimulator> {
  const charges: SimulatedCharge[] = []
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  let askedFor: { readonly count: number; readonly go: () => void }[] = []
  let asked = 0

  const charge = (amount: number, result = 0): SimulatedCharge => {
    const number = charges.length + 1
    const made = { amount, receipt: number, trace: 100 + number, result, takenBack: false }
    charges.push(made)
    return made
  }
  const statusOf = ({ amount, receipt, trace, result }: SimulatedCharge): Uint8Array =>
    encodeZvt(zvt.status, [
      ...[0x27, result, 0x04, ...digitBytes(amount, 6), 0x0b, ...digitBytes(trace, 3)],
      ...[0x87, ...digitBytes(receipt, 2), 0x29, ...digitBytes(12345678, 4), 0x8a, 5],
      ...[0x8b, 0xf0, 0xf8, ...Buffer.from('girocard')],
    ])

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    const split = zvtSplitter()
    let amount = 0
    const send = (...packets: readonly Uint8Array[]): void => {
      const bytes = Buffer.concat(packets)
      if (simulator.behaviour !== 'splits') socket.write(bytes)
      else for (const byte of bytes) socket.write(Uint8Array.of(byte))
    }
    const completed = encodeZvt(zvt.completion)

    const pay = (): void => {
      const acting: Readonly<Record<Misbehaviour, () => void>> = {
        charges: () => send(encodeZvt(zvt.intermediate, [0x0a]), statusOf(charge(amount)), completed),
        splits: () => send(encodeZvt(zvt.intermediate, [0x0a]), statusOf(charge(amount)), completed),
        declines: () => send(statusOf(charge(amount, 0x05)), encodeZvt(zvt.abort, [0x05])),
        refuses: () => undefined,
        stalls: () => send(encodeZvt(zvt.intermediate, [0x0a])),
        closes: () => socket.destroy(),
        'charges-and-closes': () => {
          charge(amount)
          socket.destroy()
        },
        'charges-after-cancel': () => undefined,
        'obeys-cancel': () => undefined,
        'answers-twice': () => {
          const made = statusOf(charge(amount))
          send(made, made, completed, completed)
        },
        'talks-garbage': () => {
          charge(amount)
          socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
        },
        waits: () => waiting.push(() => send(statusOf(charge(amount)), completed)),
        contradicts: () => send(statusOf(charge(amount)), encodeZvt(zvt.abort, [0x6c])),
      }
      acting[simulator.behaviour]()
    }

    const takeBack = (found: SimulatedCharge | undefined): void => {
      send(Uint8Array.from(accepted))
      if (!found || found.takenBack || simulator.keepsMoney) send(encodeZvt(zvt.abort, [0x05]))
      else {
        found.takenBack = true
        send(statusOf(found), completed)
      }
    }

    const hear = (code: number, data: Uint8Array): void => {
      if (code >> 8 === 0x80) return
      if (code === zvt.registration) send(Uint8Array.from(accepted), completed)
      else if (code === zvt.authorisation) {
        asked += 1
        amount = Number(Buffer.from(data.slice(1, 7)).toString('hex'))
        if (simulator.behaviour === 'refuses') send(Uint8Array.from([0x84, 0x83, 0x00]))
        else {
          send(Uint8Array.from(accepted))
          pay()
        }
        askedFor = askedFor.filter(({ count, go }) => {
          if (asked >= count) go()
          return asked < count
        })
      } else if (code === zvt.cancel) {
        send(Uint8Array.from(accepted))
        if (simulator.behaviour === 'charges-after-cancel') send(statusOf(charge(amount)), completed)
        else if (simulator.behaviour === 'obeys-cancel') send(encodeZvt(zvt.abort, [0x6c]))
      } else if (code === zvt.repeatReceipt) {
        const last = charges.at(-1)
        send(Uint8Array.from(accepted))
        if (last) send(statusOf(last), completed)
        else send(encodeZvt(zvt.abort, [0x64]))
      } else if (code === zvt.reversal) {
        const receipt = Number(Buffer.from(data.slice(4, 6)).toString('hex'))
        takeBack(charges.find((one) => one.receipt === receipt))
      } else if (code === zvt.refund) {
        const back = Number(Buffer.from(data.slice(4, 10)).toString('hex'))
        takeBack(charges.find((one) => one.amount >= back && one.result === 0))
      }
    }

    socket.on('data', (piece) => {
      for (const { code, data } of split(piece)) hear(code, data)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const simulator: TerminalSimulator = {
    port,
    behaviour: 'charges',
    keepsMoney: false,
    charges,
    get asked() {
      return asked
    },
    get held() {
      return charges.reduce((sum, one) => (one.result === 0 && !one.takenBack ? sum + one.amount : sum), 0)
    },
    untilAsked: (count) =>
      asked >= count ? Promise.resolve() : new Promise((go) => askedFor.push({ count, go })),
    goOn: () => {
      for (const one of waiting.splice(0)) one()
    },
    chargeByHand: (amount) => void charge(amount),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return simulator
}
