import { Button, Buttons } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import { directionOf } from '../scanning/desk-state.ts'
import style from './ready.module.css'

/** Waiting for the next ticket. */
export function Ready({ camera }: { readonly camera: boolean }) {
  const { desk, voice, actions } = useApp()
  const { t } = voice
  const exit = directionOf(desk.state.value) === 'exit'
  return (
    <section
      class={camera ? `${style.ready} ${style.withCamera}` : style.ready}
      aria-label={t('ready.label')}
    >
      {!camera && (
        <div class={style.target}>
          <Icon name="scanner" />
        </div>
      )}
      <h1>{t(exit ? 'ready.exit' : 'ready.entry')}</h1>
      {!camera && <p>{t('ready.how')}</p>}
      {!camera && (
        <Buttons class={style.buttons}>
          <Button icon="camera" onPress={() => actions.setCamera(true)}>
            {t('ready.camera')}
          </Button>
          <Button icon="search" onPress={actions.search}>
            {t('ready.search')}
          </Button>
        </Buttons>
      )}
    </section>
  )
}

/** A scan is on its way to be judged. Shown only when that takes longer than a blink. */
export function Deciding({ code }: { readonly code: string }) {
  const { voice } = useApp()
  return (
    <section class={style.deciding} aria-label={voice.t('result.waiting')}>
      <div class={style.dots}>
        <i />
        <i />
        <i />
      </div>
      <h1>{voice.t('result.waiting')}</h1>
      <Code soft text={code.length > 40 ? `${code.slice(0, 38)} …` : code} />
    </section>
  )
}
