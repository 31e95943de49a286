import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import type { Kiosk } from './kiosk.ts'
import { pageLook } from './page-look.tsx'

/** Asks whether somebody is still there, before the kiosk starts over. */
export function StillThere({ kiosk }: { readonly kiosk: Kiosk }) {
  const { t } = useApp().voice
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={pageLook.still}
      aria-label={t('kiosk.idle.title')}
      onCancel={() => kiosk.send({ type: 'touched' })}
    >
      <h1>{t('kiosk.idle.title')}</h1>
      <p role="alert">{t('kiosk.idle.soon')}</p>
      <Buttons>
        <Button kind="primary" icon="check" onPress={() => kiosk.send({ type: 'touched' })}>
          {t('kiosk.idle.more')}
        </Button>
        <Button icon="undo" onPress={() => kiosk.send({ type: 'restarted' })}>
          {t('kiosk.start-over')}
        </Button>
      </Buttons>
    </dialog>
  )
}
