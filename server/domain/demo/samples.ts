import { fullName } from '../text/names.ts'
import type { Random } from './chance.ts'
import type { DemoSeat } from './crowd.ts'
import { answerTo, drawOrder } from './crowd.ts'
import type {
  Bilingual,
  DemoFestival,
  DemoKey,
  DemoOrder,
  DemoPlan,
  DemoPosition,
  DemoSample,
} from './plan.ts'

/** What one order of the sample sheet is, where to scan it and what to expect. */
interface Sample {
  readonly seat: DemoSeat
  readonly list: DemoKey
  readonly expect: Bilingual
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
    expect: { en: 'Main entrance: admitted', de: 'Main entrance: Einlass' },
  },
  {
    seat: child,
    list: 'main-entrance',
    answered: true,
    expect: {
      en: 'Main entrance: the second scan is refused',
      de: 'Main entrance: der zweite Scan wird abgelehnt',
    },
  },
  {
    seat: weekend,
    list: 'main-entrance',
    answered: true,
    order: { status: 'n', comment: 'Sample: unpaid' },
    expect: { en: 'Main entrance: unpaid, ask for the money', de: 'Main entrance: unbezahlt, nachfragen' },
  },
  {
    seat: adult,
    list: 'main-entrance',
    answered: true,
    order: { status: 'c', comment: 'Sample: canceled' },
    expect: { en: 'Main entrance: canceled', de: 'Main entrance: storniert' },
  },
  {
    seat: vip,
    list: 'main-entrance',
    answered: false,
    expect: { en: 'Main entrance: question, which meal?', de: 'Main entrance: Frage, welches Essen?' },
  },
  {
    seat: vip,
    list: 'vip-lounge',
    answered: true,
    expect: { en: 'VIP lounge: admitted three times a day', de: 'VIP lounge: dreimal am Tag Einlass' },
  },
  {
    seat: weekend,
    list: 'vip-lounge',
    answered: true,
    expect: { en: 'VIP lounge: refused by the VIP rule', de: 'VIP lounge: abgelehnt, Regel „nur VIP“' },
  },
  {
    seat: adult,
    list: 'main-entrance',
    answered: true,
    order: {
      checkin_attention: true,
      checkin_text: 'Wheelchair: open the side gate / Rollstuhl: Seitentor öffnen',
    },
    expect: { en: 'Main entrance: admitted with attention', de: 'Main entrance: Einlass mit Hinweis' },
  },
  {
    seat: weekend,
    list: 'main-entrance',
    answered: true,
    order: { status: 'n', require_approval: true, comment: 'Sample: to be approved' },
    expect: {
      en: 'Main entrance: the order needs approval',
      de: 'Main entrance: Bestellung noch nicht bestätigt',
    },
  },
  {
    seat: adult,
    list: 'main-entrance',
    answered: true,
    position: { blocked: ['admin'] },
    expect: { en: 'Main entrance: blocked', de: 'Main entrance: gesperrt' },
  },
  {
    seat: { ...adult, extras: ['workshop'] },
    list: 'workshop',
    answered: true,
    expect: {
      en: 'Workshop: admitted by the add-on',
      de: 'Workshop: Einlass mit dem Extra',
    },
  },
  {
    seat: child,
    list: 'workshop',
    answered: true,
    expect: {
      en: 'Workshop: refused, no workshop was booked',
      de: 'Workshop: abgelehnt, kein Workshop gebucht',
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
      expect,
    })),
  }
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
export function sampleTickets(plan: DemoPlan, locale: 'en' | 'de'): SampleTicket[] {
  return plan.samples.flatMap(({ order, positionid, expect }) => {
    const position = plan.orders
      .find(({ code }) => code === order)
      ?.positions.find((one) => one.positionid === positionid)
    if (!position) return []
    const item = plan.items.find(({ key }) => key === position.item)
    const variation = item?.variations.find(({ key }) => key === position.variation)?.value[locale]
    const product = `${item?.name[locale] ?? ''}${variation === undefined ? '' : ` (${variation})`}`
    const name = fullName(position.attendee_name_parts, 'given_family')
    return [{ code: position.secret, name, product, order: `${order}-${positionid}`, note: expect[locale] }]
  })
}
