import type { StaffRight } from '../../schema/staff-rights.ts'
import type { KeyedAct } from '../api/keyed-act.ts'
import type { ApiAnswer } from '../api/requests.ts'
import type { SalesPlace } from '../api/sales-place.ts'
import { askAgainEvery, isSilent } from './payment/till-sale.ts'
import type { TillLink } from './till-tools.ts'

/** What is asked once for its key, in the event that is sold for. */
export type KeyedRequest<T> = (place: SalesPlace, attempt: KeyedAct) => Promise<ApiAnswer<T>>

/** Does something that needs a right, then looks at what the till sells again. */
export type TillAct = <T>(right: StaffRight, work: KeyedRequest<T>) => Promise<ApiAnswer<T>>

/** What nobody could be asked about, because the station is not set up. */
export const nowhere: ApiAnswer<never> = {
  ok: false,
  problem: { kind: 'refused', status: 409, detail: '' },
}

/** How often the station is asked the same again before somebody has to look. */
const mostAsked = 5

/** Does what needs a right, once: where there is no answer the station is asked again with the same key. */
export function openActs({ tools, refresh }: Pick<TillLink, 'tools' | 'refresh'>): TillAct {
  const pause = () => new Promise<void>((resolve) => tools.after(askAgainEvery, resolve))
  async function askUntilSaid<T>(ask: () => Promise<ApiAnswer<T>>): Promise<ApiAnswer<T>> {
    let answer = await ask()
    for (let times = 1; times < mostAsked && !answer.ok && isSilent(answer.problem); times += 1) {
      await pause()
      answer = await ask()
    }
    return answer
  }
  return async (right, work) => {
    const place = tools.place()
    if (!place) return nowhere
    const key = tools.newId()
    const answer = await tools.staff.permitted(right, (stepUp) =>
      askUntilSaid(() => work(place, { key, stepUp })),
    )
    await refresh()
    return answer
  }
}
