import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { displayPage, openDisplayApi } from '../../api/display-api.ts'
import { Button, Buttons } from '../../parts/button.tsx'
import { SmallField } from '../../parts/field.tsx'
import { PageFrame } from '../../parts/page.tsx'
import { useTill } from '../context.ts'
import style from './display-panel.module.css'

const api = openDisplayApi()

/** How what the guest sees is opened: in a second window, or by a link in another browser. */
export function DisplayPanel() {
  const { till, t } = useTill()
  const address = useSignal('')
  useEffect(() => {
    void api.key(till.id).then((answer) => {
      if (answer.ok) address.value = `${location.origin}${displayPage(till.id)}#key=${answer.value.key}`
    })
  }, [till, address])
  return (
    <PageFrame
      label={t('till.display')}
      title={t('till.display')}
      aside={
        <Button icon="back" onPress={() => till.send({ type: 'at-display', open: false })}>
          {t('back')}
        </Button>
      }
    >
      <div class={style.ways}>
        <p>{t('till.display.what')}</p>
        <Buttons>
          <Button
            kind="primary"
            icon="screen"
            onPress={() => void window.open(displayPage(till.id), 'gatehouse-display', 'popup')}
          >
            {t('till.display.window')}
          </Button>
        </Buttons>
        <label for="till-display-link">
          <span>{t('till.display.link')}</span>
          <SmallField
            type="text"
            id="till-display-link"
            readOnly
            value={address}
            onFocus={(event) => event.currentTarget.select()}
          />
        </label>
        <p>{t('till.display.link.what')}</p>
      </div>
    </PageFrame>
  )
}
