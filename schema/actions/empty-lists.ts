import { pageSchema } from '../json-schema.ts'
import type { Requirement } from '../permissions.ts'
import { type Action, defineAction, ev, hidden } from './action.ts'

interface EmptyList<P extends string> {
  readonly name: string
  readonly path: P
  readonly of: string
  readonly needs: Requirement
}

/** The list of something that programs ask for and that nobody can make here. */
const emptyList = <const P extends string>({ of, ...rest }: EmptyList<P>) =>
  defineAction({
    ...rest,
    tag: rest.name,
    method: 'get',
    summary: `The list of ${of}, of which there are none on this server.`,
    query: ['page', 'page_size'],
    shows: pageSchema({ type: 'object' }),
    answers: { '200': 'An empty page.', ...hidden },
  })

/** Lists that are asked for by tills and offices and are empty here; docs/compatibility.md says why. */
export const emptyListActions = [
  emptyList({
    name: 'shredder_list',
    path: `${ev}/shredders/`,
    of: 'ways of deleting personal data of an event',
    needs: 'can_change_orders',
  }),
] as const satisfies readonly Action[]
