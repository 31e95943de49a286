import type { ListStatistics, QuarterPasses } from '../../schema/bodies/station-state.ts'
import { useApp } from '../parts/context.ts'
import { clock, count, formatMoment } from '../text/format.ts'
import { type PassRow, PassTable } from './pass-tables.tsx'
import { passesIn } from './passes.ts'
import style from './quarter-chart.module.css'

/** How wide a quarter of an hour is drawn, in units of the picture, and how much of that is its bar. */
const slot = 10
const barWidth = 8

const entriesOf = ({ first_entries, reentries }: QuarterPasses): number => first_entries + reentries

/** The quarters of an hour of an evening: as a picture, entries above the line and exits below, and in numbers. */
export function QuarterChart({ statistics }: { readonly statistics: ListStatistics }) {
  const { t, language } = useApp().voice
  const { quarters, earlier, timezone } = statistics
  const now = quarters.at(-1)?.from ?? ''
  const when = (at: string): string => formatMoment(at, now, timezone, language)
  const rows: PassRow[] = quarters
    .filter((quarter) => passesIn(quarter) > 0)
    .map((quarter) => ({ key: quarter.from, name: when(quarter.from), passes: quarter }))
    .toReversed()
  const before = { key: 'earlier', name: t('statistics.earlier'), passes: earlier }
  const [busiest] = quarters.toSorted((a, b) => entriesOf(b) - entriesOf(a))
  const first = quarters[0]?.from ?? ''
  const label = `${t('statistics.quarter')}, ${when(first)} – ${when(now)}`
  return (
    <>
      <figure class={style.quarters}>
        <Picture quarters={quarters} label={label} />
        <figcaption>
          <span>{when(first)}</span>
          {busiest && (
            <b>
              {when(busiest.from)}: {count(entriesOf(busiest), language)}
            </b>
          )}
          <span>{clock(now, timezone, language)}</span>
        </figcaption>
      </figure>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by keys */}
      <section class={style.scrolled} aria-label={label} tabIndex={0}>
        <PassTable
          label={t('statistics.quarter')}
          rows={passesIn(earlier) > 0 ? [...rows, before] : rows}
          barless
        />
      </section>
    </>
  )
}

interface PictureProps {
  readonly quarters: readonly QuarterPasses[]
  readonly label: string
}

function Picture({ quarters, label }: PictureProps) {
  const up = Math.max(1, ...quarters.map(entriesOf))
  const down = Math.max(0, ...quarters.map(({ exits }) => exits))
  // A few quarters are not drawn as wide as the whole picture.
  const width = Math.max(quarters.length, 16) * slot
  return (
    <svg viewBox={`0 0 ${width} ${up + down}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {quarters.map(({ from, first_entries: first, reentries, exits }, index) => {
        const bar = { x: index * slot + (slot - barWidth) / 2, width: barWidth }
        return (
          <g key={from}>
            <rect {...bar} data-kind="first_entries" y={up - first} height={first} />
            <rect {...bar} data-kind="reentries" y={up - first - reentries} height={reentries} />
            <rect {...bar} data-kind="exits" y={up} height={exits} />
          </g>
        )
      })}
      <line x1={0} x2={width} y1={up} y2={up} vector-effect="non-scaling-stroke" />
    </svg>
  )
}
