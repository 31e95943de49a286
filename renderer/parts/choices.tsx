/** One of the things to choose from. */
export interface Option<T> {
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
}

/** A choice of one among few, all of them in sight. */
export function RadioCards<T extends string | number | null>({
  legend,
  name,
  options,
  value,
  onChoose,
  pair,
}: Props<T>) {
  return (
    <fieldset class={pair ? 'cards pair' : 'cards'}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={String(option.value)} class="card">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          <span>
            <strong>{option.label}</strong>
            {option.detail && <small>{option.detail}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface SwitchProps {
  readonly label: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

/** Something that is on or off. */
export function Switch({ label, on, onChange }: SwitchProps) {
  return (
    <label class="card switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={on}
        checked={on}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        <strong>{label}</strong>
      </span>
    </label>
  )
}
