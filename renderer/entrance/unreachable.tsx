import { Button } from '../parts/button.tsx'
import { Shape } from '../parts/shape.tsx'
import { waiting } from '../scanning/entries.ts'
import { useAround } from '../scanning/surroundings.ts'

/** The station's own server is gone: nobody can be judged, nothing is lost. */
export function Unreachable() {
  const { desk, voice } = useAround()
  const { t } = voice
  const kept = waiting(desk.state.value.entries).length
  return (
    <section class="result" data-result="failed" aria-label={t('unreachable.label')}>
      <Shape name="failed" />
      <div class="words">
        <h1 class="verdict large">{t('unreachable.title')}</h1>
        <p class="step">{t('unreachable.next')}</p>
        <p class="kept" role="status">
          {kept > 0 ? t('unreachable.kept', { count: kept }) : t('unreachable.keeps')}
        </p>
        <div class="buttons">
          <Button kind="primary" icon="turn" onPress={() => void desk.refresh()}>
            {t('unreachable.retry')}
          </Button>
        </div>
      </div>
    </section>
  )
}

/** The server does not know this window: a person has to open it anew. */
export function Locked() {
  const { desk, voice } = useAround()
  const { t } = voice
  return (
    <section class="result" data-result="failed" aria-label={t('unreachable.label')}>
      <Shape name="failed" />
      <div class="words">
        <h1 class="verdict large">{t('locked.title')}</h1>
        <p class="step">{t('locked.next')}</p>
        <div class="buttons">
          <Button kind="primary" icon="turn" onPress={() => void desk.refresh()}>
            {t('unreachable.retry')}
          </Button>
        </div>
      </div>
    </section>
  )
}
