import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Choices, DemoProgress } from '../../schema/bodies/station-state.ts'
import { type Language, languages } from '../../schema/texts/translate.ts'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Hint, Lead, PageFrame, Panel } from '../parts/page.tsx'
import { Warning } from '../parts/warning.tsx'
import { FirstLoad } from '../station/first-load.tsx'
import { Pairing } from '../station/pairing.tsx'
import { isFirstLoad, isJoined } from '../upstream/connection-state.ts'
import { eventOptions } from './event-choice.ts'
import { MakingDemo } from './making-demo.tsx'
import style from './setup.module.css'
import { SetupForm } from './setup-form.tsx'

/** What this station is for: chosen at the first start, and later through the settings button. */
export function Setup() {
  const { desk, api, voice, connection } = useApp()
  const { t } = voice
  const choices = useSignal<Choices | 'loading' | 'failed'>('loading')
  const { making, make } = useDemo()
  const settings = desk.state.value.station?.settings ?? null
  const line = connection.state.value
  const loading = isFirstLoad(line)

  const load = async () => {
    const answer = await api.choices()
    choices.value = answer.ok ? answer.value : 'failed'
  }
  useEffect(() => {
    void load()
  }, [])
  useEffect(() => {
    if (making.value?.state === 'done') void load()
  }, [making.value?.state])
  // What can be chosen comes with the data of the upstream server.
  useEffect(() => {
    if (!loading && line.link) void load()
  }, [loading, line.link?.upstream?.url])

  const loaded = typeof choices.value === 'string' ? null : choices.value
  const events = loaded ? eventOptions(loaded, new Date().toISOString()) : []
  return (
    <PageFrame
      label={t('setup.label')}
      title={t(settings ? 'setup.title' : 'setup.welcome')}
      aside={<Languages />}
      note={making.value?.state === 'done' ? making.value.message : null}
    >
      {making.value?.state === 'running' || making.value?.state === 'failed' ? (
        <MakingDemo progress={making.value} onRetry={() => void make()} />
      ) : loading ? (
        <FirstLoad />
      ) : line.pairing.open && !isJoined(line) ? (
        <Pairing replaces={events.length > 0} />
      ) : choices.value === 'failed' ? (
        <Panel>
          <p>{t('setup.failed')}</p>
          <Button kind="primary" icon="turn" onPress={() => void load()}>
            {t('retry')}
          </Button>
        </Panel>
      ) : loaded && events.length > 0 ? (
        <SetupForm
          events={events}
          settings={settings}
          sells={settings?.sells ?? loaded.sells}
          onDemo={() => void make()}
        />
      ) : loaded ? (
        isJoined(line) ? (
          <NothingHere onRetry={() => void load()} />
        ) : (
          <FirstStart onDemo={() => void make()} />
        )
      ) : null}
    </PageFrame>
  )
}

/** The making of the demo event: how far it is, as reported or asked for, and how to begin it. */
function useDemo() {
  const { api, demo } = useApp()
  const making = useSignal<DemoProgress | null>(null)

  const look = async () => {
    const answer = await api.demo()
    if (answer.ok && answer.value.state !== 'none') making.value = answer.value
  }
  const make = async () => {
    making.value = { state: 'running', done: 0, total: 0, message: null }
    const answer = await api.makeDemo()
    if (!answer.ok) making.value = { state: 'failed', done: 0, total: 0, message: answer.problem.detail }
  }
  useEffect(() => {
    void look()
  }, [])
  useEffect(() => {
    if (demo) making.value = demo
  }, [demo])
  useEffect(() => {
    if (making.value?.state !== 'running') return
    const timer = setInterval(() => void look(), 1000)
    return () => clearInterval(timer)
  }, [making.value?.state])
  return { making, make }
}

function FirstStart({ onDemo }: { readonly onDemo: () => void }) {
  const { voice, connection } = useApp()
  const { t } = voice
  return (
    <Panel>
      {connection.state.value.link?.revoked ? (
        <Warning role="alert">{t('link-says.revoked')}</Warning>
      ) : (
        <Lead>{t('first.lead')}</Lead>
      )}
      <Button kind="primary" icon="link" onPress={() => connection.send({ type: 'pairing', open: true })}>
        {t('first.connect')}
      </Button>
      <Hint>{t('first.connect.hint')}</Hint>
      <Button icon="next" onPress={onDemo}>
        {t('first.demo')}
      </Button>
      <Hint>{t('first.demo.hint')}</Hint>
    </Panel>
  )
}

/** Connected, and everything is here; but no event that this device may enter has a check-in list. */
function NothingHere({ onRetry }: { readonly onRetry: () => void }) {
  const { desk, voice } = useApp()
  const { t } = voice
  return (
    <Panel>
      <Lead>{t('first.nothing')}</Lead>
      <Hint>{t('first.nothing.next')}</Hint>
      <Button kind="primary" icon="turn" onPress={onRetry}>
        {t('first.nothing.look')}
      </Button>
      <Button icon="link" onPress={() => desk.send({ type: 'at-station', open: true })}>
        {t('station.title')}
      </Button>
    </Panel>
  )
}

function Languages() {
  const { language, voice, actions } = useApp()
  return (
    <fieldset class={style.languages} aria-label={voice.t('setup.language')}>
      {(Object.keys(languages) as Language[]).map((each) => (
        <button
          type="button"
          key={each}
          lang={each}
          aria-pressed={each === language}
          onClick={() => actions.speak(each)}
        >
          {languages[each]}
        </button>
      ))}
    </fieldset>
  )
}
