import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { Language } from '../../../schema/texts/translate.ts'
import { localDate, toInstant } from '../text/time.ts'
import type { DemoCheckinList, DemoFestival, DemoKey, DemoQuestion } from './plan.ts'
import { discounts, giftCards, items, quotas, vouchers } from './products.ts'
import { inDemoLanguage } from './translations.ts'

const timezone = 'Europe/Berlin'
const microsecondsOfDay = 86_400 * 1e6

/** The demo event without orders: a festival of three days, of which the day of `now` is the second. */
export function planFestival(now: string, language: Language = 'en'): DemoFestival {
  const onDay = (days: number, time: string): string => {
    const noon = microsecondsOf(toInstant(`${localDate(now, timezone)}T12:00`, timezone))
    return toInstant(`${localDate(instantAt(noon + days * microsecondsOfDay), timezone)}T${time}`, timezone)
  }
  const say = <T>(texts: T): T => inDemoLanguage(texts, language)
  return {
    language,
    organizer: { slug: 'demo', name: 'Demo' },
    event: {
      slug: 'festival',
      name: say({ en: 'Riverside Festival', de: 'Festival am Fluss' }),
      location: say({ en: 'Riverside meadows, Berlin', de: 'Uferwiesen, Berlin' }),
      timezone,
      currency: 'EUR',
      date_admission: onDay(-1, '11:00'),
      date_from: onDay(-1, '12:00'),
      date_to: onDay(1, '23:00'),
      settings: {
        timezone,
        locale: language,
        locales: [...new Set([language, 'en', 'de'])],
        name_scheme: 'given_family',
        kiosk_name_correction: true,
      },
      item_meta_properties: { color: '' },
    },
    tax_rules: say([
      { key: 'standard', name: { en: 'VAT', de: 'MwSt.' }, rate: '19.00' },
      { key: 'reduced', name: { en: 'Reduced VAT', de: 'Ermäßigte MwSt.' }, rate: '7.00' },
    ]),
    categories: say([
      { key: 'tickets', name: { en: 'Tickets', de: 'Eintrittskarten' }, position: 0, is_addon: false },
      { key: 'extras', name: { en: 'Extras', de: 'Dazu' }, position: 1, is_addon: true },
      { key: 'shop', name: { en: 'Shop', de: 'Laden' }, position: 2, is_addon: false },
    ]),
    items: say(items),
    questions: say(questions),
    quotas: say(quotas),
    discounts: say(discounts),
    vouchers,
    gift_cards: giftCards,
    gates: say([
      { key: 'north', name: 'North', identifier: 'north' },
      { key: 'south', name: 'South', identifier: 'south' },
    ]),
    checkin_lists: say(checkinLists),
  }
}

const asked = { ask_during_checkin: true } as const

const questions: readonly DemoQuestion[] = [
  {
    key: 'meal',
    question: { en: 'Which meal?', de: 'Welches Essen?' },
    type: 'C',
    required: true,
    items: ['vip'],
    identifier: 'meal',
    ...asked,
    position: 0,
    options: [
      { identifier: 'meal-fish', answer: { en: 'Fish', de: 'Fisch' }, position: 0 },
      { identifier: 'meal-vegetarian', answer: { en: 'Vegetarian', de: 'Vegetarisch' }, position: 1 },
      { identifier: 'meal-vegan', answer: { en: 'Vegan', de: 'Vegan' }, position: 2 },
    ],
  },
  {
    key: 'emergency',
    question: { en: 'Whom shall we call in an emergency?', de: 'Wen sollen wir im Notfall anrufen?' },
    type: 'S',
    required: false,
    items: ['weekend'],
    identifier: 'emergency',
    ...asked,
    position: 1,
    options: [],
  },
  {
    key: 'drum',
    question: { en: 'Do you bring a drum?', de: 'Bringst du eine Trommel mit?' },
    type: 'B',
    required: false,
    items: ['workshop'],
    identifier: 'drum',
    ...asked,
    position: 2,
    options: [],
  },
  {
    key: 'waiver',
    question: { en: 'Drumming at your own risk', de: 'Trommeln auf eigene Gefahr' },
    // So long a text is read and accepted on a page of its own at a kiosk.
    help_text: {
      en: 'I take part at my own risk. I tell the people of the workshop if I am ill or hurt, use only the drums that I am given, and pay for what I break on purpose. I am at least sixteen years old, or my parents have agreed.',
      de: 'Ich nehme auf eigene Gefahr teil. Ich sage dem Team des Workshops, wenn ich krank oder verletzt bin, benutze nur die Trommeln, die ich bekomme, und ersetze, was ich absichtlich beschädige. Ich bin mindestens sechzehn Jahre alt, oder meine Eltern sind einverstanden.',
    },
    type: 'B',
    required: true,
    items: ['workshop'],
    identifier: 'waiver',
    ...asked,
    position: 3,
    options: [],
  },
]

const ordinary = {
  all_products: false,
  include_pending: false,
  allow_multiple_entries: false,
  allow_entry_after_exit: true,
  addon_match: false,
  rules: {},
} as const

const checkinLists: readonly DemoCheckinList[] = [
  {
    ...ordinary,
    key: 'main-entrance',
    name: 'Main entrance',
    limit_products: ['day', 'weekend', 'vip'],
    include_pending: true,
  },
  {
    ...ordinary,
    key: 'vip-lounge',
    name: 'VIP lounge',
    all_products: true,
    limit_products: [],
    allow_multiple_entries: true,
    rules: {
      and: [
        { inList: [{ var: 'product' }, { objectList: [{ lookup: ['product', 'vip', 'VIP'] }] }] },
        { isAfter: [{ var: 'now' }, { buildTime: ['date_admission'] }, null] },
        { '<': [{ var: 'entries_today' }, 3] },
      ],
    },
  },
  { ...ordinary, key: 'workshop', name: 'Workshop', limit_products: ['workshop'], addon_match: true },
]

/** A list's rules with the ids that its products got in place of their keys. */
export function rulesWithIds(rules: unknown, idOf: (key: DemoKey) => number): unknown {
  if (Array.isArray(rules)) return rules.map((rule) => rulesWithIds(rule, idOf))
  if (rules === null || typeof rules !== 'object') return rules
  const entries = Object.entries(rules).map(([operator, value]) => {
    if (operator !== 'lookup' || !Array.isArray(value)) return [operator, rulesWithIds(value, idOf)]
    const [model, key, label] = value
    return [operator, [model, String(idOf(String(key))), label]]
  })
  return Object.fromEntries(entries)
}
