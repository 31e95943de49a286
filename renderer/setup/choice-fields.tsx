import { type Signal, useSignal } from '@preact/signals'
import { Button } from '../parts/button.tsx'
import { CheckCards, RadioCards } from '../parts/choices.tsx'
import { useApp } from '../parts/context.ts'
import { formatDate } from '../text/format.ts'
import { localized } from '../text/translate.ts'
import { type Choice, chosenEvent, type EventOption, otherLists } from './event-choice.ts'

interface Props {
  readonly events: readonly EventOption[]
  readonly choice: Signal<Choice>
}

const chosenOf = ({ events, choice }: Props): EventOption | undefined =>
  events.find(({ key }) => key === choice.value.event)

/** Which event, and which of its check-in lists. */
export function EventFields({ events, choice }: Props) {
  const { voice, language } = useApp()
  const { t } = voice
  const chosen = chosenOf({ events, choice })
  return (
    <>
      <RadioCards
        legend={t('setup.event')}
        filter={t('setup.filter')}
        name="event"
        value={choice.value.event}
        options={events.map(({ key, event, organizer }) => ({
          value: key,
          label: localized(event.name, language),
          detail: `${formatDate(event.date_from, event.timezone, language)} · ${organizer.name}`,
        }))}
        onChoose={(key) => {
          const event = events.find((each) => each.key === key)
          choice.value = chosenEvent(event, choice.value.direction)
        }}
      />
      {chosen && (
        <RadioCards
          legend={t('setup.list')}
          filter={t('setup.filter')}
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
      <OtherLists events={events} choice={choice} />
    </>
  )
}

/** Which lists are admitted beside the chosen one: asked only where somebody wants that. */
function OtherLists({ events, choice }: Props) {
  const { voice, language } = useApp()
  const { t } = voice
  const offered = otherLists(events, choice.value)
  const others = choice.value.others.filter((id) => offered.some(({ list }) => list.id === id))
  const open = useSignal(others.length > 0)
  if (offered.length === 0) return null
  if (!open.value)
    return (
      <Button kind="quiet" icon="check" onPress={() => (open.value = true)}>
        {t('setup.other-lists.add')}
      </Button>
    )
  return (
    <CheckCards
      legend={t('setup.other-lists')}
      filter={t('setup.filter')}
      values={others}
      options={offered.map(({ list, event }) => ({
        value: list.id,
        label: list.name,
        detail: [localized(event.name, language), localized(list.subevent_name, language)]
          .filter((part) => part !== '')
          .join(' · '),
      }))}
      onChange={(ids) => {
        choice.value = { ...choice.value, others: ids }
      }}
    />
  )
}

/** Which gate, and which way people go through it. */
export function GateFields({ events, choice }: Props) {
  const { t } = useApp().voice
  const gates = chosenOf({ events, choice })?.organizer.gates ?? []
  return (
    <>
      {gates.length > 0 && (
        <RadioCards<number | null>
          legend={t('setup.gate')}
          filter={t('setup.filter')}
          name="gate"
          value={choice.value.gate}
          options={[
            { value: null, label: t('setup.no-gate') },
            ...gates.map((gate) => ({ value: gate.id, label: gate.name })),
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
    </>
  )
}
