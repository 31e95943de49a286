import { pick } from '../fuzz/invent.ts'
import type { SentFile } from './exchange.ts'
import type { Source } from './made-up.ts'

type Row = Readonly<Record<string, unknown>>

const ev = 'events/gala/'

const any = ({ draw, stage }: Source, kind: string): unknown =>
  stage.of(kind).length > 0 ? pick(draw, stage.of(kind)) : 99_999

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n').toString(
  'base64',
)

/** The header of a picture with other dimensions. */
function sized(width: number, height: number): string {
  const bytes = Buffer.from(png, 'base64')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}

const file = (fileType: string, fileName: string, base64: string): SentFile => ({
  fileType,
  fileName,
  base64,
})

const files: readonly SentFile[] = [
  file('image/png', 'dog.png', png),
  file('image/gif', 'dog.gif', gif),
  file('application/pdf', 'page.pdf', pdf),
  file('image/png', 'dog.png', gif),
  file('image/png', 'dog.gif', png),
  file('image/png', 'half.png', png.slice(0, 40)),
  file('image/png', 'bomb.png', sized(60_000, 60_000)),
  file('image/png', 'flat.png', sized(0, 5)),
  file('image/jpeg', 'dog.jpg', png),
  file('image/jpeg', 'dog.jpeg', '/9j/4AAQSkZJRg=='),
  file('image/gif', 'dog.gif', gif.slice(0, 12)),
  file('image/svg+xml', 'dog.svg', pdf),
  file('text/plain', 'dog.txt', pdf),
  file('application/pdf', 'page.txt', pdf),
]

/** Uploads a file, and gives it to an item. */
export async function upload(source: Source): Promise<void> {
  const { draw, stage } = source
  const { status, body } = await stage.ask('POST', '/upload', pick(draw, files))
  if (status === 201) stage.add('file', (body as Row).id)
  const name = any(source, 'file')
  const item = `${ev}items/${any(source, 'item')}/`
  if (draw() < 0.5)
    await stage.ask('PATCH', item, { picture: pick(draw, [name, name, null, 'file:keep', 'x', 5]) })
  else await stage.ask('GET', item)
}

const layout = [
  {
    type: 'textarea',
    left: '10.00',
    bottom: '20.00',
    fontsize: '12.0',
    color: [0, 0, 0, 1],
    fontfamily: 'Open Sans',
    bold: false,
    italic: false,
    width: '50.00',
    downward: false,
    content: 'attendee_name',
    text: 'Ann',
    align: 'left',
  },
]

/** Layouts of tickets and badges, and which items have them. */
export async function typeset(source: Source): Promise<void> {
  const { draw, stage } = source
  const path = `${ev}ticketlayouts/`
  const kind = draw()
  const body = {
    name: 'A4',
    layout: pick(draw, [layout, layout, JSON.stringify(layout), [], 'x', [{ type: 'nothing' }], {}]),
    ...pick(draw, [{}, {}, { background: null }, { background: any(source, 'file') }, { background: 'x' }]),
  }
  if (kind < 0.4) {
    const { status, body: row } = await stage.ask('POST', path, body)
    if (status === 201) stage.add('layout', (row as Row).id)
  } else if (kind < 0.6)
    await stage.ask('PATCH', `${path}${any(source, 'layout')}/`, pick(draw, [{ name: 'Other' }, body, {}]))
  else if (kind < 0.65) {
    const id = any(source, 'layout')
    if ((await stage.ask('DELETE', `${path}${id}/`)).status === 204) stage.drop('layout', id)
  } else
    await stage.ask(
      'GET',
      `${ev}${pick(draw, ['ticketlayouts/', 'ticketlayoutitems/', 'badgelayouts/', 'badgeitems/', `ticketlayouts/${any(source, 'layout')}/`, 'ticketlayouts/?page=2', 'badgelayouts/1/', 'badgeitems/1/'])}`,
    )
}

const recipient = {
  is_business: true,
  company: 'Acme',
  name_parts: { _scheme: 'full', full_name: 'Zoe Kay' },
  street: 'Road 1',
  zipcode: '12345',
  city: 'Berlin',
  country: 'DE',
  internal_reference: 'PO 5',
  vat_id: '',
}

/** Bills what was sold. */
export async function bill(source: Source): Promise<void> {
  const { draw, stage } = source
  const kind = draw()
  const order = `${ev}orders/${any(source, 'order')}/`
  const number = any(source, 'invoice')
  const path = `${pick(draw, [ev, ev, ''])}invoices/`
  if (kind < 0.3) {
    const { status, body } = await stage.ask('POST', `${order}create_invoice/`, {})
    if (status === 201) stage.add('invoice', (body as Row).number)
  } else if (kind < 0.4)
    await stage.ask('PATCH', order, {
      invoice_address: pick(draw, [recipient, { ...recipient, is_business: false, company: '' }, null]),
    })
  else if (kind < 0.6)
    await stage.ask(
      'GET',
      `${path}?${pick(draw, ['ordering=nr', 'ordering=-nr', 'ordering=date', 'is_cancellation=true', 'is_cancellation=false', 'is_cancellation=x', 'locale=en', 'refers=x', `refers=${number}`, `number=${number}`, 'number=x', `order=${any(source, 'order')}`, 'order=x', 'page_size=1', 'page_size=1&page=2'])}`,
    )
  else if (kind < 0.75) await stage.ask('GET', `${path}${number}/`)
  else if (kind < 0.85) await stage.ask('POST', `${ev}invoices/${number}/reissue/`, {})
  else if (kind < 0.92) await stage.ask('POST', `${ev}invoices/${number}/regenerate/`, {})
  else await stage.ask('GET', `${ev}invoices/`)
}

const exporters = [
  'orderlist',
  'checkinlist',
  'json',
  'invoicedata',
  'giftcardlist',
  'waitinglist',
  'accountingreport',
  'checkinlistpdf',
  'checkinlog',
  'giftcardredemptionlist',
  'paymentlist',
  'quotalist',
  'answerfiles',
  'nothing',
]

/** Looks for reports, and runs them. */
export async function report(source: Source): Promise<void> {
  const { draw, stage } = source
  const path = `${pick(draw, [ev, ev, ''])}exporters/`
  const kind = draw()
  if (kind < 0.3) await stage.ask('GET', path)
  else if (kind < 0.6) await stage.ask('GET', `${path}${pick(draw, exporters)}/`)
  else
    await stage.ask('POST', `${path}${pick(draw, exporters)}/run/`, {
      ...pick(draw, [
        { _format: 'xlsx', paid_only: false, include_payment_amounts: true, group_multiple_choice: true },
        { _format: 'x' },
        {},
        { list: any(source, 'checkin_list'), _format: 'default', secrets: true, sort: 'name', questions: [] },
        { list: 'x' },
        { date_range: '2030-01-01/2030-01-31' },
        { events: ['nothing'] },
      ]),
    })
}
