import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventKey } from '../../../schema/resources/checkin/event-key.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { invoice } from '../../../schema/resources/orders/invoice.ts'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import { openData, openDatabase } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import type { Place, Tx } from '../../../server/resource/transactions.ts'
import { addEvent, addToken } from '../../support/servers/servers.ts'
import { addItem, addList, addOrder, addQuestion } from '../../support/ticketing/tickets.ts'

/** How every planted text begins; nothing else holds it. */
export const mark = 'zqxcanary'

/** What a device at a gate does need, so that it is found there. */
export const seen = 'zqxseen'

/** What was planted at central. */
export interface Planted {
  readonly count: number
  /** A list of the event that the device is for, and the codes of tickets there. */
  readonly list: number
  readonly codes: readonly string[]
  /** Codes of their orders. */
  readonly orders: readonly string[]
}

const guests = 600

/** Plants texts everywhere at central where a device that stands at a gate of the event `gala` must not find them. */
export async function plantCanaries(folder: string, organizer: number, event: number): Promise<Planted> {
  let count = 0
  const canary = (): string => `${mark}${String(count++).padStart(6, '0')}`
  const mail = (): string => `${canary()}@example.org`
  const database = await openDatabase(folder)
  const transactions = await openData(database, realEnv)

  async function sellTo(tx: Tx, place: Place, item: number, silent: number, own: RowData): Promise<string> {
    const position = {
      ...{ item, attendee_email: mail(), company: canary(), street: canary(), zipcode: canary() },
      ...{ city: canary(), answers: [{ question: silent, answer: canary(), options: [] }], ...own },
    }
    const values = {
      ...{ email: mail(), phone: canary(), comment: canary(), customer: canary(), secret: canary() },
      invoice_address: { name: canary(), street: canary(), vat_id: canary() },
    }
    const sold = await addOrder(tx, place, [position], values)
    await insertRow(tx, orderPayment, place, {
      ...{ ...blankRow(orderPayment), id: tx.nextId(), order_id: sold.id, local_id: 1, state: 'confirmed' },
      ...{ amount: '1.00', created: tx.now, provider: 'banktransfer', details: { iban: canary() } },
    })
    await insertRow(tx, invoice, place, {
      ...{ ...blankRow(invoice), id: tx.nextId(), order_id: sold.id, number: canary(), created: tx.now },
      prefix: mark,
      printed: {
        ...{ currency: 'EUR', event: canary(), when: '', timezone: 'UTC', custom_field_label: '' },
        ...{ reverse_charge: false, paid: null },
      },
      ...{ date: '2030-06-01', invoice_to: canary(), invoice_to_name: canary(), introductory_text: canary() },
    })
    return sold.code
  }

  const made = await transactions.write(async (tx) => {
    const gala = { organizer, event }
    const ball = {
      organizer,
      event: await addEvent(tx, organizer, `${mark}-ball`, { name: { en: canary() } }),
    }
    for (let index = 0; index < 50; index += 1) {
      await addToken(tx, organizer, canary(), {})
      const key = { key_id: index, created: tx.now, public_key: `public${index}` }
      await insertRow(tx, eventKey, gala, {
        ...{ ...blankRow(eventKey), id: tx.nextId(), ...key, private_key: canary() },
        scheme: 'gatehouse_1',
      })
      await insertRow(
        tx,
        device,
        { organizer, event: 0 },
        {
          ...{ ...blankRow(device), id: tx.nextId(), device_id: 1000 + index, unique_serial: `S${index}` },
          ...{
            name: `Other ${index}`,
            created: tx.now,
            token_hash: canary(),
            initialization_token: canary(),
          },
          ...{ info: { note: canary() }, limit_events: [`${mark}-ball`] },
        },
      )
    }
    const item = await addItem(tx, gala, seen)
    const away = await addItem(tx, ball, canary())
    const silent = await addQuestion(tx, gala, [item], { identifier: 'silent', ask_during_checkin: false })
    const there = await addQuestion(tx, ball, [away], { identifier: canary() })
    return { gala, ball, item, away, silent, there, list: await addList(tx, gala, 'Gate') }
  })
  const { gala, ball, item, away, silent, there, list } = made
  const codes: string[] = []
  const orders: string[] = []
  for (let first = 0; first < guests; first += 100)
    await transactions.write(async (tx) => {
      for (let index = first; index < first + 100; index += 1) {
        const code = `gala${index}`
        const own = { secret: code, attendee_name: `${seen} ${index}` }
        orders[index] = await sellTo(tx, gala, item, silent, own)
        codes[index] = code
        await sellTo(tx, ball, away, there, { secret: canary(), attendee_name: canary() })
      }
    })
  await transactions.release()
  await database.close()
  return { count, list, codes, orders }
}

/** The files of a folder and of those in it that hold a text, in capitals or not. */
export function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((file) => contentOf(file).toLowerCase().includes(text))
}

/** What is in a file, or nothing where a program that runs has taken it away since it was listed. */
function contentOf(file: string): string {
  try {
    return readFileSync(file).toString('latin1')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw cause
  }
}
