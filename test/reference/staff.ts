import { pick } from '../fuzz/invent.ts'
import type { Source } from './made-up.ts'

type Row = Readonly<Record<string, unknown>>

/** One of what there is. */
const any = ({ draw, stage }: Source, kind: string): unknown =>
  stage.of(kind).length > 0 ? pick(draw, stage.of(kind)) : 99_999

const machine = {
  hardware_brand: 'Samsung',
  hardware_model: 'Galaxy S',
  os_name: 'Android',
  os_version: '14',
  software_brand: 'pretixSCAN',
  software_version: '2.0.0',
}

/** A scanner is made, set up, and asks for itself. */
export async function enrol(source: Source): Promise<void> {
  const { draw, stage } = source
  const made = await stage.ask('POST', 'devices/', {
    name: 'Scanner',
    all_events: true,
    limit_events: [],
    security_profile: pick(draw, [
      'full',
      'pretixscan',
      'pretixscan_online_kiosk',
      'pretixscan_online_noorders',
    ]),
  })
  const { device_id: number, initialization_token: token } = made.body as Row
  stage.add('device', number)
  await stage.ask('POST', '/device/initialize', pick(draw, [{ token: 'unknown', ...machine }, { token }, {}]))
  const { body } = await stage.ask('POST', '/device/initialize', { token, ...machine })
  const key = `Device ${(body as Row).api_token}`
  stage.add('key', key)
  await stage.ask('POST', '/device/initialize', { token, ...machine })
  await stage.ask('GET', `devices/${number}/`)
}

/** What a scanner asks for itself. */
export async function serve(source: Source): Promise<void> {
  const { draw, stage } = source
  const key = String(any(source, 'key'))
  const kind = draw()
  if (kind < 0.15) await stage.ask('GET', '/device/info', undefined, key)
  else if (kind < 0.3)
    await stage.ask(
      'GET',
      `/device/eventselection${pick(draw, ['', '?current_event=gala', '?current_event=nothing', '?current_event=gala&current_subevent=1', '?gate=1'])}`,
      undefined,
      key,
    )
  else if (kind < 0.45)
    await stage.ask(
      'POST',
      '/device/update',
      pick(draw, [machine, { ...machine, info: { battery: 5 } }, {}, { ...machine, software_version: null }]),
      key,
    )
  else if (kind < 0.52) {
    const { status, body } = await stage.ask('POST', '/device/roll', {}, key)
    if (status === 200) stage.add('key', `Device ${(body as Row).api_token}`)
  } else if (kind < 0.57) await stage.ask('POST', '/device/revoke', {}, key)
  else if (kind < 0.7) await stage.ask('GET', `devices/${any(source, 'device')}/`)
  else if (kind < 0.8)
    await stage.ask(
      'PATCH',
      `devices/${any(source, 'device')}/`,
      pick(draw, [
        { name: 'Other' },
        { security_profile: 'pretixscan' },
        { device_id: 5 },
        { all_events: 'x' },
      ]),
    )
  else
    await stage.ask(
      'GET',
      pick(draw, [
        'events/',
        'events/gala/',
        'events/gala/settings/',
        'events/gala/settings/',
        'events/gala/items/',
        'events/gala/orders/',
        'events/gala/invoices/',
        'events/gala/badgelayouts/',
        'events/gala/checkinlists/',
        'events/gala/revokedsecrets/',
        'giftcards/',
        'reusablemedia/',
        'customers/',
        'devices/',
        'teams/',
        'events/gala/vouchers/',
        'events/gala/seats/',
      ]),
      undefined,
      key,
    )
}

/** Customers with a season ticket, and cards with money. */
export async function club(source: Source): Promise<void> {
  const { draw, stage } = source
  const kind = draw()
  const card = `giftcards/${any(source, 'gift_card')}/`
  if (kind < 0.15)
    await stage.ask('GET', `customers/${any(source, 'customer')}/${pick(draw, ['', '?expand=memberships'])}`)
  else if (kind < 0.2) await stage.ask('POST', `customers/${any(source, 'customer')}/anonymize/`, {})
  else if (kind < 0.35)
    await stage.ask(
      'GET',
      `memberships/?${pick(draw, [`customer=${any(source, 'customer')}`, 'customer=x', 'testmode=true', `membership_type=${any(source, 'membership_type')}`, 'membership_type=x'])}`,
    )
  else if (kind < 0.45)
    await stage.ask('PATCH', `memberships/${any(source, 'membership')}/`, {
      ...pick(draw, [
        { canceled: true },
        { date_end: '2029-01-01T00:00:00Z' },
        { attendee_name_parts: { _scheme: 'full', full_name: 'Eve' } },
        { customer: 'x' },
      ]),
    })
  else if (kind < 0.65)
    await stage.ask('POST', `${card}transact/`, {
      value: pick(draw, ['5.00', '-5.00', '-999.00', 'x', '0.00', 5, '1.234', null]),
      ...pick(draw, [{}, { text: 'At the counter' }, { info: { till: 5 } }, { text: null }]),
    })
  else if (kind < 0.8) await stage.ask('GET', `${card}transactions/`)
  else if (kind < 0.9)
    await stage.ask('PATCH', card, {
      ...pick(draw, [
        { value: '7.00' },
        { expires: null },
        { testmode: true },
        { currency: 'USD' },
        { secret: 'OTHER' },
        { conditions: 'None' },
        { value: '-5.00' },
      ]),
    })
  else await stage.ask('GET', `${card}${pick(draw, ['', '?expand=owner_ticket', '?include_accepted=true'])}`)
}
