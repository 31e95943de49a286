import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { SaleSeats } from '../../../schema/bodies/seats.ts'
import { useTill } from '../context.ts'
import {
  isFree,
  type PlacedSeat,
  type PlanView,
  rowsOf,
  seatBeside,
  spacingOf,
  type Way,
  wholeView,
  zonesOf,
  zoomed,
} from './seat-plan.ts'
import style from './seat-plan-view.module.css'

interface Props {
  readonly seats: readonly PlacedSeat[]
  readonly categories: SaleSeats['categories']
  /** Those in the basket. */
  readonly mine: ReadonlySet<string>
  readonly sellsBlocked: boolean
  /** What it costs; null where it is not sold. */
  readonly priceOf: (seat: PlacedSeat) => string | null
  readonly onPress: (seat: PlacedSeat) => void
}

const ways: Readonly<Record<string, Way>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** How much nearer one step of the zoom comes. */
const zoomStep = 1.5

/** The plan as a picture in which each seat can be pressed; arrow keys go from seat to seat. */
export function SeatPlanView(props: Props) {
  const { seats, mine, sellsBlocked, priceOf, onPress } = props
  const { t, amount } = useTill()
  const size = useMemo(() => spacingOf(seats), [seats])
  const whole = useMemo(() => wholeView(seats, size * 2), [seats, size])
  const zoom = useSignal<PlanView | null>(null)
  const at = useSignal<string | null>(null)
  const view = zoom.value ?? whole
  const current =
    seats.find(({ guid }) => guid === at.value) ?? seats.find((one) => isFree(one, sellsBlocked))
  if (!current) return <p class={style.hint}>{t('till.seats.none')}</p>

  const closer = (factor: number) => {
    const next = zoomed(view, factor, at.value === null ? middleOf(view) : current)
    zoom.value = next.width >= whole.width ? null : next
  }
  const go = (seat: PlacedSeat) => {
    at.value = seat.guid
    if (zoom.value && !isWithin(seat, zoom.value)) zoom.value = around(seat, zoom.value)
  }
  const hear = (event: KeyboardEvent) => {
    const way = ways[event.key]
    if (way) go(at.value === null ? current : seatBeside(seats, current, way))
    else if (event.key === 'Enter' || event.key === ' ') onPress(current)
    else if (event.key === '+') closer(zoomStep)
    else if (event.key === '-') closer(1 / zoomStep)
    else return
    event.preventDefault()
  }
  const price = priceOf(current)
  const said = [
    current.name,
    ...(price === null ? [] : [amount(price)]),
    t(`till.seat.${stateWith(mine, current)}`),
  ].join(' · ')
  return (
    <div class={style.plan}>
      <div class={style.tools}>
        <p class={style.current} aria-live="polite">
          {said}
        </p>
        <button type="button" aria-label={t('till.seats.farther')} onClick={() => closer(1 / zoomStep)}>
          −
        </button>
        <button type="button" aria-label={t('till.seats.closer')} onClick={() => closer(zoomStep)}>
          +
        </button>
      </div>
      <div
        role="listbox"
        aria-label={t('till.seats')}
        aria-multiselectable="true"
        aria-activedescendant={at.value === null ? undefined : idOf(current)}
        tabIndex={0}
        class={style.frame}
        onKeyDown={hear}
        onWheel={(event) => closer(event.deltaY < 0 ? zoomStep : 1 / zoomStep)}
        onClick={(event) => {
          const pressed = seatUnder(event.target, seats)
          if (!pressed) return
          at.value = pressed.guid
          onPress(pressed)
        }}
      >
        <svg
          role="presentation"
          class={style.picture}
          viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
        >
          <Drawn {...props} size={size} />
          {at.value !== null && <circle class={style.focus} cx={current.x} cy={current.y} r={size * 0.56} />}
        </svg>
      </div>
      <Legend {...props} />
    </div>
  )
}

const stateWith = (mine: ReadonlySet<string>, seat: PlacedSeat) => (mine.has(seat.guid) ? 'mine' : seat.state)

const idOf = ({ guid }: PlacedSeat): string => `seat-${guid}`

const middleOf = ({ x, y, width, height }: PlanView) => ({ x: x + width / 2, y: y + height / 2 })

const isWithin = (seat: PlacedSeat, { x, y, width, height }: PlanView): boolean =>
  seat.x > x && seat.x < x + width && seat.y > y && seat.y < y + height

const around = ({ x, y }: PlacedSeat, { width, height }: PlanView): PlanView => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
})

const seatUnder = (target: EventTarget | null, seats: readonly PlacedSeat[]): PlacedSeat | undefined => {
  const guid = target instanceof Element ? target.closest('[data-seat]')?.getAttribute('data-seat') : null
  return seats.find((seat) => seat.guid === guid)
}

/** Colours for categories that the plan gives none. */
const colors = ['#2f7fd6', '#b5651d', '#7a4fc2', '#1d8a5b', '#c23b5e', '#5b7a1d']

const colorOf = (categories: SaleSeats['categories'], name: string): string => {
  const index = categories.findIndex((one) => one.name === name)
  return categories[index]?.color ?? colors[Math.max(0, index) % colors.length] ?? '#2f7fd6'
}

interface DrawnProps extends Props {
  /** How far seats are from each other. */
  readonly size: number
}

/** The zones with their names, and the rows with theirs at both ends. */
function Places({ seats, size }: Pick<DrawnProps, 'seats' | 'size'>) {
  return (
    <g style={{ fontSize: `${size * 0.6}px` }}>
      {zonesOf(seats, size * 1.5).map(({ name, ...area }) => (
        <g key={name}>
          <rect class={style.zone} {...area} rx={size / 2} />
          <text class={style.zoneName} data-zone={name} x={area.x + area.width / 2} y={area.y + size * 0.7}>
            {name}
          </text>
        </g>
      ))}
      {rowsOf(seats).flatMap((row) =>
        [row[0], row.at(-1)].map(
          (seat, end) =>
            seat && (
              <text
                key={`${seat.zone}/${seat.row}/${end}`}
                class={style.row}
                x={seat.x + (end === 0 ? -size : size)}
                y={seat.y + size * 0.2}
              >
                {seat.row}
              </text>
            ),
        ),
      )}
    </g>
  )
}

/** The plan itself, which stays as it is while it is moved. */
function Drawn({ seats, categories, mine, sellsBlocked, priceOf, size }: DrawnProps) {
  const { t, amount } = useTill()
  return useMemo(() => {
    const radius = size * 0.42
    const fills = new Map(categories.map(({ name }) => [name, colorOf(categories, name)]))
    // What thousands of seats have in common is written once.
    const prices = new Map<number | null, string>()
    const states = new Map<string, string>()
    const writtenPrice = (price: string | null): string => (price === null ? '' : `${amount(price)}, `)
    const labelOf = (seat: PlacedSeat, state: ReturnType<typeof stateWith>): string => {
      const price = prices.get(seat.product) ?? writtenPrice(priceOf(seat))
      const word = states.get(state) ?? t(`till.seat.${state}`)
      prices.set(seat.product, price)
      states.set(state, word)
      return `${seat.name}, ${price}${word}`
    }
    return (
      <>
        <Places seats={seats} size={size} />
        {seats.map((seat) => {
          const isMine = mine.has(seat.guid)
          const state = stateWith(mine, seat)
          return (
            <circle
              key={seat.guid}
              id={idOf(seat)}
              class={style.seat}
              role="option"
              aria-selected={isMine}
              aria-disabled={!isMine && !isFree(seat, sellsBlocked)}
              aria-label={labelOf(seat, state)}
              data-seat={seat.guid}
              data-state={state}
              cx={seat.x}
              cy={seat.y}
              r={state === 'free' || isMine ? radius : radius * 0.6}
              style={{ '--fill': fills.get(seat.category) ?? colors[0] }}
            />
          )
        })}
      </>
    )
  }, [seats, categories, mine, size])
}

/** What the colours and shapes mean, with prices. */
function Legend({ seats, categories, priceOf }: Props) {
  const { t, amount } = useTill()
  return (
    <ul class={style.legend}>
      {categories.map(({ name }) => {
        const first = seats.find(({ category }) => category === name)
        const price = first ? priceOf(first) : null
        return (
          <li key={name}>
            <i style={{ background: colorOf(categories, name) }} />
            {name} {price !== null && amount(price)}
          </li>
        )
      })}
      {(['mine', 'sold', 'blocked'] as const).map((state) => (
        <li key={state}>
          <i data-state={state} />
          {t(`till.seat.${state}`)}
        </li>
      ))}
    </ul>
  )
}
