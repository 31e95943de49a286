import type { ApiAnswer } from '../api/requests.ts'
import { askAgainEvery, isSilent } from './till-sale.ts'

/** How often the station is asked the same again before somebody has to look. */
const mostAsked = 5

/** What became of something that is done once for its key: where there is no answer it is asked again. */
export async function askUntilSaid<T>(ask: () => Promise<ApiAnswer<T>>): Promise<ApiAnswer<T>> {
  let answer = await ask()
  for (let times = 1; times < mostAsked && !answer.ok && isSilent(answer.problem); times += 1) {
    await new Promise((resolve) => setTimeout(resolve, askAgainEvery))
    answer = await ask()
  }
  return answer
}
