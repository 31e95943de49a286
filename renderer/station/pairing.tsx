import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { CameraView } from '../camera/camera-view.tsx'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { LabelledField } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { FormPanel, Hint, Lead } from '../parts/page.tsx'
import { VisuallyHidden } from '../parts/visually-hidden.tsx'
import { Warning } from '../parts/warning.tsx'
import { saysWhere } from '../upstream/pairing-code.ts'
import type { PairingProblem } from '../upstream/pairing-problem.ts'
import style from './pairing.module.css'

interface Props {
  /** Data is here already, and will be replaced. */
  readonly replaces: boolean
}

/** Connects this station to a server: its code held in front of the camera or the scanner, or typed. */
export function Pairing({ replaces }: Props) {
  const { connection, voice } = useApp()
  const { t } = voice
  const { asking, problem } = connection.state.value.pairing
  const code = useSignal('')
  const url = useSignal('')
  const wantsAddress = code.value.trim() !== '' && !saysWhere(code.value)
  // A code that is scanned when nobody waits for one connects nothing.
  useEffect(() => () => connection.send({ type: 'pairing', open: false }), [])
  return (
    <FormPanel
      aria-label={t('pair.title')}
      onSubmit={(event) => {
        event.preventDefault()
        if (code.value.trim() !== '') void connection.join(code.value, wantsAddress ? url.value : '')
      }}
    >
      <Lead>{t('pair.title')}</Lead>
      <Hint>{t('pair.where')}</Hint>
      {replaces && <Warning>{t('pair.replaces')}</Warning>}
      {problem && <ProblemWarning problem={problem} />}
      <PairingCamera />
      <Hint>
        <Icon name="scanner" />
        <span>{t('pair.scanner')}</span>
      </Hint>
      <LabelledField
        label={t('pair.code')}
        text={code}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        maxLength={4096}
      />
      {wantsAddress && (
        <LabelledField
          label={t('pair.url')}
          text={url}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          maxLength={1000}
          placeholder="tickets.example.org"
        />
      )}
      <Buttons class={style.buttons}>
        <Button kind="primary" disabled={asking || code.value.trim() === ''}>
          {t(asking ? 'pair.asking' : 'pair.connect')}
        </Button>
        <Button icon="back" onPress={() => connection.send({ type: 'pairing', open: false })}>
          {t('back')}
        </Button>
      </Buttons>
      <VisuallyHidden role="status">{asking ? t('pair.asking') : ''}</VisuallyHidden>
    </FormPanel>
  )
}

/** The camera while it looks for a code, else the button that opens it. */
function PairingCamera() {
  const { connection, voice } = useApp()
  const { camera, asking } = connection.state.value.pairing
  const look = (on: boolean) => connection.send({ type: 'looking', camera: on })
  if (camera && !asking)
    return (
      <div class={style.camera}>
        <CameraView onScan={({ text }) => void connection.join(text)} onWithout={() => look(false)} />
      </div>
    )
  return (
    <Button icon="camera" disabled={asking} onPress={() => look(true)}>
      {voice.t('pair.camera')}
    </Button>
  )
}

function ProblemWarning({ problem: { kind, detail } }: { readonly problem: PairingProblem }) {
  const { t } = useApp().voice
  return (
    <Warning bad role="alert" data-problem={kind}>
      <p>
        <strong>{t(`pair-no.${kind}`)}</strong>
      </p>
      <p>{t(`pair-do.${kind}`)}</p>
      {(kind === 'other' || kind === 'refused') && detail && <p>{detail}</p>}
    </Warning>
  )
}
