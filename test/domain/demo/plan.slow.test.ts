import assert from 'node:assert/strict'
import { microsecondsOf } from '../../../schema/instants.ts'
import { type Decision, decide } from '../../../server/domain/checkin/checkin.ts'
import { chooseTicket } from '../../../server/domain/checkin/ticket-choice.ts'
import { demoPlan } from '../../../server/domain/demo/demo-plan.ts'
import { planFestival, rulesWithIds } from '../../../server/domain/demo/festival.ts'
import type { DemoOrder, DemoPlan, DemoPosition } from '../../../server/domain/demo/plan.ts'
import { sampleTickets } from '../../../server/domain/demo/samples.ts'
import { isEmail } from '../../../server/domain/guest-list/email.ts'
import type { ListFacts, PriorCheckin, TicketFacts } from '../../../server/domain/rules/facts.ts'
import { validateRules } from '../../../server/domain/rules/rules.ts'
import { localDate } from '../../../server/domain/text/time.ts'
import { seeded } from '../../support/ticketing/messy-guest-list.ts'

const now = '2026-07-18T14:30:00.000000Z'
const plan = demoPlan(seeded(1), now)
const positions = plan.orders.flatMap((order) => order.positions)

function idOf(key: string): number {
  const place = [...plan.items, ...plan.gates].findIndex((one) => one.key === key)
  assert.notEqual(place, -1, `nothing has the key ${key}`)
  return place + 1
}

function share(orders: readonly DemoOrder[], condition: (order: DemoOrder) => boolean): number {
  return orders.filter(condition).length / orders.length
}

describe('demo plan', () => {
  it('is the same for the same seed and different for another', () => {
    assert.deepEqual(demoPlan(seeded(1), now), plan)
    assert.notDeepEqual(demoPlan(seeded(2), now).orders[20], plan.orders[20])
  })

  it('runs on the day it is made for, in any time zone and around changes of the clock', () => {
    for (const moment of [
      '2026-03-28T23:30:00Z',
      '2026-03-29T00:30:00Z',
      '2026-10-25T01:30:00Z',
      '2026-12-31T23:59:59Z',
      '2028-02-29T00:00:00Z',
      now,
    ]) {
      const { event } = planFestival(moment)
      const days = [event.date_admission, event.date_from, moment, event.date_to].map((time) =>
        localDate(time, event.timezone),
      )
      assert.equal(days[0], days[1])
      assert.equal(
        microsecondsOf(`${days[2]}T12:00:00Z`) - microsecondsOf(`${days[1]}T12:00:00Z`),
        86_400 * 1e6,
      )
      assert.equal(
        microsecondsOf(`${days[3]}T12:00:00Z`) - microsecondsOf(`${days[2]}T12:00:00Z`),
        86_400 * 1e6,
      )
      assert.ok(event.date_admission < event.date_from && event.date_from < moment && moment < event.date_to)
    }
  })

  it('has 5,000 orders with codes and secrets of their own, in the right alphabets', () => {
    assert.equal(plan.orders.length, 5000)
    const codes = new Set(plan.orders.map(({ code }) => code))
    const secrets = new Set(positions.map(({ secret }) => secret))
    assert.deepEqual([codes.size, secrets.size], [5000, positions.length])
    for (const code of codes) assert.match(code, /^[ABCDEFGHJKLMNPQRSTUVWXYZ3789]{5}$/)
    for (const secret of secrets) assert.match(secret, /^[abcdefghjkmnpqrstuvwxyz23456789]{32}$/)
  })

  it('numbers positions from 1, add-ons directly after what they belong to', () => {
    for (const { positions: own } of plan.orders) {
      assert.deepEqual(
        own.map(({ positionid }) => positionid),
        own.map((_, place) => place + 1),
      )
      const base = own.filter(({ addon_to }) => addon_to === null)
      assert.ok(base.length >= 1 && base.length <= 4)
      let parent = 0
      for (const { positionid, addon_to, item } of own) {
        if (addon_to === null) parent = positionid
        else assert.equal(addon_to, parent)
        assert.equal(addon_to !== null, item === 'parking' || item === 'workshop')
      }
    }
  })

  it('refers only to what exists, at its price', () => {
    for (const { item, variation, price, answers } of positions) {
      const product = plan.items.find(({ key }) => key === item)
      const chosen = product?.variations.find(({ key }) => key === variation)
      assert.equal(price, chosen?.default_price ?? product?.default_price)
      assert.equal(variation !== null, (product?.variations.length ?? 0) > 0)
      for (const { question, options, answer } of answers) {
        const asked = plan.questions.find(({ key }) => key === question)
        assert.ok(asked?.items.includes(item))
        assert.equal(options.length, asked?.type === 'C' ? 1 : 0)
        for (const option of options)
          assert.ok(asked?.options.some(({ identifier }) => identifier === option))
        assert.ok(answer !== '')
      }
    }
    const keys = (things: readonly { readonly key: string }[]) => things.map(({ key }) => key)
    for (const { category, tax_rule, addons } of plan.items) {
      assert.ok(keys(plan.categories).includes(category) && keys(plan.tax_rules).includes(tax_rule))
      for (const { addon_category } of addons)
        assert.equal(plan.categories.find(({ key }) => key === addon_category)?.is_addon, true)
    }
    for (const { limit_products } of plan.checkin_lists) for (const key of limit_products) idOf(key)
  })

  const soldAtTheDoor = ['T-shirts', 'Mugs', 'Donations']

  it('sells nothing without a quota and no quota out', () => {
    for (const seed of [1, 2, 3]) {
      const { quotas, orders } = seed === 1 ? plan : demoPlan(seeded(seed), now)
      const sold = orders.flatMap((order) => order.positions).map(({ item }) => item)
      for (const item of new Set(sold))
        assert.equal(quotas.filter(({ items }) => items.includes(item)).length, 1)
      for (const { name, size, items } of quotas) {
        const taken = sold.filter((item) => items.includes(item)).length
        if (soldAtTheDoor.includes(name)) assert.equal(taken, 0, name)
        else assert.ok(taken <= size && taken > size / 4, `${name}: ${taken} of ${size}`)
      }
    }
  })

  it('never oversells, whatever chance brings', () => {
    const full = new Set<string>()
    for (const [low, high] of [
      [0, 0.5],
      [0.5, 1],
      [0.85, 1],
      [0, 0.1],
    ] as const) {
      const random = seeded(9)
      let calls = 0
      // Codes and secrets need real chance; every fourth number is drawn from a narrow range.
      const { quotas, orders } = demoPlan(
        () => (++calls % 4 === 0 ? low + random() * (high - low) : random()),
        now,
      )
      const sold = orders.flatMap((order) => order.positions).map(({ item }) => item)
      for (const { size, items, name } of quotas) {
        const taken = sold.filter((item) => items.includes(item)).length
        assert.ok(taken <= size, name)
        if (taken > size - 20) full.add(name)
      }
    }
    assert.ok(full.has('VIP') && full.has('Workshop'), 'chance never filled a quota')
  })

  it('is like a real event', () => {
    const range = (value: number, low: number, high: number, what: string) =>
      assert.ok(value > low && value < high, `${what}: ${value}`)
    range(
      share(plan.orders, ({ status }) => status === 'p'),
      0.88,
      0.94,
      'paid',
    )
    range(
      share(plan.orders, ({ status }) => status === 'n'),
      0.02,
      0.06,
      'pending',
    )
    range(
      share(plan.orders, ({ status }) => status === 'c'),
      0.015,
      0.05,
      'canceled',
    )
    range(
      share(plan.orders, ({ checkin_attention }) => checkin_attention),
      0.003,
      0.02,
      'attention',
    )
    range(
      share(plan.orders, ({ positions: [first] }) => first?.company != null),
      0.03,
      0.1,
      'companies',
    )
    range(
      share(plan.orders, ({ positions: own }) => own.length > 1),
      0.4,
      0.9,
      'groups',
    )
    range(
      share(plan.orders, ({ positions: own }) => own.some(({ item }) => item === 'workshop')),
      0.1,
      0.4,
      'workshops',
    )
    for (const order of plan.orders) {
      assert.equal(order.checkin_text !== null, order.checkin_attention)
      if (order.require_approval) assert.equal(order.status, 'n')
      assert.ok(order.datetime < now && order.datetime > '2026-04')
    }
  })

  it('has people from many places with addresses that nobody has', () => {
    const names = positions.map(
      ({ attendee_name_parts: { given_name, family_name } }) => `${given_name} ${family_name}`,
    )
    for (const letter of ['ü', 'ß', 'Ł', 'ń', 'é', 'ç', 'ñ', 'Ş', 'ı', 'ø', 'Å', 'ř', 'ő', 'Ț', "'"]) {
      assert.ok(
        names.some((name) => name.includes(letter)),
        letter,
      )
    }
    assert.ok(
      names.every((name) => /^\S.*\S$/.test(name) && !name.includes('_') && !name.includes('undefined')),
    )
    assert.ok(new Set(names).size > 1500)
    const addresses = [
      ...plan.orders.map(({ email }) => email),
      ...positions.flatMap(({ attendee_email }) => attendee_email ?? []),
    ]
    for (const address of addresses)
      assert.ok(isEmail(address) && /^[a-z]+[a-z.-]*@example\.org$/.test(address), address)
  })

  it('has rules that the API accepts', () => {
    const lounge = plan.checkin_lists.find(({ key }) => key === 'vip-lounge')
    const rules = rulesWithIds(lounge?.rules, idOf)
    assert.deepEqual(validateRules(rules), [])
    assert.ok(JSON.stringify(rules).includes(`["product","${idOf('vip')}","VIP"]`))
    assert.deepEqual(rulesWithIds({}, idOf), {})
  })
})

function listFacts(wanted: string): ListFacts {
  const list = plan.checkin_lists.find(({ key }) => key === wanted)
  assert.ok(list)
  return {
    ...list,
    id: 1,
    event: 1,
    limit_products: list.limit_products.map(idOf),
    subevent: null,
    rules: rulesWithIds(list.rules, idOf),
  }
}

function ticketFacts(order: DemoOrder, position: DemoPosition): TicketFacts {
  return {
    id: position.positionid,
    event: 1,
    positionid: position.positionid,
    secret: position.secret,
    item: idOf(position.item),
    variation: position.variation === null ? null : 1,
    subevent: null,
    addon_to: position.addon_to,
    canceled: false,
    blocked: position.blocked ?? [],
    valid_from: null,
    valid_until: null,
    order_status: order.status,
    require_approval: order.require_approval,
    valid_if_pending: false,
  }
}

/** What happens at the sample's list when its code is scanned, after so many earlier entries. */
function scan(of: DemoPlan['samples'][number], earlier = 0): Decision {
  const order = plan.orders.find(({ code }) => code === of.order)
  const position = order?.positions.find(({ positionid }) => positionid === of.positionid)
  assert.ok(order && position)
  const list = listFacts(of.list)
  const candidates = order.positions.filter(
    (one) => one === position || (list.addon_match && one.addon_to === of.positionid),
  )
  const choice = chooseTicket(
    candidates.map((one) => ticketFacts(order, one)),
    [list],
    position.secret,
    now,
  )
  assert.ok(choice && !choice.ambiguous)
  const scanned = order.positions.find(({ positionid }) => positionid === choice.ticket.id)
  const asked = plan.questions.filter(({ items }) => items.includes(scanned?.item ?? ''))
  const priorCheckins = Array.from(
    { length: earlier },
    (_, id): PriorCheckin => ({ id, type: 'entry', datetime: now, nonce: null, device: null }),
  )
  return decide({
    list,
    ticket: choice.ticket,
    priorCheckins,
    times: plan.event,
    scan: {
      type: 'entry',
      at: now,
      force: false,
      ignore_unpaid: false,
      nonce: null,
      device: null,
      gate: null,
      questions_supported: true,
      canceled_supported: true,
      revoked: false,
    },
    missing: asked.some(({ key }) => !scanned?.answers.some(({ question }) => question === key)),
    locale: 'en',
  })
}

describe('demo sample sheet', () => {
  const outcomes: readonly (readonly [expect: RegExp, outcome: string])[] = [
    [/^Main entrance: admitted$/, 'admit'],
    [/second scan is refused/, 'admit'],
    [/unpaid, ask for the money/, 'unpaid'],
    [/: canceled/, 'canceled'],
    [/question, which meal/, 'incomplete'],
    [/VIP lounge: admitted three times a day/, 'admit'],
    [/refused by the VIP rule/, 'rules'],
    [/admitted with attention/, 'admit'],
    [/needs approval/, 'unapproved'],
    [/: blocked/, 'blocked'],
    [/Workshop: admitted/, 'admit'],
    [/waiver to accept/, 'incomplete'],
    [/Workshop: refused/, 'product'],
  ]
  const said = (decision: Decision) => (decision.outcome === 'refuse' ? decision.reason : decision.outcome)

  it('says of every ticket what happens at the door', () => {
    assert.equal(plan.samples.length, outcomes.length)
    for (const [place, [expect, outcome]] of outcomes.entries()) {
      const sample = plan.samples[place]
      assert.ok(sample)
      assert.match(sample.expect.en, expect)
      assert.ok(sample.expect.de !== '' && sample.expect.de !== sample.expect.en)
      assert.equal(said(scan(sample)), outcome, sample.expect.en)
      for (const text of Object.values(sample.expect))
        assert.ok(text.length <= 50, `no room to print "${text}"`)
    }
  })

  it('is right about second scans and the three entries of the lounge', () => {
    const [, twice, , , , lounge] = plan.samples
    assert.ok(twice && lounge)
    assert.equal(said(scan(twice, 1)), 'already_redeemed')
    assert.equal(said(scan(lounge, 2)), 'admit')
    assert.equal(said(scan(lounge, 3)), 'rules')
  })

  it('has every order once, the attention with its text', () => {
    assert.equal(new Set(plan.samples.map(({ order }) => order)).size, plan.samples.length)
    const attention = plan.orders.find(({ code }) => code === plan.samples[7]?.order)
    assert.equal(attention?.checkin_attention, true)
    assert.match(attention?.checkin_text ?? '', /Wheelchair/)
  })

  it('prints tickets in both languages', () => {
    const [first] = sampleTickets(plan, 'de')
    assert.match(first?.product ?? '', /^Tageskarte \(Erwachsene\)$/)
    assert.equal(first?.note, 'Main entrance: Einlass')
    const tickets = sampleTickets(plan, 'en')
    assert.equal(tickets.length, 13)
    for (const { code, name, order } of tickets) {
      assert.equal(positions.filter(({ secret }) => secret === code).length, 1)
      assert.ok(name !== null && name.length > 3)
      assert.match(order, /^[A-Z3789]{5}-1$/)
    }
  })
})
