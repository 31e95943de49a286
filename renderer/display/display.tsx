import type { ReadonlySignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { CustomerDisplay, DisplayedLine } from '../../schema/bodies/customer-display.ts'
import type { Language } from '../../schema/texts/translate.ts'
import { count, formatMoney } from '../text/format.ts'
import { markLanguage } from '../text/spoken-language.ts'
import { type TextKey, translator } from '../text/translate.ts'
import style from './display.module.css'

interface DisplayProps {
  readonly shown: ReadonlySignal<CustomerDisplay | null>
  readonly spoken: ReadonlySignal<Language | null>
}

/** What the guest in front of a till sees; null while the till has said nothing. */
export function Display({ shown, spoken }: DisplayProps) {
  const now = shown.value
  const language = spoken.value
  if (language === null) return null
  const t = translator(language)
  markLanguage(document.documentElement, language)
  document.title = now?.event_name || 'Gatehouse'
  return (
    <main class={style.display} data-phase={now?.phase ?? 'waiting'}>
      {now === null && <h1 class={style.waiting}>{t('display.waiting')}</h1>}
      {now && <h1 class={style.event}>{now.event_name}</h1>}
      {now && (now.phase === 'idle' || now.phase === 'sold') && (
        <p class={style.greeting}>{t(now.phase === 'sold' ? 'display.thanks' : 'display.welcome')}</p>
      )}
      {now && now.lines.length > 0 && <Lines shown={now} language={language} />}
      {now && <Money shown={now} language={language} />}
    </main>
  )
}

interface Shown {
  readonly shown: CustomerDisplay
  readonly language: Language
}

/** What is bought; what was put in last is in view. */
function Lines({ shown, language }: Shown) {
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [shown])
  return (
    <ul ref={list} class={style.lines}>
      {shown.lines.map((line, index) => (
        <li key={`${index}/${line.name}`}>
          <b>{count(line.count, language)} ×</b>
          <Words line={line} />
          <span class={style.price}>
            {line.amount === null ? '…' : formatMoney(line.amount, shown.currency, language)}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Words({ line }: { readonly line: DisplayedLine }) {
  return (
    <div>
      {line.name}
      {line.details.map((detail) => (
        <small key={detail}>{detail}</small>
      ))}
    </div>
  )
}

const sums = ['total', 'due', 'given', 'change'] as const satisfies readonly (keyof CustomerDisplay)[]

/** What it costs, and the money that goes over the counter; the last of it in the largest figures. */
function Money({ shown, language }: Shown) {
  const t = translator(language)
  const known = sums.flatMap((name) => (shown[name] === null ? [] : [{ name, amount: shown[name] }]))
  if (known.length === 0) return null
  return (
    <dl class={style.money} aria-live="polite">
      {known.map(({ name, amount }) => (
        <div key={name} data-sum={name} data-amount={amount}>
          <dt>{t(`display.${name}` satisfies TextKey)}</dt>
          <dd>{formatMoney(amount, shown.currency, language)}</dd>
        </div>
      ))}
    </dl>
  )
}
