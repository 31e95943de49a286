import { useSignal } from '@preact/signals'
import { settlesBy } from '../../schema/security-profiles.ts'
import type { ShownConflict } from '../../schema/station-link.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { LabelledField } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { beside } from '../text/direction.ts'
import { count } from '../text/format.ts'
import { Aside, Box } from './box.tsx'
import style from './conflict-list.module.css'
import { sideText } from './wording.ts'

/** What contradicts each other and nobody has looked into yet. */
export function ConflictList() {
  const { connection, voice } = useApp()
  const { t, language } = voice
  const { conflicts, link } = connection.state.value
  const shown = conflicts?.results ?? []
  if (!conflicts || (shown.length === 0 && link?.upstream === null)) return null
  return (
    <Box title={t('clash.title')} count={conflicts.count > 0 ? count(conflicts.count, language) : null}>
      {shown.length === 0 && <Aside>{t('clash.none')}</Aside>}
      <ul class={style.conflicts}>
        {shown.map((one) => (
          <Clash key={one.id} conflict={one} />
        ))}
      </ul>
      {conflicts.count > shown.length && (
        <Aside>{t('queue.more', { shown: shown.length, count: conflicts.count })}</Aside>
      )}
    </Box>
  )
}

function Clash({ conflict }: { readonly conflict: ShownConflict }) {
  const { desk, connection, voice } = useApp()
  const { t } = voice
  const settles = settlesBy(desk.state.value.station?.settings?.profile ?? 'full')
  const open = useSignal(false)
  const note = useSignal('')
  const { link, busy } = connection.state.value
  const reachable = link?.upstream === null || link?.state !== 'alone'
  const order = conflict.order && `${conflict.order}-${conflict.positionid ?? 1}`
  const name = conflict.attendee_name || order || t('clash.somebody')
  const about = beside([conflict.attendee_name ? order : null, conflict.list_name], ' · ', voice.language)
  return (
    <li class={style.conflict} data-conflict={conflict.kind} data-severity={conflict.severity}>
      <p class={style.kind}>
        <Icon name="clash" />
        {t(`clash-kind.${conflict.kind}`)}
      </p>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      {about && <Aside>{about}</Aside>}
      <ol class={style.sides}>
        {sidesOf(conflict).map((side) => (
          <Side key={side.at} {...side} />
        ))}
      </ol>
      {!settles ? (
        <Aside>{t('clash.elsewhere')}</Aside>
      ) : !open.value ? (
        <Button
          icon="check"
          disabled={!reachable}
          onPress={() => {
            open.value = true
          }}
        >
          {t('clash.resolve')}
        </Button>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void connection.resolve(conflict.id, note.value.trim())
          }}
        >
          <LabelledField label={t('clash.note')} text={note} maxLength={1000} />
          <Buttons>
            <Button kind="primary" disabled={!reachable || busy.has(String(conflict.id))}>
              {t('clash.resolved')}
            </Button>
            <Button
              onPress={() => {
                open.value = false
              }}
            >
              {t('clash.later')}
            </Button>
          </Buttons>
        </form>
      )}
      {settles && !reachable && <Aside>{t('clash.offline')}</Aside>}
    </li>
  )
}

interface Where {
  readonly gate: string | null
  readonly device: string | null
  readonly at: string | null
}

/** Both sides, the earlier one first. */
function sidesOf(conflict: ShownConflict): readonly Where[] {
  const own = { gate: conflict.gate_name, device: conflict.device_name, at: conflict.datetime }
  const other = {
    gate: conflict.other_gate_name,
    device: conflict.other_device_name,
    at: conflict.other_datetime,
  }
  return other.at === null
    ? [own]
    : [own, other].toSorted((a, b) => Date.parse(a.at ?? '') - Date.parse(b.at ?? ''))
}

function Side(side: Where) {
  const { voice } = useApp()
  const { where, when } = sideText(side, new Date().toISOString(), voice)
  return (
    <li>
      <time dateTime={side.at ?? undefined}>{when}</time>
      <span>{where}</span>
    </li>
  )
}
