import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import style from './choices.module.css'
import { SmallField } from './field.tsx'

/** One of the things to choose from. */
interface Option<T> {
  readonly value: T
  readonly label: string
  readonly detail?: string
}

interface Props<T> {
  readonly legend: string
  readonly name: string
  readonly options: readonly Option<T>[]
  readonly value: T
  readonly onChoose: (value: T) => void
  /** Two short choices, side by side. */
  readonly pair?: boolean
  /** What the field is called that narrows down a long list; without it there is none. */
  readonly filter?: string
}

const many = 8

/** A choice of one among few, all of them in sight; many can be narrowed down by typing. */
export function RadioCards<T extends string | number | null>(props: Props<T>) {
  const { legend, name, options, value, onChoose, pair, filter } = props
  const typed = useSignal('')
  const inSight = options.filter((option) => option.value === value || isFound(option, typed.value))
  return (
    <fieldset class={pair ? `${style.cards} ${style.pair}` : style.cards}>
      <legend>{legend}</legend>
      {filter && options.length > many && <Filter legend={legend} filter={filter} typed={typed} />}
      {inSight.map((option) => (
        <label key={String(option.value)} class={style.card}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          <CardText {...option} />
        </label>
      ))}
    </fieldset>
  )
}

interface CheckProps<T> extends Pick<Props<T>, 'legend' | 'options' | 'filter'> {
  readonly values: readonly T[]
  readonly onChange: (values: readonly T[]) => void
}

/** A choice of any number of things; many can be narrowed down by typing. */
export function CheckCards<T extends string | number>(props: CheckProps<T>) {
  const { legend, options, values, onChange, filter } = props
  const typed = useSignal('')
  const isChosen = ({ value }: Option<T>): boolean => values.includes(value)
  return (
    <fieldset class={style.cards}>
      <legend>{legend}</legend>
      {filter && options.length > many && <Filter legend={legend} filter={filter} typed={typed} />}
      {options
        .filter((option) => isChosen(option) || isFound(option, typed.value))
        .map((option) => (
          <label key={String(option.value)} class={style.card}>
            <input
              type="checkbox"
              checked={isChosen(option)}
              onChange={() =>
                onChange(
                  isChosen(option)
                    ? values.filter((value) => value !== option.value)
                    : [...values, option.value],
                )
              }
            />
            <CardText {...option} />
          </label>
        ))}
    </fieldset>
  )
}

const isFound = <T,>({ label, detail = '' }: Option<T>, typed: string): boolean =>
  `${label} ${detail}`.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase())

interface FilterProps {
  readonly legend: string
  readonly filter: string
  readonly typed: Signal<string>
}

function Filter({ legend, filter, typed }: FilterProps) {
  return (
    <SmallField
      type="text"
      placeholder={filter}
      aria-label={`${filter}: ${legend}`}
      value={typed.value}
      onInput={(event) => {
        typed.value = event.currentTarget.value
      }}
    />
  )
}

const CardText = ({ label, detail }: Pick<Option<unknown>, 'label' | 'detail'>) => (
  <span>
    <strong>{label}</strong>
    {detail && <small>{detail}</small>}
  </span>
)

/** Several things that are on or off, side by side where there is room. */
export function Switches({ children }: { readonly children: ComponentChildren }) {
  return <div class={style.switches}>{children}</div>
}

/** Something that is on or off. */
export function Switch({ label, on }: { readonly label: string; readonly on: Signal<boolean> }) {
  return (
    <label class={style.card}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={on.value}
        checked={on.value}
        onChange={(event) => {
          on.value = event.currentTarget.checked
        }}
      />
      <span>
        <strong>{label}</strong>
      </span>
    </label>
  )
}
