import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Panel } from '../parts/page.tsx'
import { ShortcutList } from '../parts/shortcut-list.tsx'
import style from './help.module.css'

/** The keys that work, over everything else until it is closed or a new result is to be seen. */
export function Help({ isTill }: { readonly isTill: boolean }) {
  const { desk, voice, actions } = useApp()
  const dialog = useRef<HTMLDialogElement>(null)
  const { key, turn } = desk.state.value.view
  const opened = useRef(turn)
  const close = () => {
    actions.helping.value = false
  }

  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Closed before it goes, so that the focus returns to where it was.
    return () => shown?.close()
  }, [])
  useEffect(() => {
    if (key !== null && turn !== opened.current) close()
  }, [key, turn])

  return (
    <dialog ref={dialog} class={style.help} aria-label={voice.t('shortcuts.title')} onClose={close}>
      <Panel>
        <ShortcutList isTill={isTill} />
        <Button icon="close" onPress={close}>
          {voice.t('close')}
        </Button>
      </Panel>
    </dialog>
  )
}
