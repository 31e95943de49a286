import { useSignal } from '@preact/signals'
import type { Settings } from '../contract.ts'
import { ShortcutList } from '../entrance/shortcut-list.tsx'
import { Button } from '../parts/button.tsx'
import { Switch } from '../parts/choices.tsx'
import { type Choosable, firstChoice, savable } from '../questions/choosing.ts'
import { EventFields, GateFields } from '../questions/place-fields.tsx'
import { useAround } from '../scanning/surroundings.ts'
import { isJoined } from '../station/state.ts'
import { ScannerCheck } from './scanner-check.tsx'

interface Props {
  readonly events: readonly Choosable[]
  readonly settings: Settings | null
  readonly onDemo: () => void
}

/** Chooses event, check-in list, gate and direction, and what belongs to this station alone. */
export function SetupForm({ events, settings, onDemo }: Props) {
  const { desk, api, voice, language, actions, connection } = useAround()
  const { t } = voice
  const choice = useSignal(firstChoice(events, settings))
  const name = useSignal(settings?.name ?? connection.state.value.link?.upstream?.device_name ?? '')
  const sound = useSignal(settings?.sound ?? true)
  const camera = useSignal(settings?.camera ?? false)
  const problem = useSignal('')
  const input = savable(events, choice.value)

  const save = async () => {
    if (!input) return
    const own = { name: name.value.trim(), sound: sound.value, camera: camera.value, locale: language }
    const answer = await api.save({ ...input, ...own })
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
      class="setup-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div class="columns">
        <div class="column">
          <EventFields events={events} choice={choice} />
        </div>
        <div class="column">
          <GateFields events={events} choice={choice} />
          <label class="labelled">
            <span>{t('setup.name')}</span>
            <input
              class="field"
              type="text"
              maxLength={80}
              value={name.value}
              onInput={(event) => {
                name.value = event.currentTarget.value
              }}
            />
          </label>
          <div class="switches">
            <Switch label={t('setup.sound')} on={sound} />
            <Switch label={t('setup.camera')} on={camera} />
          </div>
        </div>
        {settings && (
          <div class="column">
            <ScannerCheck />
            <ShortcutList />
          </div>
        )}
      </div>
      <footer>
        <p class="objection" role="alert">
          {problem.value}
        </p>
        <Button kind="quiet" icon="link" onPress={() => desk.send({ type: 'at-station', open: true })}>
          {t('station.title')}
        </Button>
        {!isJoined(connection.state.value) && !events.some(({ organizer }) => organizer.slug === 'demo') && (
          <Button kind="quiet" onPress={onDemo}>
            {t('first.demo')}
          </Button>
        )}
        {settings && (
          <Button icon="back" onPress={() => desk.send({ type: 'setting-up', open: false })}>
            {t('back')}
          </Button>
        )}
        <button type="submit" class="button primary" disabled={!input}>
          <span>{t(settings ? 'setup.save' : 'setup.start')}</span>
        </button>
      </footer>
    </form>
  )
}
