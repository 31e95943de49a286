import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { Language } from '../../../schema/texts/translate.ts'
import type { Random } from './chance.ts'
import { drawCode, drawSecret, happens, pick, pickWeighted } from './chance.ts'
import { companies, guestsOf, mailAddressOf } from './names.ts'
import type {
  DemoAnswer,
  DemoFestival,
  DemoItem,
  DemoKey,
  DemoOrder,
  DemoPosition,
  DemoQuestion,
  DemoText,
} from './plan.ts'
import { inDemoLanguage } from './translations.ts'

/** A name, and the language of its bearer's order. */
interface Person {
  readonly given: string
  readonly family: string
  readonly locale: Language
}

/** What orders are drawn from: chance, the festival, the moment, and the codes that are used up. */
interface OrderDraw {
  readonly random: Random
  readonly festival: DemoFestival
  readonly now: string
  readonly codes: Set<string>
}

/** One ticket of an order that is being drawn. */
export interface DemoSeat {
  readonly item: DemoKey
  readonly variation: DemoKey | null
  readonly extras: readonly DemoKey[]
}

/** So many orders as an event really has them: families, friends, companies, the unpaid and the canceled. */
export function drawCrowd(draw: OrderDraw, count: number): DemoOrder[] {
  const { random, festival } = draw
  const room = new Map(
    festival.quotas.flatMap(({ size, items }) => items.map((key) => [key, size - reserved] as const)),
  )
  const isLeft = (key: DemoKey): boolean => (room.get(key) ?? 0) > 0
  const take = (key: DemoKey): DemoKey => {
    room.set(key, (room.get(key) ?? 0) - 1)
    return key
  }
  return Array.from({ length: count }, () => {
    const main = pickWeighted(random, [
      ['day', 58],
      ['weekend', 32],
      ['vip', isLeft('vip') ? 10 : 0],
    ])
    const size = pickWeighted(random, [
      [1, 32],
      [2, 40],
      [3, 14],
      [4, 14],
    ])
    const seats = Array.from({ length: size }, (_, place): DemoSeat => {
      const item = take([main, 'day', 'weekend'].find(isLeft) ?? 'day')
      const isChild = place > 0 && happens(random, 0.35)
      const wanted = [
        ...(place === 0 && happens(random, 0.22) ? ['parking'] : []),
        ...(happens(random, 0.1) ? ['workshop'] : []),
      ]
      return {
        item,
        variation: item === 'day' ? (isChild ? 'child' : 'adult') : null,
        extras: wanted.filter(isLeft).map(take),
      }
    })
    return drawOrder(draw, seats)
  })
}

/** Kept back in every quota for the orders on the sample sheet. */
const reserved = 20

/** An order of these tickets by somebody, paid or not, with names and answers given in advance. */
export function drawOrder(
  { random, festival, now, codes }: OrderDraw,
  seats: readonly DemoSeat[],
): DemoOrder {
  const buyer = drawPerson(random, festival.language)
  const company = happens(random, 0.06) ? pick(random, companies) : null
  const status = pickWeighted<DemoOrder['status']>(random, [
    ['p', 915],
    ['n', 40],
    ['c', 30],
    ['e', 15],
  ])
  const attention = happens(random, 0.01)
  return {
    code: drawCode(random, codes),
    status,
    email: mailAddressOf(buyer.given, buyer.family),
    locale: buyer.locale,
    sales_channel: 'web',
    datetime: instantAt(microsecondsOf(now) - Math.floor((random() * 90 + 2) * 86_400 * 1e6)),
    payment_provider: 'banktransfer',
    comment: '',
    checkin_attention: attention,
    checkin_text: attention
      ? said(inDemoLanguage(pick(random, remarks), festival.language), buyer.locale)
      : null,
    require_approval: status === 'n' && happens(random, 0.05),
    positions: drawPositions(random, festival, seats, { buyer, company }),
  }
}

const remarks = [
  { en: 'Wheelchair: open the side gate', de: 'Rollstuhl: Seitentor öffnen' },
  { en: 'Press: hand out the badge', de: 'Presse: Ausweis aushändigen' },
  { en: 'Check the student card', de: 'Studierendenausweis prüfen' },
]

function drawPositions(
  random: Random,
  festival: DemoFestival,
  seats: readonly DemoSeat[],
  { buyer, company }: { readonly buyer: Person; readonly company: string | null },
): DemoPosition[] {
  const positions: DemoPosition[] = []
  for (const [place, seat] of seats.entries()) {
    const person =
      place === 0
        ? buyer
        : drawPerson(random, festival.language, happens(random, 0.6) ? buyer.family : undefined)
    const parent = positions.length + 1
    const shared = {
      attendee_name_parts: { _scheme: 'given_family', given_name: person.given, family_name: person.family },
      attendee_email: place === 0 || happens(random, 0.4) ? mailAddressOf(person.given, person.family) : null,
      company,
      blocked: null,
    }
    for (const [extra, key] of [seat.item, ...seat.extras].entries()) {
      const variation = extra === 0 ? seat.variation : null
      positions.push({
        ...shared,
        positionid: parent + extra,
        item: key,
        variation,
        price: priceOf(festival.items, key, variation),
        secret: drawSecret(random),
        addon_to: extra === 0 ? null : parent,
        answers: drawAnswers(random, festival.questions, key, buyer.locale),
      })
    }
  }
  return positions
}

function priceOf(items: readonly DemoItem[], key: DemoKey, variation: DemoKey | null): string {
  const item = items.find((one) => one.key === key)
  return item?.variations.find((one) => one.key === variation)?.default_price ?? item?.default_price ?? '0.00'
}

/** Most people have answered when they ordered; the others are asked at the entrance. */
function drawAnswers(
  random: Random,
  questions: readonly DemoQuestion[],
  item: DemoKey,
  locale: Language,
): DemoAnswer[] {
  const asked = questions.filter(({ items }) => items.includes(item))
  return asked.filter(() => happens(random, 0.85)).map((question) => answerTo(random, question, locale))
}

/** Some answer to a question. */
export function answerTo(
  random: Random,
  { key, type, required, options }: DemoQuestion,
  locale: Language,
): DemoAnswer {
  if (type === 'B')
    return { question: key, answer: required || happens(random, 0.3) ? 'True' : 'False', options: [] }
  if (type === 'S')
    return {
      question: key,
      answer: `+49 30 ${String(Math.floor(random() * 1e7)).padStart(7, '0')}`,
      options: [],
    }
  const option = pick(random, options)
  return { question: key, answer: said(option.answer, locale), options: [option.identifier] }
}

/** A text in a language, or in English where it has none. */
export const said = (text: DemoText, locale: Language): string => text[locale] ?? text.en

/** Who comes: most from where the language of the demo is spoken, and neighbours. */
const crowds = new Map<Language, ReturnType<typeof crowdOf>>()

const crowdOf = (language: Language) =>
  guestsOf(language).map(
    (group) => [{ ...group, given: split(group.given), family: split(group.family) }, group.share] as const,
  )

function split(names: string): string[] {
  return names.split(/\s+/).map((name) => name.replaceAll('_', ' '))
}

function drawPerson(random: Random, language: Language, family?: string): Person {
  const crowd = crowds.get(language) ?? crowdOf(language)
  crowds.set(language, crowd)
  const country = pickWeighted(random, crowd)
  return {
    given: pick(random, country.given),
    family: family ?? pick(random, country.family),
    locale: country.locale,
  }
}
