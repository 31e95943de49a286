import { Icon } from '../parts/icon.tsx'
import { useAround } from '../scanning/surroundings.ts'
import { readinessText } from './wording.ts'

/** Whether this station can go to work, line by line. */
export function ReadinessList() {
  const { connection, voice } = useAround()
  const { t } = voice
  const state = connection.state.value
  if (!state.link) return null
  return (
    <section class="box" aria-label={t('check.ready')}>
      <h2>{t('check.ready')}</h2>
      <ul class="readiness">
        {state.link.readiness.map((one) => (
          <li key={one.name} data-check={one.name} data-ok={one.ok}>
            <Icon name={one.ok ? 'check' : 'warn'} />
            <span>
              <strong>{t(`check-name.${one.name}`)}</strong>
              {!one.ok && <span class="unseen-words"> {t('check.not')} </span>}
              <small>{readinessText(one, state, voice)}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
