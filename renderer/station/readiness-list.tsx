import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import { VisuallyHidden } from '../parts/visually-hidden.tsx'
import { Box } from './box.tsx'
import style from './readiness-list.module.css'
import { readinessText } from './wording.ts'

/** Whether this station can go to work, line by line. */
export function ReadinessList() {
  const { connection, voice } = useApp()
  const { t } = voice
  const state = connection.state.value
  if (!state.link) return null
  return (
    <Box title={t('check.ready')}>
      <ul class={style.readiness}>
        {state.link.readiness.map((one) => (
          <li key={one.name} data-check={one.name} data-ok={one.ok}>
            <Icon name={one.ok ? 'check' : 'warn'} />
            <span>
              <strong>{t(`check-name.${one.name}`)}</strong>
              {!one.ok && <VisuallyHidden> {t('check.not')} </VisuallyHidden>}
              <small>{readinessText(one, state, voice)}</small>
            </span>
          </li>
        ))}
      </ul>
    </Box>
  )
}
