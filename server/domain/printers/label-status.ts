import type { StatusDialect } from './status-dialect.ts'

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const textOf = (heard: readonly number[]): string => String.fromCharCode(...heard.slice(0, 400))

const endOfText = 0x03

/** The fields of the lines that are the answer to ~HS (Zebra, "ZPL II Programming Guide"). */
const hostStatus = (heard: readonly number[]): readonly (readonly string[])[] =>
  textOf(heard)
    .split('\u0003')
    .map((line) => line.slice(line.indexOf('\u0002') + 1).split(','))

/** How label printers that speak ZPL say how they are; without media or ribbon, or open, many do not answer at all. */
export const zplStatus: StatusDialect = {
  request: ascii('~HS'),
  isWhole: (heard) => heard.filter((byte) => byte === endOfText).length >= 3,
  trouble(heard) {
    const [[, paperOut, pause] = [], [, , headUp, ribbonOut] = []] = hostStatus(heard)
    if (paperOut === '1' || ribbonOut === '1') return 'paper'
    if (headUp === '1') return 'open'
    return pause === '1' ? 'offline' : null
  },
  isBusy(heard) {
    const [first = [], second = []] = hostStatus(heard)
    return Number(first[4] ?? 0) > 0 || Number(second[8] ?? 0) > 0
  },
  printedRequest: null,
}

/** The number in the answer to ^ee (Zebra, "EPL2 Programmer's Manual"). */
const errorCode = (heard: readonly number[]): string | undefined => /(\d\d)\s/.exec(textOf(heard))?.[1]

const busy = '50'

/** How label printers that speak EPL say how they are. */
export const eplStatus: StatusDialect = {
  request: ascii('\r\n^ee\r\n'),
  isWhole: (heard) => errorCode(heard) !== undefined,
  trouble(heard) {
    const code = errorCode(heard)
    if (code === '07') return 'paper'
    if (code === '11') return 'open'
    return code === '00' || code === busy ? null : 'offline'
  },
  isBusy: (heard) => errorCode(heard) === busy,
  printedRequest: null,
}
