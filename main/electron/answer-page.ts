import { type IpcMainInvokeEvent, ipcMain } from 'electron'
import { type Answer, type Ask, type Channel, checks } from '../common/channels.ts'
import { isWithin } from './navigation-lock.ts'

/** The shell's answer to each channel. */
type Answers = { readonly [C in Channel]: (ask: Ask<C>) => Answer<C> | Promise<Answer<C>> }

/** Answers the page on every channel; refuses other senders and anything a channel does not take. */
export function answerPage(origin: () => string | null, answers: Answers): void {
  for (const channel of Object.keys(checks) as Channel[]) answerOn(channel, origin, answers)
}

function answerOn<C extends Channel>(channel: C, origin: () => string | null, answers: Answers): void {
  ipcMain.handle(channel, (event, value: unknown) => {
    if (!isOwnPage(event, origin())) throw new Error('Only the station’s own page may ask this')
    const isAsk: (value: unknown) => value is Ask<C> = checks[channel]
    if (!isAsk(value)) throw new Error(`Not what ${channel} takes`)
    return answers[channel](value)
  })
}

function isOwnPage(event: IpcMainInvokeEvent, origin: string | null): boolean {
  const frame = event.senderFrame
  return frame !== null && frame.parent === null && isWithin(origin, frame.url)
}
