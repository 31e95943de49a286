import type { Alert } from '../../schema/station-link.ts'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Shape } from '../parts/shape.tsx'
import { beside } from '../text/direction.ts'
import style from './alert-banner.module.css'
import { sideText } from './wording.ts'

/**
 * Somebody is inside who should not be: over the whole width, until it is acknowledged. It takes its room from the rest
 * of the screen, which goes on working.
 */
export function AlertBanner() {
  const { connection, voice } = useApp()
  const { t } = voice
  const { alerts } = connection.state.value
  const [alert] = alerts
  return (
    <div role="alert">
      {alert && (
        <section key={alert.id} class={style.alert} data-alert={alert.kind} aria-label={t('alert.label')}>
          <Shape name="refused" />
          <div class={style.words}>
            <h2>
              {t('alert.stop', { name: nameOf(alert, t('alert.somebody')) })}
              {alerts.length > 1 && <small>{t('alert.more', { count: alerts.length - 1 })}</small>}
            </h2>
            <p>{alert.text}</p>
            <Sides alert={alert} />
          </div>
          <Button
            kind="primary"
            icon="check"
            onPress={() => connection.send({ type: 'acknowledged', id: alert.id })}
          >
            {t('alert.done')}
          </Button>
        </section>
      )}
    </div>
  )
}

const nameOf = ({ name, code }: Alert, nobody: string): string => name || code || nobody

function Sides({ alert }: { readonly alert: Alert }) {
  const { voice } = useApp()
  const { t } = voice
  const now = new Date().toISOString()
  const here = sideText({ gate: alert.gate, device: alert.device, at: alert.datetime }, now, voice)
  const there = sideText(
    { gate: alert.other_gate, device: alert.other_device, at: alert.other_datetime },
    now,
    voice,
  )
  return (
    <dl>
      {alert.list && (
        <div>
          <dt>{t('alert.list')}</dt>
          <dd>{beside([alert.list, alert.name ? alert.code : null], ' · ', voice.language)}</dd>
        </div>
      )}
      <div>
        <dt>{t('alert.here')}</dt>
        <dd>{beside([here.where, here.when], ', ', voice.language)}</dd>
      </div>
      {alert.other_datetime && (
        <div>
          <dt>{t('alert.there')}</dt>
          <dd>{beside([there.where, there.when], ', ', voice.language)}</dd>
        </div>
      )}
    </dl>
  )
}
