import { useSignal } from '@preact/signals'
import type { Choices, Settings } from '../contract.ts'
import { Button } from '../parts/button.tsx'
import { RadioCards, Switch } from '../parts/choices.tsx'
import { date } from '../text/format.ts'
import { localized } from '../text/translate.ts'
import { choosable, chooseEvent, firstChoice, savable } from './choosing.ts'
import { ScannerCheck } from './scanner-check.tsx'
import { ShortcutList } from './shortcut-list.tsx'
import { useAround } from './surroundings.ts'

interface Props {
  readonly choices: Choices
  readonly settings: Settings | null
  readonly onDemo: () => void
}

const manyEvents = 8

/** Chooses event, check-in list, gate and direction, and what belongs to this station alone. */
export function SetupForm({ choices, settings, onDemo }: Props) {
  const { desk, api, voice, language, actions } = useAround()
  const { t } = voice
  const choice = useSignal(firstChoice(choices, settings))
  const name = useSignal(settings?.name ?? '')
  const sound = useSignal(settings?.sound ?? true)
  const camera = useSignal(settings?.camera ?? false)
  const filter = useSignal('')
  const problem = useSignal('')
  const events = choosable(choices)
  const chosen = events.find(({ key }) => key === choice.value.event)
  const input = savable(choices, choice.value)
  const wanted = filter.value.toLocaleLowerCase(language)
  const inSight = events.filter(
    ({ key, event }) =>
      key === choice.value.event ||
      localized(event.name, language).toLocaleLowerCase(language).includes(wanted),
  )

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
          {events.length > manyEvents && (
            <label class="labelled">
              <span>{t('setup.filter')}</span>
              <input
                class="field"
                type="text"
                value={filter.value}
                onInput={(event) => (filter.value = event.currentTarget.value)}
              />
            </label>
          )}
          <RadioCards
            legend={t('setup.event')}
            name="event"
            value={choice.value.event}
            options={inSight.map(({ key, event, organizer }) => ({
              value: key,
              label: localized(event.name, language),
              detail: `${date(event.date_from, event.timezone, language)} · ${organizer.name}`,
            }))}
            onChoose={(key) => {
              choice.value = chooseEvent(
                events.find((each) => each.key === key),
                choice.value.direction,
              )
            }}
          />
          {chosen && (
            <RadioCards
              legend={t('setup.list')}
              name="list"
              value={choice.value.list}
              options={chosen.event.lists.map((list) => ({
                value: list.id,
                label: list.name,
                detail: localized(list.subevent_name, language),
              }))}
              onChoose={(list) => {
                choice.value = { ...choice.value, list }
              }}
            />
          )}
        </div>
        <div class="column">
          {chosen && chosen.organizer.gates.length > 0 && (
            <RadioCards<number | null>
              legend={t('setup.gate')}
              name="gate"
              value={choice.value.gate}
              options={[
                { value: null, label: t('setup.no-gate') },
                ...chosen.organizer.gates.map((gate) => ({ value: gate.id, label: gate.name })),
              ]}
              onChoose={(gate) => {
                choice.value = { ...choice.value, gate }
              }}
            />
          )}
          <RadioCards
            legend={t('direction.label')}
            name="direction"
            pair
            value={choice.value.direction}
            options={[
              { value: 'entry', label: t('direction.entry') },
              { value: 'exit', label: t('direction.exit') },
            ]}
            onChoose={(direction) => {
              choice.value = { ...choice.value, direction: direction === 'exit' ? 'exit' : 'entry' }
            }}
          />
          <label class="labelled">
            <span>{t('setup.name')}</span>
            <input
              class="field"
              type="text"
              maxLength={80}
              value={name.value}
              onInput={(event) => (name.value = event.currentTarget.value)}
            />
          </label>
          <div class="switches">
            <Switch label={t('setup.sound')} on={sound.value} onChange={(on) => (sound.value = on)} />
            <Switch label={t('setup.camera')} on={camera.value} onChange={(on) => (camera.value = on)} />
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
        {!choices.organizers.some(({ slug }) => slug === 'demo') && (
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
