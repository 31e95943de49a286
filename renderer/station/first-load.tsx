import type { Loading } from '../../schema/station-link.ts'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { ObjectionText } from '../parts/objection.tsx'
import { Hint, Lead, Panel } from '../parts/page.tsx'
import { ProgressBar } from '../parts/progress.tsx'
import { Warning } from '../parts/warning.tsx'
import { troubleText } from './wording.ts'

const phases = {
  counting: 'counting',
  loading: 'loading',
  'catching up': 'following',
  switching: 'switching',
} as const satisfies Record<Loading['phase'], string>

/** The first copy of the data on its way: what is being done, how far it is, and how long it will still take. */
export function FirstLoad() {
  const { connection, voice } = useApp()
  const { t } = voice
  const { link, leaving } = connection.state.value
  if (!link?.upstream) return null
  const { loading, upstream } = link
  const trouble = loading ? '' : troubleText(link, voice)
  const phase = loading ? phases[loading.phase] : 'asking'
  const left = loading?.seconds_left ?? null
  return (
    <Panel data-phase={phase}>
      <Lead id="first-load">{t('load.title', { name: upstream.device_name || upstream.organizer })}</Lead>
      <ProgressBar
        aria-labelledby="first-load"
        max={Math.max(1, loading?.total ?? 1)}
        value={loading && loading.total > 0 ? loading.rows : undefined}
      />
      <Hint>
        <span role="status">{t(`load-phase.${phase}`)}</span>
        {loading && loading.total > 0 && (
          <span>{t('load.rows', { done: loading.rows, total: loading.total })}</span>
        )}
        {left !== null && <span>{t('load.left', { count: left })}</span>}
      </Hint>
      {trouble && (
        <Warning role="alert">
          <p>{trouble}</p>
          <p>{t('load.again')}</p>
        </Warning>
      )}
      <Hint>{upstream.url}</Hint>
      {leaving.step === 'refused' && <ObjectionText>{leaving.detail}</ObjectionText>}
      <Button kind="quiet" disabled={leaving.step === 'running'} onPress={() => void connection.leave()}>
        {t('load.cancel')}
      </Button>
    </Panel>
  )
}
