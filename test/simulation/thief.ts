import { order } from '../../schema/resources/orders/order.ts'
import { orderPayment } from '../../schema/resources/orders/order-payment.ts'
import { orderPosition } from '../../schema/resources/orders/order-position.ts'
import { siteSpan } from '../../schema/sites.ts'
import { type FactKind, factKinds } from '../../schema/sync.ts'
import { blankRow } from '../../server/resource/defaults.ts'
import { type Held, openHeld } from './checks/reading.ts'
import { ask } from './machines/ask.ts'
import type { Boot } from './machines/machine.ts'
import { type Chance, createChance } from './plan/chance.ts'
import { listNames, type Step } from './plan/plan.ts'
import { initializationToken, thiefTickets } from './plan/scenario.ts'
import type { Run } from './run.ts'

/** What a device at an entrance was given when it joined: whoever has taken it reports what they like. */
export interface StolenAccess {
  readonly token: string
  readonly device: number
  readonly site: number
  /** How many facts it has reported, and how many ids these took. */
  facts: number
  ids: number
}

/** What a forged fact is made of. */
interface Loot {
  readonly run: Run
  readonly chance: Chance
  readonly held: Held
  readonly access: StolenAccess
}

interface Forged {
  readonly payload: object
  readonly device?: number | null
  readonly site?: number
  readonly event?: number
}

const day = '2030-06-01T10:00:00.000000Z'
const amounts = ['-500.00', '0.00', '10.00', '99999999999.99'] as const

const idsIn = ({ held }: Loot, table: string, condition = '1 = 1'): readonly number[] =>
  held.all<{ id: number }>(`SELECT id FROM ${table} WHERE ${condition} ORDER BY id`).map(({ id }) => id)

/** An id of its own, one that somebody has, or one that a site will make. */
function anyId(loot: Loot, table: string): number {
  const { chance, access } = loot
  access.ids += 1
  const own = access.site * siteSpan + access.ids
  const others = idsIn(loot, table)
  return chance.pick([
    own,
    others.length === 0 ? own : chance.pick(others),
    chance.below(6) * siteSpan + chance.between(1, 2000),
  ])
}

const anyOf = (loot: Loot, table: string, condition?: string): number =>
  loot.chance.pick([...idsIn(loot, table, condition), 0])

/** A scan of its own: all that it may do. */
function scanned(loot: Loot): Forged {
  const { run, chance, access } = loot
  access.ids += 1
  const row = {
    id: access.site * siteSpan + access.ids,
    successful: chance.happens(0.8),
    position: null,
    list: run.scenario.lists[chance.pick(listNames)],
    ...{
      datetime: day,
      created: day,
      type: 'entry',
      nonce: `thief ${access.ids}`,
      raw_source_type: 'barcode',
    },
  }
  return {
    payload: {
      row: row.successful ? row : { ...row, error_reason: 'invalid' },
      secret: `secret${chance.pick(thiefTickets)}`,
    },
  }
}

/** The same of others, or under ids of others. */
function scannedByOthers(loot: Loot): Forged {
  const { chance, access } = loot
  const { payload } = scanned(loot)
  const { row, ...rest } = payload as { readonly row: object }
  const forged = { payload: { ...rest, row: { ...row, id: chance.between(1, 3000) } } }
  return chance.pick([
    forged,
    { payload, device: anyOf(loot, 'device', `id <> ${access.device}`) },
    { payload, site: access.site + chance.between(1, 5) },
    { payload, site: 0 },
    { payload, event: 999 },
  ])
}

function undone(loot: Loot): Forged {
  const { chance, held } = loot
  const known = held.all<{ id: number; nonce: string | null; device: number | null }>(
    `SELECT id, nonce, device FROM checkin WHERE nonce NOT LIKE 'thief%' OR nonce IS NULL ORDER BY id`,
  )
  const { id, nonce, device } = chance.pick([...known, { id: 1, nonce: null, device: null }])
  return {
    payload: { checkin: id, nonce, at: day, explanation: 'thief' },
    ...chance.pick([{ device: null }, {}, { device }]),
  }
}

const answered = (loot: Loot): Forged => ({
  payload: {
    position: anyOf(loot, 'order_position'),
    answers: [{ question: loot.run.scenario.unasked, answer: 'thief', options: [] }],
    removed: loot.chance.happens(0.3) ? [loot.run.scenario.unasked] : [],
  },
})

const renamed = (loot: Loot): Forged => ({
  payload: {
    ...{ position: anyOf(loot, 'order_position'), secret: 'thief' },
    ...{ before: {}, parts: { full_name: 'thief' } },
  },
})

function sold(loot: Loot): Forged {
  const { run, chance, access } = loot
  const price = chance.pick(amounts)
  const id = anyId(loot, 'orders')
  const item = chance.pick([run.scenario.plain, run.scenario.scarce])
  const lease = anyOf(loot, 'quota_lease')
  const row = {
    ...{ ...blankRow(order), id, code: `THIEF${access.ids}`, status: 'p', secret: 'thief', total: price },
    ...{ datetime: day, expires: day, last_modified: day },
  }
  const position = {
    ...{
      ...blankRow(orderPosition),
      id: anyId(loot, 'order_position'),
      order_id: id,
      positionid: 1,
      item,
      price,
    },
    ...{ tax_rate: '0.00', tax_value: '0.00', pseudonymization_id: `T${access.ids}` },
    secret: chance.pick([`stolen ${access.ids}`, 'secretT1']),
  }
  const payment = {
    ...{ ...blankRow(orderPayment), id: anyId(loot, 'order_payment'), order_id: id, local_id: 1 },
    ...{ state: 'confirmed', amount: price, created: day, provider: 'manual' },
  }
  const leases = [{ lease: chance.pick([lease, 4711]), parent: chance.pick([null, lease]), count: 1 }]
  const payload = { order: row, positions: [position], fees: [], payments: [payment], leases }
  return { payload, ...chance.pick([{}, {}, { device: null }]) }
}

function leased(loot: Loot): Forged {
  const { chance, held, access } = loot
  const [row] = held.all<{ id: number; parent: number | null; site: number }>(
    'SELECT id, quota, device, site, parent, size, used, state, created, until FROM quota_lease ORDER BY id LIMIT 1',
  )
  if (!row) return { payload: {} }
  const part = {
    ...row,
    id: 4712,
    parent: row.id,
    state: 'open',
    used: 0,
    device: access.device,
    site: access.site,
  }
  return {
    ...chance.pick([{}, { device: null }, { site: row.site }]),
    payload: {
      row: chance.pick([
        { ...row, state: 'expired' },
        { ...row, state: 'returned', size: 0 },
        { ...row, until: '2031-01-01T00:00:00.000000Z' },
        { ...part, size: 1000 },
        { ...part, size: 1 },
        { ...part, size: 1, device: anyOf(loot, 'device'), site: row.site + chance.between(0, 3) },
        { ...part, size: 1, until: '2031-01-01T00:00:00.000000Z' },
      ]),
    },
  }
}

function devices(loot: Loot): Forged {
  const { access, chance } = loot
  const row = { device_id: 999, unique_serial: 'thief', name: 'thief', all_events: true, created: day }
  return {
    ...{ device: null, event: 0 },
    payload: {
      row: {
        ...{ ...row, id: chance.pick([access.device, anyOf(loot, 'device'), access.site * siteSpan + 1]) },
        ...chance.pick([{ security_profile: 'full' }, { revoked: true }]),
      },
    },
  }
}

const spent = (loot: Loot): Forged => ({
  payload: {
    row: { id: anyId(loot, 'gift_card_transaction'), gift_card: loot.run.scenario.card, value: '-5.00' },
  },
  ...loot.chance.pick([{}, { device: null }, { event: 0 }]),
})

/** Something that a till does, with amounts that fit each other. */
function rung(loot: Loot): Forged {
  const { access, chance } = loot
  const amount = chance.pick(amounts)
  const till = chance.pick([access.device, anyOf(loot, 'device')])
  const row = {
    ...{ id: anyId(loot, 'receipt'), till, site: chance.pick([access.site, 0]), number: 1, type: 'sale' },
    ...{ name: 'thief', state: 'open', currency: 'EUR', opened: day, closed: day, started: day, ended: day },
    ...{ tills: [till], drawer: 1, total: amount, lines: [], expected: amount, counted: amount },
    ...{ difference: '0.00', payments: [], hash: 'thief', hash_version: chance.pick([1, 9]) },
  }
  return { payload: { row }, ...chance.pick([{}, { device: null }, { event: 0 }]) }
}

const kinds: Readonly<Record<Exclude<FactKind, 'print'>, (loot: Loot) => Forged>> = {
  checkin: (loot) => (loot.chance.happens(0.6) ? scanned(loot) : scannedByOthers(loot)),
  annulment: undone,
  answers: answered,
  attendee_name: renamed,
  order: sold,
  device: devices,
  lease: leased,
  gift_card: spent,
  drawer: rung,
  receipt: rung,
  closing: rung,
  receipt_print: rung,
  receipt_signature: rung,
}

const isForged = (kind: FactKind): kind is keyof typeof kinds => kind in kinds

/** Somebody reports what they like to a server, with the access of a device at an entrance. */
export async function reportFalsely(
  run: Run,
  boot: Boot,
  step: Extract<Step, { kind: 'report falsely' }>,
): Promise<void> {
  const { machine } = boot
  const access = run.stolen.get(machine.name) ?? (await stealAccess(run, boot))
  const image = machine.copy()
  if (!access || !image) return
  const held = openHeld(machine.name, image)
  const chance = createChance(`thief ${run.plan.seed} ${step.at}`)
  const facts = Array.from({ length: chance.between(1, 8) }, () => {
    const kind = chance.pick(factKinds.filter(isForged))
    const { payload, ...more } = kinds[kind]({ run, chance, held, access })
    access.facts += 1
    const number = access.facts
    return {
      ...{ nonce: `thief ${machine.name} ${number}`, kind, event: run.scenario.event, site: access.site },
      ...{ site_seq: number, device: access.device, device_time: day, mono: number, boot: 'thief' },
      ...{ clock_offset: 0, payload, ...more },
    }
  })
  if (machine.name === 'central')
    await giveOnFalsely(run, boot, {
      ...{ run, held, access },
      chance: createChance(`thief of a hub ${run.plan.seed} ${step.at}`),
    })
  held.close()
  const answer = await push(boot, access.token, access.facts, facts)
  if (answer?.status !== 200) return
  run.record.reached.add(`a thief reported to ${machine.name === 'central' ? 'central' : 'a hub'}`)
}

const push = (boot: Boot, token: string, mono: number, facts: readonly object[]) => {
  const body = { protocol: 1, boot: 'thief', mono, device_time: day, clock_offset: 0, facts }
  return ask(boot, 'POST', '/api/v1/organizers/acme/sync/push/', body, { authorization: `Device ${token}` })
}

/** Somebody who has taken the access of a hub gives parts of its leases that are too large, or to devices of others. */
async function giveOnFalsely(run: Run, boot: Boot, { held, chance, access }: Loot): Promise<void> {
  const hubs = run.plan.machines.filter(({ role }) => role === 'hub')
  const image = run.world.machines.get(hubs.length > 0 ? chance.pick(hubs).name : '')?.copy()
  if (!image) return
  const disk = openHeld('hub', image)
  const isJoined = disk.all<object>("SELECT 1 FROM sqlite_master WHERE name = 'upstream'").length > 0
  const [hub] = isJoined
    ? disk.all<{ token: string; device: number; site: number }>('SELECT token, device, site FROM upstream')
    : []
  const [below] = hub
    ? disk.all<{ id: number }>(`SELECT id FROM device WHERE id > ${hub.site * siteSpan} ORDER BY id`)
    : []
  disk.close()
  if (!hub) return
  const leases = held.all<{ id: number; size: number; site: number }>(
    `SELECT id, quota, device, site, size, created, until FROM quota_lease
     WHERE device = ${hub.device} AND parent IS NULL AND state = 'open'`,
  )
  const facts = leases.map(({ id, size, ...lease }, index) => {
    const device = below?.id ?? hub.device
    const part = { ...lease, id: 4713, device, parent: id, state: 'open', size, site: lease.site + 1 }
    const row = chance.pick([
      { ...part, size: size + 1 },
      { ...part, device: access.device },
      { ...part, device: hub.device },
      { ...part, device: access.device, site: access.site },
    ])
    return {
      ...{ nonce: `thief of a hub ${access.facts} ${index}`, kind: 'lease', event: run.scenario.event },
      ...{ site: hub.site, site_seq: 1, device: null, device_time: day, mono: 1, boot: 'thief' },
      ...{ clock_offset: 0, payload: { row } },
    }
  })
  const answer = facts.length > 0 ? await push(boot, hub.token, 1, facts) : null
  if (answer?.status !== 200) return
  run.record.reached.add('a thief gave leases of a hub on')
  const results = answer.body.results as readonly { readonly status: string }[]
  const taken = results.filter(({ status }) => !['rejected', 'retry', 'quarantined'].includes(status))
  if (taken.length > 0) run.record.wrongs.push(`a thief gave a lease on: ${JSON.stringify(taken)}`)
}

/** Joins with the one-time token of a device at an entrance. */
async function stealAccess(run: Run, boot: Boot): Promise<StolenAccess | undefined> {
  const { name } = boot.machine
  const once = initializationToken(name === 'central' ? 'thief' : 'thief below')
  const about = { hardware_brand: 'x', hardware_model: 'x', software_brand: 'x', software_version: '1' }
  const answer = await ask(
    boot,
    'POST',
    '/api/v1/device/initialize',
    { token: once, ...about },
    {
      authorization: '',
    },
  )
  const token = String(answer?.body.api_token)
  if (answer?.status !== 200) return undefined
  const wish = { protocols: [1], role: 'station', site: null, site_seq: 0 }
  const joined = await ask(boot, 'POST', '/api/v1/organizers/acme/sync/join/', wish, {
    authorization: `Device ${token}`,
  })
  if (joined?.status !== 200) return undefined
  const { device, site } = joined.body as { device: { id: number }; site: number }
  const access = { token, device: device.id, site, facts: 0, ids: 0 }
  run.stolen.set(name, access)
  return access
}
