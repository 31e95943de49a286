import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import { VisuallyHidden } from '../parts/visually-hidden.tsx'
import { count } from '../text/format.ts'
import style from './link-mark.module.css'
import { LinkShape } from './link-shape.tsx'
import { ageText, dataAge, markOf, markText } from './wording.ts'

/** How the link to the upstream server is, in sight at all times; opens the station page. */
export function LinkMark() {
  const { desk, voice, connection } = useApp()
  const { t, language } = voice
  const state = connection.state.value
  const mark = markOf(state)
  if (!mark || !state.link) return <span />
  const { queue, parked, conflicts } = state.link
  const age = dataAge(state)
  const number = (value: number) => count(value, language)
  const text = markText(state, voice)
  return (
    <button
      type="button"
      class={style.mark}
      data-link={mark}
      title={text}
      onClick={() => desk.send({ type: 'at-station', open: true })}
    >
      <LinkShape mark={mark} />
      <VisuallyHidden>{t('link.title')}: </VisuallyHidden>
      <span class={style.words}>
        <strong>{t(`link.${mark}`)}</strong>
        {age !== null && mark !== 'local' && <small class={style.age}>{ageText(age, t)}</small>}
        {queue > 0 && (
          <small class={style.queue} data-count="queue">
            {t('link-count.waiting', { count: queue })}
          </small>
        )}
      </span>
      {parked + conflicts > 0 && (
        <span class={style.pills}>
          {parked > 0 && (
            <Pill
              icon="close"
              kind="parked"
              value={number(parked)}
              words={t('link-count.parked', { count: parked })}
            />
          )}
          {conflicts > 0 && (
            <Pill
              icon="clash"
              kind="conflicts"
              value={number(conflicts)}
              words={t('link-count.conflicts', { count: conflicts })}
            />
          )}
        </span>
      )}
    </button>
  )
}

function Pill(props: {
  readonly icon: 'close' | 'clash'
  readonly kind: 'parked' | 'conflicts'
  readonly value: string
  /** The same for those who do not see which number it is. */
  readonly words: string
}) {
  return (
    <span class={style.pill}>
      <Icon name={props.icon} />
      <span aria-hidden="true" data-count={props.kind}>
        {props.value}
      </span>
      <VisuallyHidden>{props.words}</VisuallyHidden>
    </span>
  )
}
