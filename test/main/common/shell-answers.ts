import type { Answers, PinAnswer } from '../../../main/common/channels.ts'

/** The answers of a shell whose exit PIN is `4711`; notes what it was asked. */
export function shellAnswers(asked: unknown[] = []): Answers {
  const judged = (pin: string): PinAnswer =>
    pin === '4711' ? { ok: true } : { ok: false, reason: 'wrong', waitMs: 0 }
  return {
    'window:state': () => ({ kiosk: true, exitPin: true }),
    'window:leave': (ask) => {
      asked.push(ask)
      return judged(ask.pin)
    },
    'window:check-pin': ({ pin }) => judged(pin),
    'window:set-pin': (ask) => {
      asked.push(ask)
      return judged(ask.current)
    },
    'print:printers': () => [],
    'print:page': () => {
      throw new Error('out of paper')
    },
  }
}
