import type { ParkedBasket } from '../../../schema/bodies/parked-baskets.ts'
import type { Problem } from '../../api/requests.ts'
import { tillId } from '../till-memory.ts'
import type { TillLink, TillTools } from '../till-tools.ts'
import { ticketCount } from './basket.ts'

/** Puts baskets aside, and takes them up again; what is asked answers why it cannot be, or an empty text. */
export interface TillParking {
  /** Looks what is parked. */
  look(): Promise<void>
  park(name: string): Promise<string>
  takeUp(basket: ParkedBasket): Promise<string>
}

/** Parks baskets at the server of this till, where each can be taken up by one till. */
export function openParking({
  tools,
  state,
  send,
}: Pick<TillLink, 'state' | 'send'> & {
  readonly tools: Pick<TillTools, 'parking' | 'memory' | 'newId'>
}): TillParking {
  const { parking, newId } = tools
  let pending: { readonly id: string; readonly of: string } | null = null

  async function look(): Promise<void> {
    const answer = await parking.list()
    if (answer.ok) send({ type: 'baskets-parked', baskets: answer.value.results })
  }

  return {
    look,
    async park(name) {
      const { lines } = state.value
      const of = JSON.stringify([name, lines])
      // An answer that was lost is asked for again: the same basket is parked once.
      pending = pending?.of === of ? pending : { id: newId(), of }
      const answer = await parking.park(pending.id, { name, tickets: ticketCount(lines), lines })
      if (!answer.ok) return wordsOf(answer.problem)
      pending = null
      send({ type: 'parked', lines })
      await look()
      return ''
    },
    async takeUp({ id }) {
      const answer = await parking.take(id, tillId(tools))
      if (answer.ok) send({ type: 'taken-up', lines: answer.value.lines })
      await look()
      return answer.ok ? '' : wordsOf(answer.problem)
    },
  }
}

/** The server's words; a space where it has none, which the screen has its own for. */
const wordsOf = ({ detail }: Problem): string => detail || ' '
