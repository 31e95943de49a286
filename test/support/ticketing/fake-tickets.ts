import type { FoundPosition } from '../../../schema/bodies/guests.ts'
import type { CheckinQuestion, ScannedPosition } from '../../../schema/bodies/scan-result.ts'

/** A ticket of the fake station. What its secret begins with decides how a scan of it ends. */
export interface FakeTicket {
  readonly id: number
  readonly secret: string
  readonly order: string
  readonly positionid: number
  readonly name: string | null
  readonly item: Record<string, string>
  readonly variation?: Record<string, string>
  readonly seat?: string
  readonly status?: string
  readonly addons?: readonly string[]
}

const regular = { en: 'Weekend ticket', de: 'Wochenend-Ticket' }
const day = { en: 'Day ticket', de: 'Tagesticket' }

/** The tickets of the fake station. */
export const fakeTickets: readonly FakeTicket[] = [
  { id: 1, secret: 'OK-1', order: 'A7K3Q', positionid: 1, name: 'Amélie Novák', item: regular },
  {
    id: 2,
    secret: 'OK-2',
    order: 'B2XYZ',
    positionid: 1,
    name: 'Jonas Weber',
    item: day,
    variation: { en: 'Saturday', de: 'Samstag' },
    seat: 'Block C, row 4, seat 12',
    addons: ['Parking', 'T-Shirt'],
  },
  {
    id: 3,
    secret: 'OK-3',
    order: 'B2XYZ',
    positionid: 2,
    name: 'Mia Weber',
    item: day,
    variation: { en: 'Saturday', de: 'Samstag' },
    seat: 'Block C, row 4, seat 13',
  },
  {
    id: 4,
    secret: 'OK-4',
    order: 'B2XYZ',
    positionid: 3,
    name: 'Leon Weber',
    item: day,
    variation: { en: 'Saturday', de: 'Samstag' },
  },
  {
    id: 5,
    secret: 'OK-LONG',
    order: 'LNG01',
    positionid: 1,
    name: 'Maximiliane Freifrau von Wolkenstein-Trostburg zu Hohenschwangau',
    item: {
      en: 'Weekend ticket including camping and early access',
      de: 'Wochenend-Ticket mit Camping und frühem Einlass',
    },
    variation: {
      en: 'Reduced (pupils, students, trainees)',
      de: 'Ermäßigt (Schüler, Studierende, Auszubildende)',
    },
    seat: 'Grandstand north, block 112, row 27, seat 304',
    addons: ['Camping', 'Parking P3', 'Breakfast Saturday', 'Breakfast Sunday'],
  },
  {
    id: 6,
    secret: 'ATT-1',
    order: 'ATT01',
    positionid: 1,
    name: 'Tomas Berg',
    item: { en: 'Reduced', de: 'Ermäßigt' },
  },
  { id: 7, secret: 'USED-1', order: 'USE01', positionid: 1, name: 'Carla Rossi', item: regular },
  {
    id: 8,
    secret: 'UNPAID-1',
    order: 'UNP01',
    positionid: 1,
    name: 'Ole Hansen',
    item: regular,
    status: 'n',
  },
  {
    id: 9,
    secret: 'CANCELED-1',
    order: 'CAN01',
    positionid: 1,
    name: 'Petra Kurz',
    item: regular,
    status: 'c',
  },
  { id: 10, secret: 'ASK-1', order: 'ASK01', positionid: 1, name: 'Nora Lind', item: regular },
  { id: 11, secret: 'ALL-1', order: 'ALL01', positionid: 1, name: 'Yusuf Demir', item: regular },
  {
    id: 12,
    secret: 'PRODUCT-1',
    order: 'PRO01',
    positionid: 1,
    name: 'Ida Falk',
    item: { en: 'Backstage', de: 'Backstage' },
  },
  { id: 13, secret: 'RULES-1', order: 'RUL01', positionid: 1, name: null, item: day },
  { id: 14, secret: 'BLOCKED-1', order: 'BLO01', positionid: 1, name: 'Sven Ott', item: regular },
  { id: 15, secret: 'TIME-1', order: 'TIM01', positionid: 1, name: 'Lea Sommer', item: day },
  ...Array.from(
    { length: 40 },
    (_, index): FakeTicket => ({
      id: 100 + index,
      secret: `OK-${100 + index}`,
      order: `M${1000 + index}`,
      positionid: 1,
      name: `Guest ${index + 1} Miller`,
      item: regular,
    }),
  ),
]

const ask = (
  id: number,
  type: CheckinQuestion['type'],
  en: string,
  de: string,
  more: Partial<CheckinQuestion> = {},
): CheckinQuestion => ({
  id,
  question: { en, de },
  help_text: null,
  type,
  required: true,
  position: id,
  options: [],
  ...more,
})

const option = (id: number, en: string, de: string) => ({
  id,
  identifier: `O${id}`,
  position: id,
  answer: { en, de },
})

/** The questions of tickets `ASK-…` (two of them) and `ALL-…` (one of each type). */
export const fakeQuestions: readonly CheckinQuestion[] = [
  ask(1, 'C', 'Which workshop do you go to?', 'Welcher Workshop?', {
    options: [
      option(11, 'Sound design', 'Klangregie'),
      option(12, 'Stage lighting', 'Bühnenlicht'),
      option(13, 'None', 'Keiner'),
    ],
  }),
  ask(2, 'S', 'Number of the wristband', 'Nummer des Armbands', {
    required: false,
    help_text: { en: 'It is printed on the inside.', de: 'Steht auf der Innenseite.' },
  }),
  ask(3, 'N', 'How old are you?', 'Wie alt?', { valid_number_min: '16', valid_number_max: '120' }),
  ask(4, 'B', 'Does the guest accept the house rules?', 'Hausordnung angenommen?'),
  ask(5, 'M', 'What did you bring?', 'Was ist dabei?', {
    required: false,
    options: [
      option(51, 'Tent', 'Zelt'),
      option(52, 'Stove', 'Kocher'),
      option(53, 'Dog', 'Hund'),
      option(54, 'Bicycle', 'Fahrrad'),
    ],
  }),
  ask(6, 'D', 'Date of birth', 'Geburtsdatum', { valid_date_max: '2010-12-31' }),
  ask(7, 'H', 'When does the bus go?', 'Wann fährt der Bus?', { required: false }),
  ask(8, 'W', 'When do you leave?', 'Abreise?', { required: false }),
  ask(9, 'CC', 'Country', 'Land'),
  ask(10, 'TEL', 'Phone in an emergency', 'Telefon im Notfall', { required: false }),
  ask(14, 'T', 'Anything we should know?', 'Sonst noch etwas?', { required: false }),
  ask(15, 'F', 'Photo', 'Foto', { required: false }),
]

/** The ticket as a scan's result shows it. */
export const scannedOf = (ticket: FakeTicket, checkins: ScannedPosition['checkins']): ScannedPosition => ({
  id: ticket.id,
  order: ticket.order,
  positionid: ticket.positionid,
  attendee_name: ticket.name,
  item_name: ticket.item,
  item_color: null,
  variation_name: ticket.variation ?? null,
  subevent_name: null,
  seat: ticket.seat ? { name: ticket.seat } : null,
  secret: ticket.secret,
  addons: (ticket.addons ?? []).map((name) => ({ item_name: { en: name }, variation_name: null })),
  order_status: ticket.status ?? 'p',
  checkins,
})

/** The ticket as the search shows it. */
export const foundOf = (ticket: FakeTicket, checkins: FoundPosition['checkins']): FoundPosition => ({
  id: ticket.id,
  order: ticket.order,
  order__status: ticket.status ?? 'p',
  positionid: ticket.positionid,
  item: { name: ticket.item },
  variation: ticket.variation ? { value: ticket.variation } : null,
  attendee_name: ticket.name,
  attendee_email: null,
  company: null,
  secret: ticket.secret,
  seat: ticket.seat ? { name: ticket.seat } : null,
  checkins,
})
