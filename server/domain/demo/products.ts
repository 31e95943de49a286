import type { DemoDiscount, DemoGiftCard, DemoItem, DemoQuota, DemoVoucher } from './plan.ts'

const withExtras = [{ addon_category: 'extras', min_count: 0, max_count: 2 }]

/** What the festival sells. */
export const items: readonly DemoItem[] = [
  {
    key: 'day',
    name: { en: 'Day ticket', de: 'Tageskarte' },
    category: 'tickets',
    tax_rule: 'reduced',
    default_price: '46.00',
    admission: true,
    position: 0,
    meta_data: { color: '#1f6fd6' },
    variations: [
      { key: 'adult', value: { en: 'Adult', de: 'Erwachsene' }, default_price: '46.00', position: 0 },
      { key: 'child', value: { en: 'Child', de: 'Kind' }, default_price: '23.00', position: 1 },
    ],
    addons: withExtras,
  },
  {
    key: 'weekend',
    name: { en: 'Weekend ticket', de: 'Wochenendkarte' },
    category: 'tickets',
    tax_rule: 'reduced',
    default_price: '98.00',
    admission: true,
    position: 1,
    meta_data: { color: '#f2d21b' },
    variations: [],
    addons: withExtras,
  },
  {
    key: 'vip',
    name: { en: 'VIP', de: 'VIP' },
    category: 'tickets',
    tax_rule: 'standard',
    default_price: '189.00',
    admission: true,
    position: 2,
    meta_data: { color: '#7b2fb0' },
    variations: [],
    addons: withExtras,
  },
  {
    key: 'parking',
    name: { en: 'Parking', de: 'Parkplatz' },
    category: 'extras',
    tax_rule: 'standard',
    default_price: '12.00',
    admission: false,
    position: 3,
    meta_data: { color: '#5b6572' },
    variations: [],
    addons: [],
  },
  {
    key: 'workshop',
    name: { en: 'Drum workshop', de: 'Trommel-Workshop' },
    category: 'extras',
    tax_rule: 'standard',
    default_price: '25.00',
    admission: false,
    position: 4,
    meta_data: { color: '#e8590c' },
    variations: [],
    addons: [],
  },
  {
    key: 'shirt',
    name: { en: 'T-shirt', de: 'T-Shirt' },
    category: 'shop',
    tax_rule: 'standard',
    default_price: '25.00',
    admission: false,
    position: 5,
    variations: [
      { key: 'shirt-s', value: { en: 'S', de: 'S' }, default_price: '25.00', position: 0 },
      { key: 'shirt-m', value: { en: 'M', de: 'M' }, default_price: '25.00', position: 1 },
      { key: 'shirt-l', value: { en: 'L', de: 'L' }, default_price: '25.00', position: 2 },
    ],
    addons: [],
  },
  {
    key: 'mug',
    name: { en: 'Festival mug', de: 'Festivalbecher' },
    category: 'shop',
    tax_rule: 'standard',
    default_price: '5.00',
    admission: false,
    position: 6,
    variations: [],
    addons: [],
  },
  {
    key: 'donation',
    name: { en: 'Donation for the meadows', de: 'Spende für die Uferwiesen' },
    category: 'shop',
    tax_rule: 'standard',
    default_price: '2.00',
    free_price: true,
    admission: false,
    position: 7,
    variations: [],
    addons: [],
  },
]

/** How much of each product there is. */
export const quotas: readonly DemoQuota[] = [
  { name: 'Day', size: 15000, items: ['day'], variations: ['adult', 'child'] },
  { name: 'Weekend', size: 5000, items: ['weekend'], variations: [] },
  { name: 'VIP', size: 900, items: ['vip'], variations: [] },
  { name: 'Parking', size: 1500, items: ['parking'], variations: [] },
  { name: 'Workshop', size: 1500, items: ['workshop'], variations: [] },
  { name: 'T-shirts', size: 200, items: ['shirt'], variations: ['shirt-s', 'shirt-m', 'shirt-l'] },
  { name: 'Mugs', size: 12, items: ['mug'], variations: [] },
  { name: 'Donations', size: 100000, items: ['donation'], variations: [] },
]

/** What is cheaper when bought together. */
export const discounts: readonly DemoDiscount[] = [
  {
    internal_name: 'Family: four day tickets',
    condition_limit_products: ['day'],
    condition_min_count: 4,
    benefit_discount_matching_percent: '10.00',
  },
]

/** The codes that make something cheaper. */
export const vouchers: readonly DemoVoucher[] = [
  {
    code: 'FRIENDS',
    max_usages: 1000,
    price_mode: 'percent',
    value: '20.00',
    item: 'weekend',
    comment: 'To try a voucher at the box office.',
  },
]

/** The gift cards to pay with. */
export const giftCards: readonly DemoGiftCard[] = [
  { secret: 'DEMO-GIFT-CARD', currency: 'EUR', value: '50.00' },
]
