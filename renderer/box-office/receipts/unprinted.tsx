import { useEffect } from 'preact/hooks'
import type { ShownPrintJob } from '../../../schema/bodies/print-jobs.ts'
import { openPrintsApi } from '../../api/prints-api.ts'
import { Button, Buttons } from '../../parts/button.tsx'
import { useTill } from '../context.ts'
import style from './unprinted.module.css'

const api = openPrintsApi()

/** What the printer has not printed, and why, or may not have: it stays until it is on paper or given up. */
export function Unprinted() {
  const { till, state, t } = useTill()
  useEffect(() => {
    void api.list().then((answer) => {
      if (answer.ok) till.send({ type: 'printing', prints: answer.value.results })
    })
  }, [])
  const shown = state.prints.filter(({ reason }) => reason !== null)
  if (shown.length === 0) return null
  return (
    <section class={style.unprinted} role="status" aria-label={t('printer.unprinted')}>
      <ul>
        {shown.map((job) => (
          <Row key={job.id} job={job} />
        ))}
      </ul>
    </section>
  )
}

function Row({ job }: { readonly job: ShownPrintJob }) {
  const { till, t, language } = useTill()
  const { id, document, subject, title, state, reason } = job
  const decide = (printed: boolean) => till.act('sell', (_, { stepUp }) => api.decide(id, printed, stepUp))
  const printAgain = async () => {
    const given = { document, ...(subject === null ? {} : { subject }), locale: language }
    const answer = await till.act('sell', (_, attempt) => api.print(given, attempt))
    if (answer.ok) await decide(false)
  }
  return (
    <li data-print={state} data-reason={reason}>
      <span>
        <strong>{reason && t(`printer.reason.${reason}`)}</strong>{' '}
        {t(`printer.document.${document}`, { number: title })}{' '}
        {t(state === 'unknown' ? 'printer.unknown' : 'printer.waiting')}
      </span>
      <Buttons>
        {state === 'unknown' ? (
          <>
            <Button onPress={() => void decide(true)}>{t('printer.came-out')}</Button>
            <Button onPress={() => void printAgain()}>{t('printer.again')}</Button>
          </>
        ) : (
          <Button onPress={() => void decide(false)}>{t('printer.give-up')}</Button>
        )}
      </Buttons>
    </li>
  )
}
