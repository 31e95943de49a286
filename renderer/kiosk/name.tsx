import { useSignal } from '@preact/signals'
import type { NamePart } from '../../schema/bodies/kiosk.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { FieldRow } from '../parts/field.tsx'
import { ObjectionText } from '../parts/objection.tsx'
import type { Kiosk } from './kiosk.ts'
import type { Stage } from './kiosk-state.ts'
import { nameShown } from './next-name.ts'
import { pageLook } from './page-look.tsx'
import { ScreenKeys } from './screen-keys.tsx'

interface Props {
  readonly kiosk: Kiosk
  readonly stage: Extract<Stage, { readonly name: 'naming' }>
}

/** Asks a guest who was checked in whether the name on the ticket is right, before anything is printed. */
export function Name({ kiosk, stage }: Props) {
  const { t } = useApp().voice
  if (stage.typed !== null) return <NameForm kiosk={kiosk} stage={stage} />
  return (
    <>
      <h1 tabIndex={-1}>{t('kiosk.name.title')}</h1>
      <p class={pageLook.ticket}>
        <strong dir="auto">{nameShown(stage)}</strong>
      </p>
      <Buttons class={pageLook.buttons}>
        <Button kind="primary" icon="check" onPress={() => kiosk.send({ type: 'name-said' })}>
          {t('kiosk.name.right')}
        </Button>
        <Button onPress={() => kiosk.send({ type: 'name-opened' })}>{t('kiosk.name.correct')}</Button>
      </Buttons>
    </>
  )
}

function NameForm({ kiosk, stage }: Props) {
  const { t } = useApp().voice
  const { name_parts: parts } = stage.result
  const focused = useSignal(parts[0]?.part ?? 'full_name')
  const textOf = (wanted: NamePart['part']) =>
    stage.typed?.[wanted] ?? parts.find(({ part }) => part === wanted)?.text ?? ''
  const type = (part: NamePart['part']) => (text: string) => kiosk.send({ type: 'name-typed', part, text })
  return (
    <form
      class={pageLook.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        kiosk.send({ type: 'name-said' })
      }}
    >
      <h1 tabIndex={-1}>{t('kiosk.name.correct')}</h1>
      <div class={pageLook.fields}>
        {parts.map(({ part }) => (
          <label key={part} class={pageLook.field} for={`name-${part}`}>
            <span>{t(`kiosk.name.${part}`)}</span>
            <FieldRow
              id={`name-${part}`}
              type="text"
              name={part}
              autocomplete="off"
              spellcheck={false}
              inputMode="none"
              dir="auto"
              maxLength={100}
              aria-describedby="objection"
              value={textOf(part)}
              onFocus={() => {
                focused.value = part
              }}
              onInput={(event) => type(part)(event.currentTarget.value)}
            />
          </label>
        ))}
      </div>
      <ObjectionText id="objection" class={pageLook.objection}>
        {stage.isTried && nameShown(stage) === '' ? t('kiosk.name.missing') : ''}
      </ObjectionText>
      <ScreenKeys text={textOf(focused.value)} onText={type(focused.value)} />
      <Buttons class={pageLook.buttons}>
        <Button kind="primary" icon="check">
          {t('kiosk.name.right')}
        </Button>
      </Buttons>
    </form>
  )
}
