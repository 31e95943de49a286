import { assertNever } from '../assert-never.ts'
import type { Question } from '../contract.ts'
import { useAround } from '../scanning/surroundings.ts'
import { localized } from '../text/translate.ts'
import { chosen, toggled } from './answers.ts'
import { CountryField } from './country-field.tsx'

interface Props {
  readonly question: Question
  readonly text: string
  readonly invalid: boolean
  readonly onText: (text: string) => void
  /** An answer that needs no further button. */
  readonly onChosen: (text: string) => void
}

/** The field that suits a question. */
export function QuestionField(props: Props) {
  const { type } = props.question
  switch (type) {
    case 'S':
      return <Line {...props} />
    case 'N':
      return <Line {...props} keys="decimal" />
    case 'TEL':
      return <Line {...props} keys="tel" />
    case 'D':
      return <Moment {...props} type="date" />
    case 'H':
      return <Moment {...props} type="time" />
    case 'W':
      return <Moment {...props} type="datetime-local" />
    case 'T':
      return <Lines {...props} />
    case 'B':
      return <YesNo {...props} />
    case 'C':
      return <Options {...props} />
    case 'M':
      return <Options {...props} several />
    case 'CC':
      return <CountryField text={props.text} invalid={props.invalid} onText={props.onText} />
    case 'F':
      return <NoFile required={props.question.required} />
    default:
      return assertNever(type)
  }
}

/** What the three kinds of fields have in common. */
const named = (invalid: boolean) => ({
  class: 'field',
  autocomplete: 'off',
  'aria-labelledby': 'question',
  'aria-describedby': 'objection',
  'aria-invalid': invalid,
})

function Line({ text, invalid, onText, keys }: Props & { readonly keys?: 'decimal' | 'tel' }) {
  return (
    <input
      {...named(invalid)}
      type="text"
      inputMode={keys ?? 'text'}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

type MomentProps = Props & { readonly type: 'date' | 'time' | 'datetime-local' }

function Moment({ text, invalid, onText, type }: MomentProps) {
  return (
    <input
      {...named(invalid)}
      type={type}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

function Lines({ text, invalid, onText }: Props) {
  return (
    <textarea
      {...named(invalid)}
      rows={4}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

function YesNo({ text, onChosen }: Props) {
  const { t } = useAround().voice
  return (
    <fieldset class="options two" aria-labelledby="question">
      {(['true', 'false'] as const).map((value) => (
        <button
          type="button"
          key={value}
          class="option"
          aria-pressed={text === value}
          onClick={() => onChosen(value)}
        >
          {t(value === 'true' ? 'yes' : 'no')}
        </button>
      ))}
    </fieldset>
  )
}

function Options({ question, text, onText, onChosen, several }: Props & { readonly several?: boolean }) {
  const { language } = useAround().voice
  const picked = chosen(text)
  const options = question.options.toSorted((a, b) => a.position - b.position)
  return (
    <fieldset class={several ? 'options several' : 'options'} aria-labelledby="question">
      {options.map((option) => {
        const id = String(option.id)
        const press = () => (several ? onText(toggled(question, text, id)) : onChosen(id))
        return (
          <button type="button" key={id} class="option" aria-pressed={picked.includes(id)} onClick={press}>
            {localized(option.answer, language)}
          </button>
        )
      })}
    </fieldset>
  )
}

function NoFile({ required }: { readonly required: boolean }) {
  const { t } = useAround().voice
  return <p class="help">{t(required ? 'answer.no-files-required' : 'answer.no-files')}</p>
}
