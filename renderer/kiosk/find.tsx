import { useSignal } from '@preact/signals'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { FieldRow } from '../parts/field.tsx'
import { ObjectionText } from '../parts/objection.tsx'
import type { Kiosk } from './kiosk.ts'
import type { FindFields, FindWay } from './kiosk-state.ts'
import { pageLook } from './page-look.tsx'
import { StartOver } from './pages.tsx'
import { ScreenKeys } from './screen-keys.tsx'

interface Props {
  readonly kiosk: Kiosk
  readonly way: FindWay
  readonly trouble: '' | 'none' | 'missing' | 'offline'
}

/** Looks for a ticket by what only its guest knows. */
export function Find({ kiosk, way, trouble }: Props) {
  const { t } = useApp().voice
  const focused = useSignal<keyof FindFields>(way === 'email' ? 'email' : 'order')
  const { sought } = kiosk.state.value
  const fields = way === 'order' ? (['order', 'last_name'] as const) : (['email'] as const)
  const labels = {
    order: t('kiosk.find.order'),
    last_name: t('kiosk.find.last-name'),
    email: t('kiosk.find.email'),
  }
  const typed = fields.some((field) => field === focused.value) ? focused.value : fields[0]
  const type = (field: keyof FindFields) => (text: string) => kiosk.send({ type: 'typed', field, text })
  return (
    <form
      class={pageLook.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        kiosk.send({ type: 'sought' })
      }}
    >
      <h1 tabIndex={-1}>{t('kiosk.find.title')}</h1>
      <div class={pageLook.fields}>
        {fields.map((field) => (
          <label key={field} class={pageLook.field} for={`find-${field}`}>
            <span>{labels[field]}</span>
            <FieldRow
              id={`find-${field}`}
              type="text"
              name={field}
              autocomplete="off"
              spellcheck={false}
              inputMode="none"
              dir={field === 'last_name' ? 'auto' : 'ltr'}
              maxLength={254}
              aria-describedby="objection"
              value={sought[field]}
              onFocus={() => {
                focused.value = field
              }}
              onInput={(event) => type(field)(event.currentTarget.value)}
            />
          </label>
        ))}
      </div>
      {way === 'order' && <p class={pageLook.hint}>{t('kiosk.find.order.hint')}</p>}
      <ObjectionText id="objection" class={pageLook.objection}>
        {trouble === '' ? '' : t(`kiosk.find.${trouble}`)}
      </ObjectionText>
      <ScreenKeys text={sought[typed]} onText={type(typed)} />
      <Buttons class={pageLook.buttons}>
        <Button kind="primary" icon="search">
          {t('kiosk.find.go')}
        </Button>
        <Button onPress={() => kiosk.send({ type: 'finding', way: way === 'order' ? 'email' : 'order' })}>
          {t(way === 'order' ? 'kiosk.find.by-email' : 'kiosk.find.by-order')}
        </Button>
        <StartOver kiosk={kiosk} />
      </Buttons>
    </form>
  )
}
