import type { SaleCatalogue, SoldProduct } from '../../../schema/bodies/sale-catalogue.ts'

/** A product as a till offers it, changed as a test needs it. */
export const product = (id: number, more: Partial<SoldProduct> = {}): SoldProduct => ({
  id,
  name: { en: `Product ${id}` },
  category: null,
  price: '10.00',
  left: null,
  max_per_order: null,
  seated: false,
  free_price: false,
  personalized: false,
  variations: [],
  addons: [],
  bundles: [],
  ...more,
})

/** What a till sells, of some products. */
export const catalogueOf = (...products: readonly SoldProduct[]): SaleCatalogue => ({
  currency: 'EUR',
  subevent: null,
  dates: [],
  categories: [],
  products,
  questions: [],
  demands: { attendee_name: false, attendee_email: false, company: false, email: false },
  pays_later: false,
  voucher: null,
  drawer: null,
  other_drawers: [],
})
