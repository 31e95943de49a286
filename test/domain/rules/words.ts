import type { RuleFacts } from '../../../server/domain/rules/variables.ts'
import { tokyo } from '../checkin/door.ts'

/** Words to write rules with, so that a test reads like the rule. */
export const read = (name: string) => ({ var: name })
export const and = (...parts: readonly unknown[]) => ({ and: parts })
export const or = (...parts: readonly unknown[]) => ({ or: parts })
export const less = (name: string, limit: number) => ({ '<': [read(name), limit] })
export const more = (name: string, limit: number) => ({ '>': [read(name), limit] })
export const atMost = (name: string, limit: number) => ({ '<=': [read(name), limit] })
export const atLeast = (name: string, limit: number) => ({ '>=': [read(name), limit] })
export const equal = (name: string, value: unknown) => ({ '==': [read(name), value] })
export const time = (...kind: readonly string[]) => ({ buildTime: kind })
export const isBefore = (...limit: readonly unknown[]) => ({ isBefore: [read('now'), ...limit] })
export const isAfter = (...limit: readonly unknown[]) => ({ isAfter: [read('now'), ...limit] })
export const oneOf = (name: 'product' | 'variation' | 'gate', ...ids: readonly number[]) => ({
  inList: [read(name), { objectList: ids.map((id) => ({ lookup: [name, String(id), `No. ${id}`] })) }],
})

/** Somebody with product 1 and without a variation, at no gate, who never came. */
export const facts: RuleFacts = {
  product: 1,
  variation: null,
  gate: null,
  now: '2020-01-01T10:00:00Z',
  priorCheckins: [],
  times: tokyo,
}
/** The same, who came in at the given times. */
export const cameAt = (...times: readonly string[]): RuleFacts => ({
  ...facts,
  priorCheckins: times.map((datetime, id) => ({ id, type: 'entry', datetime, nonce: null, device: null })),
})

/** Rules within rules, as deep as told. */
export function nested(depth: number): unknown {
  let rules: unknown = { and: [] }
  for (let level = 0; level < depth; level += 1) rules = { and: [rules] }
  return rules
}

/** A Wednesday, 19:00 in Tokyo, somebody who came in an hour ago for the second time. */
export const wednesday: RuleFacts = {
  product: 1,
  variation: 5,
  gate: 3,
  now: '2020-01-01T10:00:00Z',
  priorCheckins: ['2020-01-01T08:00:00Z', '2020-01-01T09:00:00Z'].map((datetime, id) => {
    return { id, type: 'entry', datetime, nonce: null, device: null }
  }),
  times: tokyo,
}

/** An hour later, and some days later. */
export const soon = time('custom', '2020-01-01T11:00:00Z')
export const late = time('custom', '2020-01-05T11:00:00Z')
