import assert from 'node:assert/strict'
import type { JsonObject } from '../../schema/fields.ts'
import type { Received } from '../support/servers/receiver.ts'
import { type Reads, readAs } from './reads.ts'

const always: Reads = { notification_id: 'long', organizer: 'text', action: 'text' }
const ofOrder: Reads = { ...always, event: 'text', code: 'text' }

/** What receivers read of a message, by what its action begins with; the first that fits counts. */
const readsByAction: readonly (readonly [string, Reads])[] = [
  [
    'pretix.event.checkin',
    {
      ...{ ...ofOrder, orderposition_id: 'long', orderposition_positionid: 'long', checkin_list: 'long' },
      ...{ type: 'text', first_checkin: 'flag?' },
    },
  ],
  ['pretix.event.order.', ofOrder],
  ['pretix.subevent.', { ...always, event: 'text', subevent: 'long' }],
  ['pretix.event.', { ...always, event: 'text' }],
]

/** Asks the interface for an object, as its messages hold nothing but where to look. */
type Look = (path: string) => Promise<JsonObject>

/**
 * A program that keeps a copy of orders: it takes a message for a hint, forgets those that it has had, and looks at what is
 * there. It knows actions by the words of pretix and looks at no signature.
 */
export class OrderMirror {
  readonly #look: Look
  readonly #had = new Set<number>()
  /** The state of each order as it was seen last. */
  readonly orders = new Map<string, string>()
  /** Actions in the order in which they were heard. */
  readonly heard: string[] = []

  constructor(look: Look) {
    this.#look = look
  }

  /** Takes a message as it came in. */
  async take({ headers, body }: Received): Promise<void> {
    assert.match(String(headers['content-type']), /^application\/json/)
    const message: unknown = JSON.parse(body)
    const action = String(readAs(always, message, 'message').action)
    const [, reads] = readsByAction.find(([word]) => action.startsWith(word)) ?? []
    assert.ok(reads, `the action ${action} is not known`)
    const read = readAs(reads, message, action)
    const id = Number(read.notification_id)
    if (this.#had.has(id)) return
    this.#had.add(id)
    this.heard.push(action)
    if (typeof read.code !== 'string') return
    const path = `/api/v1/organizers/${read.organizer}/events/${read.event}/orders/${read.code}/`
    const order = readAs({ code: 'text', status: 'text', total: 'text' }, await this.#look(path), 'order')
    this.orders.set(read.code, String(order.status))
  }
}
