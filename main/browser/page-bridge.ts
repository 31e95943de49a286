import { type Answers, answerAsk, type Channel, checks, type Shell } from '../common/channels.ts'

/** The function of the page that hands a question to the shell. */
export const callBinding = 'gatehouseCalls'

/** The page as its bridge is laid. */
export interface BridgedPage {
  gatehouseCalls(question: string): void
  gatehouseAnswers?(id: number, isAnswered: boolean, text: string): void
  gatehouse?: Shell
}

/**
 * Puts on the page's `window.gatehouse` what the preload script of Electron puts there. Runs in the page, and so uses
 * nothing from outside of itself.
 */
export function bridgePage(page: BridgedPage): void {
  const waiting = new Map<number, (isAnswered: boolean, text: string) => void>()
  let last = 0
  const ask = <T>(channel: Channel, value: unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      last++
      waiting.set(last, (isAnswered, text) =>
        isAnswered ? resolve(JSON.parse(text)) : reject(new Error(text)),
      )
      page.gatehouseCalls(JSON.stringify({ id: last, channel, value }))
    })
  page.gatehouseAnswers = (id, isAnswered, text) => {
    waiting.get(id)?.(isAnswered, text)
    waiting.delete(id)
  }
  page.gatehouse = {
    state: () => ask('window:state', null),
    leave: (pin) => ask('window:leave', { pin }),
    checkPin: (pin) => ask('window:check-pin', { pin }),
    setPin: (current, next) => ask('window:set-pin', { current, next }),
    printers: () => ask('print:printers', null),
    print: (job) => ask('print:page', job),
  }
}

/** The script that lays the bridge, to be run before the page's own. */
export const pageBridge = `(${bridgePage.toString()})(globalThis)`

/** Answers one question of the page: the script that hands the answer over there, or null for what is no question. */
export async function answerCall(answers: Answers, question: string): Promise<string | null> {
  const { id, channel, value } = readQuestion(question)
  if (!Number.isInteger(id) || !isChannel(channel)) return null
  const handOver = (isAnswered: boolean, text: string): string =>
    `gatehouseAnswers(${id}, ${isAnswered}, ${JSON.stringify(text)})`
  try {
    return handOver(true, JSON.stringify(await answerAsk(answers, channel, value)))
  } catch (error) {
    return handOver(false, error instanceof Error ? error.message : String(error))
  }
}

/** A question's parts, as they came; none of a text that is no question. */
function readQuestion(text: string): {
  readonly id?: unknown
  readonly channel?: unknown
  readonly value?: unknown
} {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

function isChannel(name: unknown): name is Channel {
  return typeof name === 'string' && Object.hasOwn(checks, name)
}
