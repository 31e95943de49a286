import type { ShownPrintJob } from '../../schema/bodies/print-jobs.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import style from './unprinted-list.module.css'

interface Props {
  readonly jobs: readonly ShownPrintJob[]
  readonly onDecide: (job: ShownPrintJob, printed: boolean) => void
  readonly onAgain: (job: ShownPrintJob) => void
  readonly onWithoutBackground: (job: ShownPrintJob) => void
}

const waitsForBackground = ({ reason }: ShownPrintJob): boolean =>
  reason === 'background-missing' || reason === 'background-damaged'

/** What becomes of a job by itself. */
const outlook = (job: ShownPrintJob) => {
  if (job.state === 'unknown') return 'printer.unknown'
  return waitsForBackground(job) ? 'printer.waiting-background' : 'printer.waiting'
}

/** What the printers have not printed, and why, or may not have: it stays until it is on paper or given up. */
export function UnprintedList({ jobs, onDecide, onAgain, onWithoutBackground }: Props) {
  const { t } = useApp().voice
  const shown = jobs.filter(({ reason }) => reason !== null)
  if (shown.length === 0) return null
  return (
    <section class={style.unprinted} role="status" aria-label={t('printer.unprinted')}>
      <ul>
        {shown.map((job) => (
          <li key={job.id} data-print={job.state} data-reason={job.reason}>
            <span>
              <strong>{job.reason && t(`printer.reason.${job.reason}`)}</strong>{' '}
              {t(`printer.document.${job.document}`, { number: job.title })} {t(outlook(job))}
            </span>
            <Buttons>
              {job.state === 'unknown' ? (
                <>
                  <Button onPress={() => onDecide(job, true)}>{t('printer.came-out')}</Button>
                  <Button onPress={() => onAgain(job)}>{t('printer.again')}</Button>
                </>
              ) : (
                <>
                  {waitsForBackground(job) && (
                    <Button onPress={() => onWithoutBackground(job)}>
                      {t('printer.without-background')}
                    </Button>
                  )}
                  <Button onPress={() => onDecide(job, false)}>{t('printer.give-up')}</Button>
                </>
              )}
            </Buttons>
          </li>
        ))}
      </ul>
    </section>
  )
}
