import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { useAround } from '../scanning/surroundings.ts'
import { directionOf } from './state.ts'

/** Waiting for the next ticket. */
export function Ready({ camera }: { readonly camera: boolean }) {
  const { desk, voice, actions } = useAround()
  const { t } = voice
  const exit = directionOf(desk.state.value) === 'exit'
  return (
    <section class={camera ? 'ready with-camera' : 'ready'} aria-label={t('ready.label')}>
      {!camera && (
        <div class="target">
          <Icon name="scanner" />
        </div>
      )}
      <h1>{t(exit ? 'ready.exit' : 'ready.entry')}</h1>
      {!camera && <p>{t('ready.how')}</p>}
      {!camera && (
        <div class="buttons">
          <Button icon="camera" onPress={() => actions.setCamera(true)}>
            {t('ready.camera')}
          </Button>
          <Button icon="search" onPress={actions.search}>
            {t('ready.search')}
          </Button>
        </div>
      )}
    </section>
  )
}

/** A scan is on its way to be judged. Shown only when that takes longer than a blink. */
export function Deciding({ code }: { readonly code: string }) {
  const { voice } = useAround()
  return (
    <section class="deciding" aria-label={voice.t('result.waiting')}>
      <div class="dots">
        <i />
        <i />
        <i />
      </div>
      <h1>{voice.t('result.waiting')}</h1>
      <p class="code">{code.length > 40 ? `${code.slice(0, 38)} …` : code}</p>
    </section>
  )
}
