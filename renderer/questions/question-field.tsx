import type { CheckinQuestion } from '../../schema/bodies/scan-result.ts'
import { useApp } from '../parts/context.ts'
import { FieldRow, LongField } from '../parts/field.tsx'
import { localized } from '../text/translate.ts'
import { chosen, toggled } from './answers.ts'
import { CountryField } from './country-field.tsx'
import { OptionButton, Options } from './options.tsx'
import style from './question-field.module.css'

interface Props {
  /** The id of what it is named by, where that is not the one question of the screen. */
  readonly name?: string

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
      return <CountryField {...props} />
    case 'F':
      return <NoFile required={props.question.required} />
    default:
      return type satisfies never
  }
}

/** What the three kinds of fields have in common. */
const named = ({ invalid, name }: Pick<Props, 'invalid' | 'name'>) => ({
  autocomplete: 'off',
  'aria-labelledby': name ?? 'question',
  'aria-describedby': name ? `${name}-objection` : 'objection',
  'aria-invalid': invalid,
})

function Line({ keys, ...props }: Props & { readonly keys?: 'decimal' | 'tel' }) {
  const { text, onText } = props
  return (
    <FieldRow
      {...named(props)}
      type="text"
      inputMode={keys ?? 'text'}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

type MomentProps = Props & { readonly type: 'date' | 'time' | 'datetime-local' }

function Moment({ type, ...props }: MomentProps) {
  const { text, onText } = props
  return (
    <FieldRow
      {...named(props)}
      type={type}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

function Lines(props: Props) {
  const { text, onText } = props
  return (
    <LongField
      {...named(props)}
      rows={4}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

function YesNo({ name, text, onChosen }: Props) {
  const { t } = useApp().voice
  return (
    <Options kind="two" name={name}>
      {(['true', 'false'] as const).map((value) => (
        <OptionButton key={value} chosen={text === value} onPress={() => onChosen(value)}>
          {t(value === 'true' ? 'yes' : 'no')}
        </OptionButton>
      ))}
    </Options>
  )
}

function Choice({ name, question, text, onText, onChosen, several }: Props & { readonly several?: boolean }) {
  const { language } = useApp().voice
  const picked = chosen(text)
  const options = question.options.toSorted((a, b) => a.position - b.position)
  return (
    <Options kind={several ? 'several' : 'one'} name={name}>
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
