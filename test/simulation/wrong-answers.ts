import { syncHeader } from '../../schema/sync.ts'
import type { Chance } from './plan/chance.ts'

/** What a captive portal answers to everything. */
export const portalPage = (): Response =>
  new Response('<!doctype html><title>Welcome to the free Wi-Fi</title><form>Accept</form>', {
    status: 200,
    headers: { 'Content-Type': 'text/html' },
  })

const kinds: readonly (readonly [status: number, retryAfter: string | null])[] = [
  [429, '3'],
  [409, '1'],
  [503, '5'],
  [502, null],
  [500, null],
]

/**
 * A refusal that has nothing to do with what was asked: by a server of ours that is busy, or by something in between.
 */
export function refusedOnTheWay(chance: Chance, ours: boolean): Response {
  const [status, retryAfter] = chance.pick(ours ? kinds : [...kinds, [403, null] as const])
  return new Response(ours ? '{"detail":"Busy."}' : 'Bad gateway', {
    status,
    headers: {
      'Content-Type': ours ? 'application/json' : 'text/plain',
      ...(ours ? { [syncHeader]: '1' } : {}),
      ...(retryAfter === null ? {} : { 'Retry-After': retryAfter }),
    },
  })
}
