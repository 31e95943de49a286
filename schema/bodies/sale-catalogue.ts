import { type Static, Type } from 'typebox'
import { the } from '../json-schema.ts'
import type { Question } from '../resources/catalogue/question.ts'
import {
  shownFlag,
  shownList,
  shownMoment,
  shownNames,
  shownOrNull,
  shownRecord,
  shownText,
  shownTextOrNull,
  shownWhole,
  shownWholeOrNull,
} from '../shown.ts'
import type { CheckinQuestion } from './scan-result.ts'

const variation = shownRecord({
  id: shownWhole,
  name: shownNames,
  /** With tax, as a decimal number. */
  price: shownText,
  /** How many can still be sold; null for any number. */
  left: shownWholeOrNull,
})

/** A form of a product that is sold. */
export type SoldVariation = Static<typeof variation>

const addonChoice = shownRecord({
  category: shownWhole,
  min_count: shownWhole,
  max_count: shownWhole,
  multi_allowed: shownFlag,
  price_included: shownFlag,
})

/** From which category, and how many, products are added to another one. */
export type AddonChoice = Static<typeof addonChoice>

const bundledProduct = shownRecord({
  product: shownWhole,
  variation: shownWholeOrNull,
  /** How many come with each one of the other product. */
  count: shownWhole,
  name: shownNames,
  variation_name: shownOrNull(shownNames),
  personalized: shownFlag,
})

/** A product that comes with another one, in whose price it is. */
export type BundledProduct = Static<typeof bundledProduct>

const product = shownRecord({
  id: shownWhole,
  name: shownNames,
  category: shownWholeOrNull,
  price: shownText,
  left: shownWholeOrNull,
  max_per_order: shownWholeOrNull,
  /** Whether a seat is chosen with it. */
  seated: shownFlag,
  /** Whether the buyer may pay more than the price. */
  free_price: shownFlag,
  /** Whether its tickets are for somebody, whose name can be asked for. */
  personalized: shownFlag,
  variations: shownList(variation),
  addons: shownList(addonChoice),
  bundles: shownList(bundledProduct),
})

/** A product as a till offers it; one with variations is sold by them. */
export type SoldProduct = Static<typeof product>

const category = shownRecord({ id: shownWhole, name: shownNames, is_addon: shownFlag })

const date = shownRecord({ id: shownWhole, name: shownNames, date_from: shownMoment })

/** A date of a series that tickets are sold for. */
export type SoldDate = Static<typeof date>

const tillAtDrawer = shownRecord({
  name: shownText,
  /** Who has signed in there; null for nobody. */
  cashier: shownTextOrNull,
  here: shownFlag,
})

const openDrawer = shownRecord({
  id: shownWhole,
  name: shownText,
  opened: shownMoment,
  training: shownFlag,
  tills: shownList(tillAtDrawer),
})

/** An open drawer, and the tills that work at it. */
export type TillDrawer = Static<typeof openDrawer>

const redeemedVoucher = shownRecord({
  code: shownText,
  /** How many more tickets it is good for. */
  uses_left: shownWhole,
})

/** A voucher that a till sells with. */
export type SaleVoucher = Static<typeof redeemedVoucher>

/** A question that is asked when something is sold, and on which answer to another one it depends. */
export type SaleQuestion = CheckinQuestion &
  Readonly<Pick<Question, 'items' | 'dependency_question' | 'dependency_values'>>

const demands = shownRecord({
  /** About everybody who has a ticket of their own. */
  attendee_name: shownFlag,
  attendee_email: shownFlag,
  company: shownFlag,
  /** About the buyer. */
  email: shownFlag,
})

/** What nothing is sold without. */
export type SaleDemands = Static<typeof demands>

const saleCatalogue = shownRecord({
  currency: shownText,
  /** The date that the products are of; null where the event has no dates. */
  subevent: shownWholeOrNull,
  dates: shownList(date),
  categories: shownList(category),
  products: shownList(product),
  /** What is asked about tickets of some products, in its order. */
  questions: shownList(Type.Unsafe<SaleQuestion>(the('Question'))),
  demands,
  /** Whether something may be sold that is paid later, by invoice. */
  pays_later: shownFlag,
  /** The voucher that the products and their prices are for; null without one. */
  voucher: shownOrNull(redeemedVoucher),
  /** The drawer that is open at this till; null where none is, so that no receipts are written. */
  drawer: shownOrNull(openDrawer),
  /** Drawers that are open at other tills of this server, where this till can work as well. */
  other_drawers: shownList(openDrawer),
})

/** What a till sells, in the order in which it is shown. */
export type SaleCatalogue = Static<typeof saleCatalogue>
