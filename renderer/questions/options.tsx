import type { ComponentChildren } from 'preact'
import style from './options.module.css'

interface OptionsProps {
  /** Whether one is chosen, several are, or one of two that say everything. */
  readonly kind: 'one' | 'two' | 'several'
  /** The id of what they are named by, where that is not the one question of the screen. */
  readonly name?: string | undefined
  readonly children: ComponentChildren
}

/** The answers to choose from, each a button. */
export function Options({ kind, name = 'question', children }: OptionsProps) {
  return (
    <fieldset class={style.options} data-kind={kind} aria-labelledby={name}>
      {children}
    </fieldset>
  )
}

interface OptionProps {
  readonly chosen: boolean
  readonly onPress: () => void
  readonly children: ComponentChildren
}

/** One answer to choose. */
export function OptionButton({ chosen, onPress, children }: OptionProps) {
  return (
    <button type="button" class={style.option} aria-pressed={chosen} onClick={onPress}>
      {children}
    </button>
  )
}
