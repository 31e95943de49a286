import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { CameraView } from '../camera/camera-view.tsx'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { useAround } from '../scanning/surroundings.ts'
import { saysWhere } from './pairing-code.ts'

interface Props {
  /** Data is here already, and will be replaced. */
  readonly replaces: boolean
}

/** Connects this station to a server: its code held in front of the camera or the scanner, or typed. */
export function Pairing({ replaces }: Props) {
  const { connection, voice } = useAround()
  const { t } = voice
  const { camera, asking, obstacle } = connection.state.value.pairing
  const code = useSignal('')
  const url = useSignal('')
  const wantsAddress = code.value.trim() !== '' && !saysWhere(code.value)
  // A code that is scanned when nobody waits for one connects nothing.
  useEffect(() => () => connection.send({ type: 'pairing', open: false }), [])
  const look = (on: boolean) => connection.send({ type: 'looking', camera: on })
  return (
    <form
      class="panel pairing"
      noValidate
      aria-label={t('pair.title')}
      onSubmit={(event) => {
        event.preventDefault()
        if (code.value.trim() !== '') void connection.join(code.value, wantsAddress ? url.value : '')
      }}
    >
      <p class="lead">{t('pair.title')}</p>
      <p class="hint">{t('pair.where')}</p>
      {replaces && (
        <p class="warning">
          <span>{t('pair.replaces')}</span>
        </p>
      )}
      {obstacle && (
        <div class="warning bad" role="alert" data-obstacle={obstacle.kind}>
          <p>
            <strong>{t(`pair-no.${obstacle.kind}`)}</strong>
          </p>
          <p>{t(`pair-do.${obstacle.kind}`)}</p>
          {(obstacle.kind === 'other' || obstacle.kind === 'refused') && obstacle.detail && (
            <p>{obstacle.detail}</p>
          )}
        </div>
      )}
      {camera && !asking ? (
        <div class="pairing-camera">
          <CameraView onScan={({ text }) => void connection.join(text)} onWithout={() => look(false)} />
        </div>
      ) : (
        <Button icon="camera" disabled={asking} onPress={() => look(true)}>
          {t('pair.camera')}
        </Button>
      )}
      <p class="hint scan-hint">
        <Icon name="scanner" />
        <span>{t('pair.scanner')}</span>
      </p>
      <label class="labelled">
        <span>{t('pair.code')}</span>
        <input
          class="field"
          type="text"
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          maxLength={4096}
          value={code.value}
          onInput={(event) => {
            code.value = event.currentTarget.value
          }}
        />
      </label>
      {wantsAddress && (
        <label class="labelled">
          <span>{t('pair.url')}</span>
          <input
            class="field"
            type="url"
            autoComplete="off"
            maxLength={1000}
            placeholder="https://"
            value={url.value}
            onInput={(event) => {
              url.value = event.currentTarget.value
            }}
          />
        </label>
      )}
      <div class="buttons">
        <button type="submit" class="button primary" disabled={asking || code.value.trim() === ''}>
          <span>{t(asking ? 'pair.asking' : 'pair.connect')}</span>
        </button>
        <Button icon="back" onPress={() => connection.send({ type: 'pairing', open: false })}>
          {t('back')}
        </Button>
      </div>
      <p class="unseen-words" role="status">
        {asking ? t('pair.asking') : ''}
      </p>
    </form>
  )
}
