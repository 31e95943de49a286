import inject from 'light-my-request'
import { operatorToken, stationKey } from '../plan/scenario.ts'
import type { Boot } from './machine.ts'

/** What a program answered somebody who sits in front of it. */
export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * Asks the program of a machine something, without a network between; null where the machine went off before the answer
 * came or answered nothing.
 */
export async function ask(
  boot: Boot,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer | null> {
  if (!boot.isAlive || !boot.answer) return null
  const { promise, resolve } = Promise.withResolvers<Answer | null>()
  const lost = (): void => resolve(null)
  boot.onEnd.add(lost)
  const { answer, machine } = boot
  machine.as(boot, () => {
    inject(answer, {
      method,
      url: path,
      headers: {
        host: boot.machine.name === 'central' ? 'central.test' : '127.0.0.1',
        authorization: boot.machine.name === 'central' ? `Token ${operatorToken}` : `Station ${stationKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    }).then((response) => {
      const isJson = (response.headers['content-type'] ?? '').includes('json')
      resolve({ status: response.statusCode, body: isJson ? JSON.parse(response.body) : {} })
    }, lost)
  })
  const answered = await promise
  boot.onEnd.delete(lost)
  return boot.isAlive ? answered : null
}
