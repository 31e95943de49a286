import sql from 'sql-template-tag'
import type { ShownTillPayment } from '../../../schema/bodies/till-payments.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import type { ZvtStatus } from '../../domain/terminals/zvt-packets.ts'
import type { Env } from '../../env.ts'
import { invalid, notFound, Refusal } from '../../errors.ts'
import { amountOf, hundredths } from '../../resource/codec.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { actorOf, type StationSettings, stationSettings } from '../../services/devices/station-settings.ts'
import { cashierAt } from '../../services/drawer/cashier.ts'
import { eventById } from '../../services/events/events.ts'
import {
  changeTillMoney,
  storeTillMoney,
  type TillMoney,
  tillMoney,
  unsettledMoney,
} from '../../services/payments/till-payments.ts'
import type { StartedPayment, TillPaymentWay, WayAnswer } from './payment-way.ts'
import { zvtWay } from './zvt-way.ts'

/** What is asked of a terminal for a sale. */
interface WantedPayment {
  readonly id: string
  readonly sale: string
  readonly amount: string
  readonly basket: JsonObject
}

/** Takes money from terminals before there is a sale, and never forgets what it has asked for. */
export interface TillPaying {
  /** Stores the payment, and asks the terminal for it; asked again with the same id, it says what became of that. */
  begin(wanted: WantedPayment): Promise<ShownTillPayment>
  find(id: string): Promise<ShownTillPayment>
  unsettled(): Promise<ShownTillPayment[]>
  ask(id: string): Promise<ShownTillPayment>
  cancel(id: string): Promise<ShownTillPayment>
  refund(id: string): Promise<ShownTillPayment>
  decide(
    id: string,
    decision: { readonly taken: boolean; readonly reason: string },
  ): Promise<ShownTillPayment>
  spent(id: string, order: string): Promise<ShownTillPayment>
  /** Asks about all that an earlier program has left behind. */
  recover(): Promise<void>
}

/** Milliseconds after which it is asked again what became of a payment, as often as there are numbers. */
const askedAgainAfter = [2000, 10_000, 30_000, 60_000, 120_000] as const

const settingsOf = async (transactions: Transactions): Promise<StationSettings> => {
  const settings = await stationSettings(transactions.database)
  if (!settings) throw new Refusal(409, { detail: 'This station is not set up.' })
  return settings
}

const startedOf = ({ id, amount, currency, created, details }: TillMoney): StartedPayment => ({
  ...{ id, amount, currency, created, details },
})

/** The money of a till as it is stored, shown, and asked about. */
interface TillMoneyDesk {
  readonly transactions: Transactions
  readonly way: TillPaymentWay
  show(money: TillMoney): ShownTillPayment
  stored(id: string): Promise<TillMoney>
  change(money: TillMoney, work: Parameters<typeof changeTillMoney>[2]): Promise<TillMoney>
  /** Asks the terminal for money, and stores what it says. */
  start(money: TillMoney): Promise<void>
  /** Asks what became of it. */
  ask(money: TillMoney): Promise<TillMoney>
  /** Goes on asking for a while. */
  askAgain(money: TillMoney): void
}

/** The terminal of this station. */
const ownTerminal = (transactions: Transactions, env: Env): TillPaymentWay =>
  zvtWay({
    env,
    place: async () => (await settingsOf(transactions)).terminal ?? null,
    isAnothers: (payment, status) => isKnownByOther(transactions, payment, status),
  })

const shownMoney = (money: TillMoney, progress: number | null): ShownTillPayment => {
  const { id, sale, currency, created, state, reason, reference, order_code, refund, basket } = money
  return {
    ...{ id, sale, amount: amountOf(money.amount), currency, created, state, reason, reference, refund },
    ...{ order: order_code, progress },
    tickets: typeof basket.tickets === 'number' ? basket.tickets : null,
  }
}

function openDesk(transactions: Transactions, env: Env): TillMoneyDesk {
  const steps = new Map<string, number>()
  const way = ownTerminal(transactions, env)
  const change: TillMoneyDesk['change'] = ({ organizer, id }, work) =>
    transactions.write((tx) => changeTillMoney(tx, { organizer, id }, work))
  const stored = async (id: string): Promise<TillMoney> => {
    const { organizer } = await settingsOf(transactions)
    const money = await tillMoney(transactions.database, organizer, id)
    if (!money) throw notFound()
    return money
  }
  /** What is certain stays, whatever is said later. */
  const learn = (money: TillMoney, { state, reason, reference, details }: WayAnswer): Promise<TillMoney> =>
    change(money, (now) =>
      now.state === 'paid' || now.state === 'declined'
        ? {}
        : {
            ...{ state, reason, reference: reference ?? now.reference },
            details: { ...now.details, ...details },
          },
    )
  async function ask(money: TillMoney): Promise<TillMoney> {
    const answer = await way.ask(startedOf(money))
    return answer.state === 'pending' ? money : learn(money, answer)
  }
  function askAgain(money: TillMoney, times = 0): void {
    const after = askedAgainAfter[times]
    if (after === undefined) return
    env.after(after, () => {
      void stored(money.id)
        .then((now) => (now.state === 'unknown' ? ask(now) : now))
        .then((now) => now.state === 'unknown' && askAgain(now, times + 1))
        // The screen shows it as unknown, and has a button to ask.
        .catch(() => undefined)
    })
  }
  async function start(money: TillMoney): Promise<void> {
    const answer = await way.start(startedOf(money), (step) => steps.set(money.id, step))
    steps.delete(money.id)
    const known = await learn(money, answer)
    if (known.state === 'unknown') askAgain(known)
  }
  const show = (money: TillMoney) => shownMoney(money, steps.get(money.id) ?? null)
  return { transactions, way, show, stored, change, start, ask, askAgain }
}

/** Stores what is to be paid, then asks the terminal for it. */
async function begin(
  { transactions, way, show, start }: TillMoneyDesk,
  { id, sale, amount, basket }: WantedPayment,
): Promise<ShownTillPayment> {
  const { database } = transactions
  const settings = await settingsOf(transactions)
  const { organizer, event, device } = settings
  const facts = await eventById(database, organizer, event)
  if (!facts) throw new Refusal(409, { detail: 'The event of this station is gone. Choose another one.' })
  if (hundredths(amount) <= 0) throw invalid({ amount: ['Give an amount that is more than nothing.'] })
  if (!settings.terminal)
    throw new Refusal(409, { detail: 'No card terminal is set. Enter its address in the settings.' })
  const { money, isNew } = await transactions.write(async (tx) => {
    const before = await tillMoney(tx, organizer, id)
    const open = before ? [] : await unsettledMoney(tx, organizer)
    if (open.some((one) => one.device === device && one.state !== 'paid'))
      throw new Refusal(409, {
        detail: 'The terminal is asked about another payment. Settle that first, or take cash.',
      })
    const stored = await storeTillMoney(tx, {
      ...{ organizer, id, event, device, sale, way: way.id, amount: hundredths(amount) },
      ...{ currency: facts.currency, state: 'pending', reason: null, reference: null },
      ...{ details: {}, basket, order_code: null, refund: null, decided: null },
    })
    return { money: stored, isNew: !before }
  })
  // It is shown as unknown, and asked about, by whoever comes next.
  if (isNew) void start(money).catch(() => undefined)
  return show(money)
}

/** Gives money back that nothing was sold for. */
async function giveBack({ way, show, stored, change }: TillMoneyDesk, id: string): Promise<ShownTillPayment> {
  const money = await change(await stored(id), (now) => {
    if (now.state !== 'paid') throw new Refusal(409, { detail: 'Only what was taken can be given back.' })
    if (now.order_code !== null)
      throw new Refusal(409, { detail: `It has paid for the order ${now.order_code}. Refund that.` })
    if (now.refund === 'done' || now.refund === 'pending')
      throw new Refusal(409, { detail: 'It is given back already.' })
    return { refund: 'pending' }
  })
  const { state, reason } = await way.refund(startedOf(money))
  return show(await change(money, () => ({ refund: state, reason })))
}

/** What somebody says of money that nobody else knows of, and why. */
async function decide(
  { transactions, show, stored, change }: TillMoneyDesk,
  id: string,
  { taken, reason }: { readonly taken: boolean; readonly reason: string },
): Promise<ShownTillPayment> {
  const actor = actorOf(await settingsOf(transactions))
  const { cashier } = await transactions.write((tx) => cashierAt(tx, actor))
  const decided = `${cashier}: ${reason}`
  const money = await change(await stored(id), (now) => {
    if (now.state === 'unknown') return { state: taken ? 'paid' : 'declined', decided }
    // What the terminal refuses to give back is given back by hand.
    if (now.state === 'paid' && now.order_code === null && !taken) return { refund: 'done', decided }
    throw new Refusal(409, { detail: 'It is known what became of this payment.' })
  })
  return show(money)
}

/** Opens it for this machine's station. */
export function openTillPaying(transactions: Transactions, env: Env): TillPaying {
  const desk = openDesk(transactions, env)
  const { way, show, stored, change } = desk
  const { database } = transactions
  return {
    begin: (wanted) => begin(desk, wanted),
    find: async (id) => show(await stored(id)),
    async unsettled() {
      const { organizer } = await settingsOf(transactions)
      return (await unsettledMoney(database, organizer)).map(show)
    },
    async ask(id) {
      const money = await stored(id)
      return show(money.state === 'unknown' ? await desk.ask(money) : money)
    },
    async cancel(id) {
      const money = await stored(id)
      if (money.state === 'pending') await way.cancel(startedOf(money))
      return show(money)
    },
    refund: (id) => giveBack(desk, id),
    decide: (id, decision) => decide(desk, id, decision),
    spent: async (id, order) =>
      show(await change(await stored(id), (now) => ({ order_code: now.order_code ?? order }))),
    async recover() {
      const settings = await stationSettings(database)
      if (!settings) return
      for (const money of await unsettledMoney(database, settings.organizer)) {
        const now = await change(money, ({ state, refund }) => ({
          ...(state === 'pending' ? { state: 'unknown', reason: 'closed' } : {}),
          ...(refund === 'pending' ? { refund: 'unknown' } : {}),
        }))
        if (now.state === 'unknown') desk.askAgain(await desk.ask(now))
      }
    },
  }
}

/** Whether another payment of this station is known by the numbers of a status. */
async function isKnownByOther(
  { database }: Transactions,
  { id }: StartedPayment,
  { receipt, trace, terminal }: ZvtStatus,
): Promise<boolean> {
  if (receipt === null && trace === null) return false
  const rows = await database.all<{ details: string }>(
    sql`SELECT details FROM till_payment WHERE id <> ${id} AND state = 'paid' ORDER BY created DESC LIMIT 500`,
  )
  return rows.some(({ details }) => {
    const known = JSON.parse(details) as JsonObject
    return known.receipt === receipt && known.trace === trace && known.terminal === terminal
  })
}
