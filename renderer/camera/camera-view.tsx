import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import type { Sighting } from '../scanning/intake.ts'
import { type Camera, type CameraState, openCamera } from './camera.ts'
import style from './camera-view.module.css'

interface Props {
  readonly onScan: (sighting: Sighting) => void
  /** Goes on without the camera; where it is missing, the camera of the entrance is switched off. */
  readonly onWithout?: () => void
}

/** The camera's picture behind everything else on the stage; it goes on reading while a result covers it. */
export function CameraView({ onScan, onWithout }: Props) {
  const { t } = useApp().voice
  const video = useRef<HTMLVideoElement>(null)
  const camera = useRef<Camera | null>(null)
  const state = useSignal<CameraState>({ name: 'starting' })

  useEffect(() => {
    if (!video.current) return
    const opened = openCamera(video.current, onScan)
    camera.current = opened
    const unsubscribe = opened.state.subscribe((value) => {
      state.value = value
    })
    void opened.start()
    return () => {
      unsubscribe()
      opened.stop()
    }
  }, [])

  const now = state.value
  return (
    <div class={style.camera} data-camera={now.name === 'failed' ? now.problem : now.name}>
      <video ref={video} playsInline muted aria-label={t('camera.label')} />
      {now.name === 'running' && <div class={style.finder} />}
      {now.name === 'failed' && (
        <Failed state={now} onRetry={() => void camera.current?.start()} onWithout={onWithout} />
      )}
      {now.name === 'starting' && <p class={style.message}>{t('camera.starting')}</p>}
      {now.name === 'running' && (now.cameras > 1 || now.torch !== null) && (
        <div class={style.tools}>
          {now.torch !== null && (
            <Button
              icon="torch"
              pressed={now.torch}
              onPress={() => void camera.current?.setTorch(!now.torch)}
            >
              {t('camera.torch')}
            </Button>
          )}
          {now.cameras > 1 && (
            <Button icon="turn" title={now.label} onPress={() => void camera.current?.switchCamera()}>
              {t('camera.switch')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

interface FailedProps {
  readonly state: Extract<CameraState, { name: 'failed' }>
  readonly onRetry: () => void
  readonly onWithout: (() => void) | undefined
}

function Failed({ state, onRetry, onWithout }: FailedProps) {
  const { voice, actions } = useApp()
  const { t } = voice
  return (
    <div class={style.message} role="alert">
      <h2>{t(`camera.${state.problem}`)}</h2>
      <p>{t(`camera.${state.problem}.next`)}</p>
      <Buttons class={style.buttons}>
        <Button kind="primary" icon="turn" onPress={onRetry}>
          {t('retry')}
        </Button>
        <Button onPress={onWithout ?? (() => actions.setCamera(false))}>{t('camera.without')}</Button>
      </Buttons>
    </div>
  )
}
