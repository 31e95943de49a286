import type { Language } from '../../../schema/texts/translate.ts'
import { fullName } from '../text/names.ts'
import type { Random } from './chance.ts'
import type { DemoSeat } from './crowd.ts'
import { answerTo, drawOrder, said } from './crowd.ts'
import type {
  DemoFestival,
  DemoKey,
  DemoOrder,
  DemoPlan,
  DemoPosition,
  DemoSample,
  DemoText,
} from './plan.ts'
import { demoWord } from './translations.ts'

/** What one order of the sample sheet is, where to scan it and what to expect. */
interface Sample {
  readonly seat: DemoSeat
  readonly list: DemoKey
  readonly expect: DemoText
  readonly order?: Partial<DemoOrder>
  readonly position?: Partial<DemoPosition>
  /** Whether the questions of the ticket are answered already. */
  readonly answered: boolean
}

const adult: DemoSeat = { item: 'day', variation: 'adult', extras: [] }
const child: DemoSeat = { item: 'day', variation: 'child', extras: [] }
const weekend: DemoSeat = { item: 'weekend', variation: null, extras: [] }
const vip: DemoSeat = { item: 'vip', variation: null, extras: [] }

const samples: readonly Sample[] = [
  {
    seat: adult,
    list: 'main-entrance',
    answered: true,
    expect: { en: 'admitted', de: 'Einlass' },
  },
  {
    seat: child,
    list: 'main-entrance',
    answered: true,
    expect: {
      en: 'the second scan is refused',
      de: 'der zweite Scan wird abgelehnt',
    },
  },
  {
    seat: weekend,
    list: 'main-entrance',
    answered: true,
    order: { status: 'n', comment: 'Sample: unpaid' },
    expect: { en: 'unpaid, ask for the money', de: 'unbezahlt, nachfragen' },
  },
  {
    seat: adult,
    list: 'main-entrance',
    answered: true,
    order: { status: 'c', comment: 'Sample: canceled' },
    expect: { en: 'canceled', de: 'storniert' },
  },
  {
    seat: vip,
    list: 'main-entrance',
    answered: false,
    expect: { en: 'question, which meal?', de: 'Frage, welches Essen?' },
  },
  {
    seat: vip,
    list: 'vip-lounge',
    answered: true,
    expect: { en: 'admitted three times a day', de: 'dreimal am Tag Einlass' },
  },
  {
    seat: weekend,
    list: 'vip-lounge',
    answered: true,
    expect: { en: 'refused by the VIP rule', de: 'abgelehnt, Regel „nur VIP“' },
  },
  {
    seat: adult,
    list: 'main-entrance',
    answered: true,
    order: {
      checkin_attention: true,
      checkin_text: 'Wheelchair: open the side gate / Rollstuhl: Seitentor öffnen',
    },
    expect: { en: 'admitted with attention', de: 'Einlass mit Hinweis' },
  },
  {
    seat: weekend,
    list: 'main-entrance',
    answered: true,
    order: { status: 'n', require_approval: true, comment: 'Sample: to be approved' },
    expect: {
      en: 'the order needs approval',
      de: 'Bestellung noch nicht bestätigt',
    },
  },
  {
    seat: adult,
    list: 'main-entrance',
    answered: true,
    position: { blocked: ['admin'] },
    expect: { en: 'blocked', de: 'gesperrt' },
  },
  {
    seat: { ...adult, extras: ['workshop'] },
    list: 'workshop',
    answered: true,
    expect: {
      en: 'admitted by the add-on',
      de: 'Einlass mit dem Extra',
    },
  },
  {
    seat: { ...adult, extras: ['workshop'] },
    list: 'workshop',
    answered: false,
    expect: { en: 'questions, and a waiver to accept', de: 'Fragen, und eine Erklärung zum Annehmen' },
  },
  {
    seat: child,
    list: 'workshop',
    answered: true,
    expect: {
      en: 'refused, no workshop was booked',
      de: 'abgelehnt, kein Workshop gebucht',
    },
  },
]

/** The orders on the sample sheet and what to expect of them. */
export function drawSamples(
  random: Random,
  festival: DemoFestival,
  now: string,
  codes: Set<string>,
): { readonly orders: DemoOrder[]; readonly samples: DemoSample[] } {
  const drawn = samples.map((sample) => ({
    sample,
    order: settle(random, festival, sample, drawOrder({ random, festival, now, codes }, [sample.seat])),
  }))
  return {
    orders: drawn.map(({ order }) => order),
    samples: drawn.map(({ sample: { list, expect }, order: { code } }) => ({
      order: code,
      positionid: 1,
      list,
      expect: expected(expect, list, festival),
    })),
  }
}

/** What to expect, after the name of the list at which to scan. */
function expected(expect: DemoText, list: DemoKey, { checkin_lists, language }: DemoFestival): DemoText {
  const where = checkin_lists.find(({ key }) => key === list)?.name ?? ''
  const at = (text: string) => `${where}: ${text}`
  const { en, de } = expect
  return { [language]: at(demoWord(en, language)), en: at(en), de: at(de) }
}

/** Nothing about these orders is left to chance that would change what happens at the door. */
function settle(random: Random, { questions }: DemoFestival, sample: Sample, order: DemoOrder): DemoOrder {
  const positions = order.positions.map((position) => {
    const asked = questions.filter(({ items }) => sample.answered && items.includes(position.item))
    const answers = asked.map((question) => answerTo(random, question, order.locale))
    return { ...position, ...sample.position, answers }
  })
  const plain = {
    status: 'p',
    checkin_attention: false,
    checkin_text: null,
    require_approval: false,
  } as const
  return { ...order, ...plain, ...sample.order, positions }
}

/** One ticket of the sample sheet, as a ticket sheet prints it; `note` is what to expect. */
export interface SampleTicket {
  readonly code: string
  readonly name: string | null
  readonly product: string
  readonly order: string
  readonly note: string
}

/** The tickets of the sample sheet in a language. */
export function sampleTickets(plan: DemoPlan, locale: Language): SampleTicket[] {
  return plan.samples.flatMap(({ order, positionid, expect }) => {
    const position = plan.orders
      .find(({ code }) => code === order)
      ?.positions.find((one) => one.positionid === positionid)
    if (!position) return []
    const item = plan.items.find(({ key }) => key === position.item)
    const variation = item?.variations.find(({ key }) => key === position.variation)?.value
    const product = `${item ? said(item.name, locale) : ''}${variation ? ` (${said(variation, locale)})` : ''}`
    const name = fullName(position.attendee_name_parts, 'given_family')
    return [
      { code: position.secret, name, product, order: `${order}-${positionid}`, note: said(expect, locale) },
    ]
  })
}
