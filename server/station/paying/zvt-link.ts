import type { ZvtEnding } from '../../domain/terminals/terminal-answers.ts'
import {
  digitBytes,
  encodeZvt,
  readZvtStatus,
  type ZvtPacket,
  type ZvtStatus,
  zvt,
  zvtSplitter,
} from '../../domain/terminals/zvt-packets.ts'
import type { Env } from '../../env.ts'
import type { TerminalPlace } from '../../services/devices/station-settings.ts'

/** One thing that is asked of a terminal. */
interface ZvtCommand {
  readonly code: number
  readonly data: readonly number[]
  /** Milliseconds without a word after which nobody waits any longer. */
  readonly patience: number
  /** Is told what the terminal is at, by its number. */
  readonly onProgress?: (step: number) => void
}

/** Something that a terminal was asked, and is at. */
interface ZvtTalk {
  readonly ended: Promise<ZvtEnding>
  /** Asks it to give up; what it says then still counts. */
  cancel(): void
}

/** Milliseconds within which a terminal has to be there and to answer to its registration. */
const reachWithin = 8000
/** Sends what it is at, and leaves the beginning of payments to the till; it prints by itself. */
const configuration = 0x18

/** The class of messages that say that something is not done. */
const refusal = 0x84

/** What a terminal is told of the currency: that of the euro area. Others are named by the terminal itself. */
const currencies: Readonly<Record<string, number>> = {
  EUR: 978,
  CHF: 756,
  GBP: 826,
  SEK: 752,
  DKK: 208,
  PLN: 985,
}

/** The field of a currency, where the protocol has its number. */
export const currencyField = (currency: string): number[] => {
  const code = currencies[currency]
  return code === undefined ? [] : [0x49, ...digitBytes(code, 2)]
}

/** The password of a terminal as it is sent. */
export const passwordBytes = ({ password }: TerminalPlace): number[] => digitBytes(Number(password), 3)

/** Connects to a terminal, registers there, and has it do one thing. */
export function askTerminal(env: Env, place: TerminalPlace, command: ZvtCommand): ZvtTalk {
  const { promise, resolve } = Promise.withResolvers<ZvtEnding>()
  const split = zvtSplitter()
  let stage: 'connecting' | 'registering' | 'asked' | 'begun' | 'over' = 'connecting'
  let status: ZvtStatus | null = null
  let stopWaiting = (): void => undefined

  const end = (ending: ZvtEnding): void => {
    if (stage === 'over') return
    stage = 'over'
    stopWaiting()
    connection.close()
    resolve(ending)
  }
  const isAsked = (): boolean => stage === 'asked' || stage === 'begun'
  const fail = (why: 'closed' | 'stalled' | 'garbled'): void =>
    end(isAsked() ? { kind: 'lost', why } : { kind: 'unreachable' })
  const wait = (milliseconds: number): void => {
    stopWaiting()
    stopWaiting = env.after(milliseconds, () => fail('stalled'))
  }
  const send = (code: number, data?: readonly number[]): void => connection.write(encodeZvt(code, data))

  const begin = (): void => {
    stage = 'asked'
    send(command.code, command.data)
  }
  const hear = ({ code, data }: ZvtPacket): void => {
    if (stage === 'over') return
    if (code === zvt.understood) {
      if (stage === 'asked') stage = 'begun'
      return
    }
    if (code >> 8 === refusal) {
      if (stage === 'asked') end({ kind: 'refused', code: code & 0xff })
      else if (stage !== 'begun') end({ kind: 'unreachable' })
      return
    }
    send(zvt.understood)
    if (stage === 'registering') {
      if (code === zvt.completion) begin()
      else if (code === zvt.abort) end({ kind: 'unreachable' })
    } else if (code === zvt.intermediate) command.onProgress?.(data[0] ?? 0)
    // Said twice, the first word counts.
    else if (code === zvt.status) status ??= readZvtStatus(data)
    else if (code === zvt.completion) end({ kind: 'completed', status })
    else if (code === zvt.abort) end({ kind: 'aborted', code: data[0] ?? 0, status })
  }

  const connection = env.connect(place.host, place.port, {
    opened() {
      if (stage !== 'connecting') return
      stage = 'registering'
      send(zvt.registration, [...passwordBytes(place), configuration, ...digitBytes(978, 2)])
    },
    received(piece) {
      if (stage === 'over') return
      wait(isAsked() ? command.patience : reachWithin)
      try {
        for (const packet of split(piece)) hear(packet)
        if (isAsked()) wait(command.patience)
      } catch {
        fail('garbled')
      }
    },
    closed: () => fail('closed'),
  })
  wait(reachWithin)
  return {
    ended: promise,
    cancel() {
      if (isAsked()) send(zvt.cancel)
      else end({ kind: 'unreachable' })
    },
  }
}
