import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { waiting } from '../scanning/entries.ts'
import { Headline, NextStep, ResultLayout } from './result-layout.tsx'
import { StandstillScreen, UpdateScreen } from './standstill.tsx'
import style from './unreachable.module.css'

/** The station's own server is gone: nobody can be judged, nothing is lost. */
export function Unreachable() {
  const { desk, connection, voice } = useApp()
  const { t } = voice
  const { standstill } = desk.state.value
  const update = connection.update.value
  if (standstill) return <StandstillScreen standstill={standstill} />
  if (update?.phase === 'installing' && update.offered !== null)
    return <UpdateScreen version={update.offered} step="install" />
  const kept = waiting(desk.state.value.entries).length
  return (
    <ResultLayout look="failed" shape="failed" label={t('unreachable.label')} buttons={<Retry />}>
      <Headline>{t('unreachable.title')}</Headline>
      <NextStep>{t('unreachable.next')}</NextStep>
      <p class={style.kept} role="status">
        {kept > 0 ? t('unreachable.kept', { count: kept }) : t('unreachable.keeps')}
      </p>
    </ResultLayout>
  )
}

/** The server does not know this window: a person has to open it anew. */
export function Locked() {
  const { t } = useApp().voice
  return (
    <ResultLayout look="failed" shape="failed" label={t('unreachable.label')} buttons={<Retry />}>
      <Headline>{t('locked.title')}</Headline>
      <NextStep>{t('locked.next')}</NextStep>
    </ResultLayout>
  )
}

function Retry() {
  const { desk, voice } = useApp()
  return (
    <Button kind="primary" icon="turn" onPress={() => void desk.refresh()}>
      {voice.t('unreachable.retry')}
    </Button>
  )
}
