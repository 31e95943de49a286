import { useSignal } from '@preact/signals'
import type { StationTask } from '../../schema/bodies/station.ts'
import type { Settings } from '../../schema/bodies/station-state.ts'
import { Button } from '../parts/button.tsx'
import { Switch, Switches } from '../parts/choices.tsx'
import { useApp } from '../parts/context.ts'
import { LabelledField } from '../parts/field.tsx'
import { ObjectionText } from '../parts/objection.tsx'
import { Columns, PageColumn } from '../parts/page.tsx'
import { ShortcutList } from '../parts/shortcut-list.tsx'
import { isJoined } from '../upstream/connection-state.ts'
import { EventFields, GateFields } from './choice-fields.tsx'
import { type EventOption, firstChoice, savable } from './event-choice.ts'
import { PrinterFields } from './printer-fields.tsx'
import { ScannerCheck } from './scanner-check.tsx'
import style from './setup-form.module.css'
import { TillCountryField } from './till-country.tsx'
import { printersTyped, useTypedPrinters } from './typed-printers.ts'

interface Props {
  readonly events: readonly EventOption[]
  readonly settings: Settings | null
  /** Whether this station may sell. */
  readonly sells: boolean
  readonly onDemo: () => void
}

/** The address of the card terminal, as it is typed. */
const shownTerminal = (settings: Settings | null): string => {
  const { host = '', port } = settings?.terminal ?? {}
  return port === undefined ? host : `${host}:${port}`
}

/** The same as it is stored; the port may be left out. */
function typedTerminal(text: string) {
  const [host = '', port] = text.trim().split(':')
  return port === undefined || port === '' ? { host } : { host, port: Number(port) }
}

/** Chooses event, check-in list, gate and direction, and what belongs to this station alone. */
export function SetupForm({ events, settings, sells, onDemo }: Props) {
  const { desk, api, voice, language, actions, connection } = useApp()
  const { t } = voice
  const choice = useSignal(firstChoice(events, settings))
  const name = useSignal(settings?.name ?? connection.state.value.link?.upstream?.device_name ?? '')
  const sound = useSignal(settings?.sound ?? true)
  const camera = useSignal(settings?.camera ?? false)
  const terminal = useSignal(shownTerminal(settings))
  const printers = useTypedPrinters(settings)
  const country = useSignal(settings?.country ?? '')
  const problem = useSignal('')
  const input = savable(events, choice.value)

  const save = async () => {
    if (!input) return
    const own = { name: name.value.trim(), sound: sound.value, camera: camera.value, locale: language }
    const place = {
      ...(sells ? { country: country.value } : {}),
      ...(settings?.sells ? { terminal: typedTerminal(terminal.value) } : {}),
      ...(settings ? printersTyped(printers) : {}),
    }
    const answer = await api.save({ ...input, ...own, ...place })
    if (!answer.ok) {
      problem.value = answer.problem.detail || t('setup.not-saved')
      return
    }
    actions.followStation()
    desk.send({ type: 'loaded', station: answer.value })
    desk.send({ type: 'setting-up', open: false })
  }

  return (
    <form
      class={style.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Columns>
        <PageColumn>
          <EventFields events={events} choice={choice} />
        </PageColumn>
        <PageColumn>
          <GateFields events={events} choice={choice} />
          <LabelledField label={t('setup.name')} text={name} maxLength={80} />
          {settings?.sells && (
            <LabelledField
              label={t('setup.terminal')}
              text={terminal}
              maxLength={260}
              placeholder="192.168.1.50:20007"
            />
          )}
          {sells && <TillCountryField country={country} />}
          <Switches>
            <Switch label={t('setup.sound')} on={sound} />
            <Switch label={t('setup.camera')} on={camera} />
          </Switches>
        </PageColumn>
        {settings && (
          <PageColumn>
            <PrinterFields typed={printers} settings={settings} />
            <ScannerCheck />
            <ShortcutList />
          </PageColumn>
        )}
      </Columns>
      <footer>
        <ObjectionText class={style.objection}>{problem.value}</ObjectionText>
        <Button kind="quiet" icon="link" onPress={() => desk.send({ type: 'at-station', open: true })}>
          {t('station.title')}
        </Button>
        {!isJoined(connection.state.value) && !events.some(({ organizer }) => organizer.slug === 'demo') && (
          <Button kind="quiet" onPress={onDemo}>
            {t('first.demo')}
          </Button>
        )}
        {settings && <OtherScreens task={settings.task} />}
        {settings && (
          <Button icon="back" onPress={() => desk.send({ type: 'setting-up', open: false })}>
            {t('back')}
          </Button>
        )}
        <Button kind="primary" disabled={!input}>
          {t(settings ? 'setup.save' : 'setup.start')}
        </Button>
      </footer>
    </form>
  )
}

/** What else this station can show instead of its settings. */
function OtherScreens({ task }: { readonly task: StationTask }) {
  const { desk, voice } = useApp()
  const { t } = voice
  const close = () => desk.send({ type: 'setting-up', open: false })
  const turnTo = async (wanted: StationTask) => {
    if (await desk.change({ task: wanted })) close()
  }
  const openStatistics = () => {
    close()
    desk.send({ type: 'at-statistics', open: true })
  }
  return (
    <>
      <Button kind="quiet" icon="bars" onPress={openStatistics}>
        {t('statistics.title')}
      </Button>
      {task === 'kiosk' ? (
        <Button icon="entry" onPress={() => void turnTo('entrance')}>
          {t('kiosk.leave')}
        </Button>
      ) : (
        <Button kind="quiet" icon="person" onPress={() => void turnTo('kiosk')}>
          {t('kiosk.open')}
        </Button>
      )}
    </>
  )
}
