import assert from 'node:assert/strict'
import { signal } from '@preact/signals'
import type { ParkingApi } from '../../../renderer/api/parking-api.ts'
import type { ApiAnswer } from '../../../renderer/api/requests.ts'
import { nextTill } from '../../../renderer/box-office/next-till.ts'
import type { BasketLine } from '../../../renderer/box-office/selling/basket.ts'
import { openParking } from '../../../renderer/box-office/selling/till-parking.ts'
import { initialTill, type TillEvent } from '../../../renderer/box-office/till-state.ts'
import { catalogueOf, product } from './samples.ts'

const silence: ApiAnswer<never> = { ok: false, problem: { kind: 'unreachable', status: 0, detail: '' } }

/** A till with two of a product in its basket, and a server whose next answers may be lost. */
function openBench() {
  const stored = new Map<string, string>()
  const parked = new Map<string, { name: string; tickets: number; lines: readonly BasketLine[] }>()
  const takers: string[] = []
  const lost = { next: false }
  let ids = 0
  const told = <T>(value: T): ApiAnswer<T> => (lost.next ? silence : { ok: true, value })
  const api: ParkingApi<BasketLine> = {
    list: async () => ({
      ok: true,
      value: {
        results: [...parked].map(([id, { name, tickets }]) => ({ id, name, tickets, parked: 'now' })),
      },
    }),
    park: async (id, basket) => {
      parked.set(id, basket)
      return told(null)
    },
    take: async (id, till) => {
      takers.push(till)
      return told({ lines: parked.get(id)?.lines ?? [] })
    },
  }
  const state = signal(nextTill(initialTill, { type: 'offered', catalogue: catalogueOf(product(1)) }))
  const send = (event: TillEvent) => {
    state.value = nextTill(state.value, event)
  }
  for (const _ of [1, 2]) send({ type: 'pressed', product: 1 })
  const memory = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  }
  const tools = { parking: api, memory, newId: () => `id ${++ids}` }
  return { state, send, parked, takers, lost, open: () => openParking({ tools, state, send }) }
}

describe('parking a basket', () => {
  it('asks for a name first, and only where there is something in it', () => {
    const { state, send } = openBench()
    send({ type: 'parking', open: true })
    assert.equal(state.value.parking, true)
    send({ type: 'back' })
    assert.equal(state.value.parking, false)
    send({ type: 'emptied' })
    send({ type: 'parking', open: true })
    assert.equal(state.value.parking, false)
  })

  it('empties it once the server has it, which has it once where the answer was lost', async () => {
    const { state, parked, lost, open } = openBench()
    const parking = open()
    lost.next = true
    assert.notEqual(await parking.park('Anna'), '')
    assert.equal(state.value.lines.length, 1)
    lost.next = false
    assert.equal(await parking.park('Anna'), '')
    assert.equal(state.value.lines.length, 0)
    assert.deepEqual(
      state.value.parked.map(({ name, tickets }) => [name, tickets]),
      [['Anna', 2]],
    )
    assert.equal(parked.size, 1)
  })

  it('leaves what was added meanwhile in the basket', async () => {
    const { state, send, open } = openBench()
    const done = open().park('Anna')
    send({ type: 'pressed', product: 1 })
    await done
    assert.equal(state.value.lines[0]?.count, 3)
  })

  it('gives back all lines when it is taken up, by a till that is the same one after a reload', async () => {
    const { state, send, takers, lost, open } = openBench()
    await open().park('Anna')
    const [basket] = state.value.parked
    assert.ok(basket)
    lost.next = true
    assert.notEqual(await open().takeUp(basket), '')
    assert.equal(state.value.lines.length, 0)
    lost.next = false
    send({ type: 'pressed', product: 1 })
    assert.equal(await open().takeUp(basket), '')
    assert.equal(state.value.lines[0]?.count, 3)
    assert.equal(new Set(takers).size, 1)
  })
})
