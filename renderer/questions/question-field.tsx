import type { CheckinQuestion } from '../../schema/bodies/scan-result.ts'
import { useApp } from '../parts/context.ts'
import { FieldRow, LongField } from '../parts/field.tsx'
import { localized } from '../text/translate.ts'
import { chosen, toggled } from './answers.ts'
import { CountryField } from './country-field.tsx'
import { OptionButton, Options } from './options.tsx'
import style from './question-field.module.css'

interface Props {
  readonly question: CheckinQuestion
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
      return <Choice {...props} />
    case 'M':
      return <Choice {...props} several />
    case 'CC':
      return <CountryField text={props.text} invalid={props.invalid} onText={props.onText} />
    case 'F':
      return <NoFile required={props.question.required} />
    default:
      return type satisfies never
  }
}

/** What the three kinds of fields have in common. */
const named = (invalid: boolean) => ({
  autocomplete: 'off',
  'aria-labelledby': 'question',
  'aria-describedby': 'objection',
  'aria-invalid': invalid,
})

function Line({ text, invalid, onText, keys }: Props & { readonly keys?: 'decimal' | 'tel' }) {
  return (
    <FieldRow
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
    <FieldRow
      {...named(invalid)}
      type={type}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

function Lines({ text, invalid, onText }: Props) {
  return (
    <LongField
      {...named(invalid)}
      rows={4}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

function YesNo({ text, onChosen }: Props) {
  const { t } = useApp().voice
  return (
    <Options kind="two">
      {(['true', 'false'] as const).map((value) => (
        <OptionButton key={value} chosen={text === value} onPress={() => onChosen(value)}>
          {t(value === 'true' ? 'yes' : 'no')}
        </OptionButton>
      ))}
    </Options>
  )
}

function Choice({ question, text, onText, onChosen, several }: Props & { readonly several?: boolean }) {
  const { language } = useApp().voice
  const picked = chosen(text)
  const options = question.options.toSorted((a, b) => a.position - b.position)
  return (
    <Options kind={several ? 'several' : 'one'}>
      {options.map((option) => {
        const id = String(option.id)
        const press = () => (several ? onText(toggled(question, text, id)) : onChosen(id))
        return (
          <OptionButton key={id} chosen={picked.includes(id)} onPress={press}>
            {localized(option.answer, language)}
          </OptionButton>
        )
      })}
    </Options>
  )
}

function NoFile({ required }: { readonly required: boolean }) {
  const { t } = useApp().voice
  return <p class={style.help}>{t(required ? 'answer.no-files-required' : 'answer.no-files')}</p>
}
