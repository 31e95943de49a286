import type { ListStatistics } from '../../schema/bodies/station-state.ts'
import { useApp } from '../parts/context.ts'
import { count } from '../text/format.ts'
import style from './pass-tables.module.css'
import { kinds, type Passes, passesIn, wordOf } from './passes.ts'

/** A row of a table of passes. */
export interface PassRow {
  readonly key: string | number
  readonly name: string
  readonly passes: Passes
}

/** All numbers of a list, which say what the colours mean as well. */
export function Totals({ total }: { readonly total: ListStatistics['total'] }) {
  const { t, language } = useApp().voice
  return (
    <dl class={style.totals}>
      {kinds.map((kind) => (
        <div key={kind} data-kind={kind}>
          <dt>{t(wordOf[kind])}</dt>
          <dd>{count(total[kind], language)}</dd>
        </div>
      ))}
      <div data-kind="refused">
        <dt>{t('statistics.refused')}</dt>
        <dd>{count(total.refused, language)}</dd>
      </div>
    </dl>
  )
}

interface TableProps {
  readonly label: string
  readonly rows: readonly PassRow[]
  /** Whether each row has a bar beside its numbers. */
  readonly barless?: boolean
}

/** Passes of each of several things in numbers, and as bars, which nobody has to see to read the numbers. */
export function PassTable({ label, rows, barless = false }: TableProps) {
  const { t, language } = useApp().voice
  const most = Math.max(1, ...rows.map(({ passes }) => passesIn(passes)))
  return (
    <table class={style.table}>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          {kinds.map((kind) => (
            <th key={kind} scope="col">
              {t(wordOf[kind])}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, passes }) => (
          <tr key={key}>
            <th scope="row">
              <bdi>{name}</bdi>
              {!barless && <Bar passes={passes} most={most} />}
            </th>
            {kinds.map((kind) => (
              <td key={kind}>{count(passes[kind], language)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Bar({ passes, most }: { readonly passes: Passes; readonly most: number }) {
  const starts = kinds.map((_, index) => kinds.slice(0, index).reduce((sum, kind) => sum + passes[kind], 0))
  return (
    <svg class={style.bar} viewBox={`0 0 ${most} 1`} preserveAspectRatio="none" aria-hidden="true">
      {kinds.map((kind, index) => (
        <rect key={kind} data-kind={kind} x={starts[index]} y={0} width={passes[kind]} height={1} />
      ))}
    </svg>
  )
}

/** How many scans were refused for which reason. */
export function ReasonTable({ refused }: Pick<ListStatistics, 'refused'>) {
  const { t, language } = useApp().voice
  return (
    <table class={style.table}>
      <thead>
        <tr>
          <th scope="col">{t('till.reason')}</th>
          <th scope="col">{t('statistics.refused')}</th>
        </tr>
      </thead>
      <tbody>
        {refused.map(({ reason, count: number }) => (
          <tr key={reason}>
            <th scope="row">{t(`refused.${reason}`)}</th>
            <td>{count(number, language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
