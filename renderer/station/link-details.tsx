import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Warning } from '../parts/warning.tsx'
import { isJoined } from '../upstream/connection-state.ts'
import { UntitledBox } from './box.tsx'
import style from './link-details.module.css'
import { LinkShape } from './link-shape.tsx'
import { ageText, dataAge, durationText, markOf, sinceText, troubleText } from './wording.ts'

/** How the link is, since when, to whom, how old the data is and how far the clock is off. */
export function LinkDetails() {
  const { connection, voice } = useApp()
  const { t } = voice
  const state = connection.state.value
  const { link } = state
  const mark = markOf(state)
  if (!link || !mark) return null
  const age = dataAge(state)
  const { upstream, clock } = link
  const offset = Math.round(clock.offset / 1000)
  const trouble = link.state === 'alone' && mark !== 'revoked' ? troubleText(link, voice) : ''
  return (
    <UntitledBox data-link={mark} label={t('link.title')}>
      <div class={style.state} role="status">
        <LinkShape mark={mark} />
        <div>
          <h2>{t(`link.${mark}`)}</h2>
          {upstream && <p>{sinceText(link, new Date().toISOString(), voice)}</p>}
        </div>
      </div>
      <p>{t(`link-says.${mark}`)}</p>
      {trouble && upstream && <Warning>{trouble}</Warning>}
      {clock.skewed && <Warning>{t('link.skewed', { time: durationText(Math.abs(offset), t) })}</Warning>}
      {upstream && (
        <dl class={style.pairs}>
          <Line name={t('link.server')} value={upstream.url} />
          <Line name={t('link.organizer')} value={upstream.organizer} />
          <Line name={t('link.device')} value={upstream.device_name} />
          <Line name={t('link.profile')} value={t(`profile.${profileOf(upstream.security_profile)}`)} />
          {link.role === 'hub' && <Line name={t('link.role')} value={t('link.is-hub')} />}
          {age !== null && <Line name={t('link.age')} value={ageText(age, t)} />}
          {clock.uncertainty !== null && (
            <Line
              name={t('link.clock')}
              value={t('link.offset', {
                offset: `${clock.offset < 0 ? '−' : '+'}${(Math.abs(clock.offset) / 1000).toFixed(1)}`,
                uncertainty: (clock.uncertainty / 1000).toFixed(2),
              })}
            />
          )}
        </dl>
      )}
      {!isJoined(state) && (
        <Button kind="primary" icon="link" onPress={() => connection.send({ type: 'pairing', open: true })}>
          {t('first.connect')}
        </Button>
      )}
    </UntitledBox>
  )
}

/** What a profile is called here: apps know some of them by other names. */
const profiles = {
  full: 'full',
  scan: 'scan',
  pretixscan: 'scan',
  kiosk: 'kiosk',
  gate: 'gate',
  boxoffice: 'boxoffice',
  pretixpos: 'boxoffice',
} as const

const profileOf = (name: string): (typeof profiles)[keyof typeof profiles] | 'other' =>
  name in profiles ? profiles[name as keyof typeof profiles] : 'other'

function Line({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
