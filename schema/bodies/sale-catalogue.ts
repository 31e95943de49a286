import type { Static } from 'typebox'
import {
  shownFlag,
  shownList,
  shownMoment,
  shownNames,
  shownOrNull,
  shownRecord,
  shownText,
  shownWhole,
  shownWholeOrNull,
} from '../shown.ts'

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
  variations: shownList(variation),
  addons: shownList(addonChoice),
})

/** A product as a till offers it; one with variations is sold by them. */
export type SoldProduct = Static<typeof product>

const category = shownRecord({ id: shownWhole, name: shownNames, is_addon: shownFlag })

const date = shownRecord({ id: shownWhole, name: shownNames, date_from: shownMoment })

/** A date of a series that tickets are sold for. */
export type SoldDate = Static<typeof date>

const openDrawer = shownRecord({ id: shownWhole, name: shownText, opened: shownMoment, training: shownFlag })

/** The drawer that a till works at. */
export type TillDrawer = Static<typeof openDrawer>

const saleCatalogue = shownRecord({
  currency: shownText,
  /** The date that the products are of; null where the event has no dates. */
  subevent: shownWholeOrNull,
  dates: shownList(date),
  categories: shownList(category),
  products: shownList(product),
  /** The drawer that is open at this till; null where none is, so that no receipts are written. */
  drawer: shownOrNull(openDrawer),
})

/** What a till sells, in the order in which it is shown. */
export type SaleCatalogue = Static<typeof saleCatalogue>
