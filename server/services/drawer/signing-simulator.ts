import { createHmac } from 'node:crypto'
import type { SigningDevice } from './signing-device.ts'

/** What a simulator takes from the world. */
interface SimulatorParts {
  /** 27 characters, UTC. */
  readonly now: () => string
  readonly randomBytes: (count: number) => Uint8Array
}

/**
 * A signing device that is none: it answers as one does, for trials and training. Each start is another device with
 * another serial number, counts from 1 and has forgotten the one before.
 */
export function simulatedSigningDevice({ now, randomBytes }: SimulatorParts): SigningDevice {
  const key = randomBytes(32)
  const serial = `SIMULATOR-${Buffer.from(randomBytes(6)).toString('hex')}`
  const tills = new Set<string>()
  const open = new Set<number>()
  const log: string[] = []
  let transactions = 0
  let counter = 0
  const signedLine = (...what: readonly (string | number)[]): string => {
    const line = JSON.stringify([serial, counter, ...what])
    const signature = createHmac('sha256', key).update(line).digest('base64')
    log.push(`${line} ${signature}\n`)
    return signature
  }
  const known = (till: string): void => {
    if (!tills.has(till)) throw new Error('This till is not registered.')
  }
  return {
    async register(till) {
      tills.add(till)
      return serial
    },
    async begin(till) {
      known(till)
      transactions += 1
      counter += 1
      open.add(transactions)
      const started = now()
      signedLine('begin', till, transactions, started)
      return { transaction: transactions, started }
    },
    async finish(till, begun, { type, data }) {
      known(till)
      if (!open.delete(begun.transaction)) throw new Error('This transaction is not open.')
      counter += 1
      const finished = now()
      const signature = signedLine('finish', till, begun.transaction, finished, type, data)
      return { ...begun, serial, counter, finished, signature }
    },
    exportLog: async () => log.join(''),
  }
}
