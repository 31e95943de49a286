import type { Signal } from '@preact/signals'
import type { ComponentProps } from 'preact'
import style from './field.module.css'

/** A field of one line, as large as an answer in front of a queue has to be. */
export function FieldRow(props: ComponentProps<'input'>) {
  return <input {...props} class={style.field} />
}

/** A field of several lines. */
export function LongField(props: ComponentProps<'textarea'>) {
  return <textarea {...props} class={style.field} />
}

/** A field of one line on a page of settings. */
export function SmallField(props: ComponentProps<'input'>) {
  return <input {...props} class={`${style.field} ${style.small}`} />
}

type LabelledProps = ComponentProps<'input'> & { readonly label: string; readonly text: Signal<string> }

/** A small field below its name; what is typed is the text. */
export function LabelledField({ label, text, ...props }: LabelledProps) {
  return (
    <label class={style.labelled}>
      <span>{label}</span>
      <input
        type="text"
        {...props}
        class={`${style.field} ${style.small}`}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
      />
    </label>
  )
}

interface SelectProps<T extends string> {
  readonly label: string
  readonly chosen: Signal<T>
  readonly options: readonly { readonly value: T; readonly label: string }[]
}

/** A choice of one from a list that opens, below its name. */
export function LabelledSelect<T extends string>({ label, chosen, options }: SelectProps<T>) {
  return (
    <label class={style.labelled}>
      <span>{label}</span>
      <select
        class={`${style.field} ${style.small}`}
        value={chosen.value}
        onChange={(event) => {
          const found = options.find(({ value }) => value === event.currentTarget.value)
          if (found) chosen.value = found.value
        }}
      >
        {options.map(({ value, label: words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}
