import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ListStatistics } from '../../schema/bodies/station-state.ts'
import { askStatistics } from '../api/statistics-api.ts'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { ObjectionText } from '../parts/objection.tsx'
import { Columns, PageColumn, PageFrame } from '../parts/page.tsx'
import { Aside, Box } from '../station/box.tsx'
import { type PassRow, PassTable, ReasonTable, Totals } from './pass-tables.tsx'
import { passesIn } from './passes.ts'
import { QuarterChart } from './quarter-chart.tsx'

/** Milliseconds between two looks while people come in. */
const lookEvery = 5000

/** What happened at the list of this station: by quarter of an hour, by product and by gate, without any names. */
export function StatisticsPage() {
  const { desk, voice } = useApp()
  const { t } = voice
  const { statistics, objection } = useStatistics()
  return (
    <PageFrame
      label={t('statistics.title')}
      title={t('statistics.title')}
      aside={
        <Button icon="back" onPress={() => desk.send({ type: 'at-statistics', open: false })}>
          {t('back')}
        </Button>
      }
    >
      <Columns>
        {objection !== '' && <ObjectionText>{objection}</ObjectionText>}
        {statistics && <Numbers statistics={statistics} />}
      </Columns>
    </PageFrame>
  )
}

/** The numbers, asked for again with the counts of the station. */
function useStatistics() {
  const { desk, voice } = useApp()
  const statistics = useSignal<ListStatistics | null>(null)
  const objection = useSignal('')
  const asked = useRef(Number.NEGATIVE_INFINITY)
  const counts = desk.state.value.station?.counts
  const { t } = voice

  useEffect(() => {
    let left = false
    const look = async () => {
      asked.current = performance.now()
      const answer = await askStatistics()
      if (left) return
      if (answer.ok) statistics.value = answer.value
      objection.value = answer.ok ? '' : answer.problem.detail || t('result.failed.next')
    }
    const timer = setTimeout(() => void look(), Math.max(0, asked.current + lookEvery - performance.now()))
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [counts])
  return { statistics: statistics.value, objection: objection.value }
}

function Numbers({ statistics }: { readonly statistics: ListStatistics }) {
  const { t } = useApp().voice
  const { total, products, gates, refused } = statistics
  const named = (rows: ListStatistics['products'], nameless: string): readonly PassRow[] =>
    rows.map(({ name, ...passes }, index) => ({ key: index, name: name ?? nameless, passes }))
  return (
    <>
      <PageColumn>
        <Box title={statistics.list_name}>
          <Totals total={total} />
        </Box>
        <Box title={t('statistics.quarter')}>
          {passesIn(total) === 0 && <Aside>{t('history.none')}</Aside>}
          {passesIn(total) > 0 && <QuarterChart statistics={statistics} />}
        </Box>
      </PageColumn>
      <PageColumn>
        {products.length > 0 && (
          <Box title={t('till.products')}>
            <PassTable label={t('till.products')} rows={named(products, t('till.other'))} />
          </Box>
        )}
        {gates.length > 0 && (
          <Box title={t('setup.gate')}>
            <PassTable label={t('setup.gate')} rows={named(gates, t('setup.no-gate'))} />
          </Box>
        )}
        {refused.length > 0 && (
          <Box title={t('statistics.refused')}>
            <ReasonTable refused={refused} />
          </Box>
        )}
      </PageColumn>
    </>
  )
}
