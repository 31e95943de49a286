import { pick } from '../fuzz/invent.ts'
import type { Answered } from './exchange.ts'
import type { Source } from './made-up.ts'
import type { Stage } from './stage.ts'

type Row = Readonly<Record<string, unknown>>

const any = ({ draw, stage }: Source, kind: string): unknown =>
  stage.of(kind).length > 0 ? pick(draw, stage.of(kind)) : 99_999

const transfer = (reference: unknown, amount: unknown, more: Row = {}): Row => ({
  ...{ payer: 'Ann', reference, amount, date: '2026-01-05' },
  ...more,
})

/** The reference imports statements where a plugin is switched on, for the organizer and then for the event. */
export async function openAccount({ stage }: Source): Promise<void> {
  const plugins = ['pretix.plugins.banktransfer']
  await stage.askTheirs('PATCH', '', { plugins })
  await stage.ask('PATCH', 'events/gala/', { plugins })
}

/** A transaction for one order, for two, or for nothing. */
async function made(source: Source): Promise<Row> {
  const { draw, stage } = source
  const code = any(source, 'order')
  const { body } = await stage.ask('GET', `events/gala/orders/${code}/`)
  const { total = '23.00' } = body as Row
  const text = pick(draw, [
    `GALA-${code}`,
    `GALA ${code} thank you`,
    `Order Gala_${code}`,
    `${code}`,
    'a present',
  ])
  const amount = pick(draw, [total, total, total, '1.00', '500.00', '0.00', '-5.00'])
  return transfer(draw() < 0.1 ? `${text} GALA-${any(source, 'order')}` : text, amount, {
    payer: `Ann ${Math.floor(draw() * 1e6)}`,
    ...(draw() < 0.2 ? { external_id: pick(draw, ['a', 'b', 'c', null, '']) } : {}),
    ...(draw() < 0.2 ? { iban: 'DE02120300000000202051', bic: 'BYLADEM1001', comment: 'seen' } : {}),
  })
}

/** Waits until our server has carried out an import; the reference does it at once. */
export const imported = (stage: Stage, { body }: Answered): Promise<void> =>
  stage.waitForOurs(
    `bankimportjobs/${(body as Row).id}/`,
    (shown) => !/pending|running/.test(String((shown as Row).state)),
  )

/** A bank statement is imported, and what became of its transactions and orders is looked at. */
export async function statement(source: Source): Promise<void> {
  const { draw, stage } = source
  const odd = pick(draw, [
    { transactions: 'a' },
    {},
    { transactions: [{}] },
    { transactions: [transfer('x', 'a')], currency: 'EUR' },
    { transactions: [transfer('x', '1', { date: '' })] },
    { transactions: [transfer(null, '1')] },
    { transactions: [], event: 'nowhere' },
    { transactions: [], currency: '' },
    { transactions: [], currency: 'TOO MUCH MONEY' },
  ])
  const body = {
    transactions: [await made(source), ...(draw() < 0.4 ? [await made(source)] : [])],
    ...(draw() < 0.3 ? { event: 'gala' } : {}),
    ...(draw() < 0.2 ? { currency: pick(draw, ['EUR', 'CHF', null]) } : {}),
  }
  const job = await stage.ask('POST', 'bankimportjobs/', draw() < 0.15 ? odd : body)
  if (job.status !== 201) return
  const { id } = job.body as Row
  await imported(stage, job)
  await stage.ask('GET', `bankimportjobs/${id}/`)
  await stage.ask('GET', `events/gala/orders/${any(source, 'order')}/`)
  const query = pick(draw, ['', '?state=completed', '?state=odd', '?event=gala', '?event=nowhere'])
  await stage.ask('GET', `bankimportjobs/${query}`)
}

/** What a program with a token is told of exports that are made again and again, and of personal data. */
export async function refuse(source: Source): Promise<void> {
  const { draw, stage } = source
  const place = pick(draw, ['', 'events/gala/'])
  const kind = draw()
  if (kind < 0.2)
    await stage.ask('GET', `${place}scheduled_exports/${pick(draw, ['', '99999/', '?ordering=-id'])}`)
  else if (kind < 0.4)
    await stage.ask('POST', `${place}scheduled_exports/`, {
      ...{ export_identifier: 'orderlist', export_form_data: { _format: 'xlsx', all_events: true } },
      ...{ mail_subject: 'Orders', mail_template: 'Here', schedule_rrule_time: '04:00:00' },
      schedule_rrule: pick(draw, ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO', 'FREQ=HOURLY', 'x', 'FREQ=MONTHLY']),
      ...pick(draw, [{}, {}, { locale: 'xx' }, { mail_additional_recipients: 'x' }, { mail_subject: '' }]),
    })
  else if (kind < 0.6)
    await stage.ask(
      'GET',
      `events/gala/shredders/${pick(draw, ['', 'invoices/', 'payment_info/', 'nothing/'])}`,
    )
  else
    await stage.ask('POST', 'events/gala/shredders/export/', {
      shredders: pick(draw, [
        ['order_emails'],
        [],
        ['nothing'],
        'order_emails',
        null,
        ['invoices', 'invoices'],
      ]),
    })
}
