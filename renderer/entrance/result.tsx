import { Button } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import type { ShapeName } from '../parts/shape.tsx'
import { PrintButtons } from '../printing/print-buttons.tsx'
import { movesOn } from '../scanning/desk-state.ts'
import { type Entry, groupCount, lookOf } from '../scanning/entries.ts'
import {
  addons,
  certaintyOf,
  headline,
  listOfTicket,
  nextStep,
  used,
  what,
  who,
} from '../scanning/wording.ts'
import { beside } from '../text/direction.ts'
import { GuestButton } from './guest/guest-button.tsx'
import style from './result.module.css'
import { GuestName, Headline, NextStep, ProductBand, ProductTitle, ResultLayout } from './result-layout.tsx'

/** Reasons where the ticket may well be found by name. */
const searchable = new Set<string | null | undefined>(['invalid', 'ambiguous', 'revoked', 'error'])

/** What became of a scan, over the whole screen: colour, shape and words at once. */
export function Result({ entry }: { readonly entry: Entry }) {
  const { desk, voice } = useApp()
  const look = lookOf(entry)
  const { result } = entry
  const name = who(entry, voice)
  const admitted = look === 'ok' || look === 'attention'
  const ticket = result?.position ?? result?.signed
  const product = what(entry, voice)
  const step = nextStep(entry, voice)
  const once = used(entry, voice)
  return (
    <ResultLayout
      look={look}
      shape={shapeOf(entry)}
      reason={result?.reason ?? undefined}
      buttons={<ResultButtons entry={entry} admitted={admitted} />}
      band={admitted && product && <ProductBand color={ticket?.item_color ?? null}>{product}</ProductBand>}
      cover={movesOn(desk.state.value) && <div class={style.passing} data-look={look} />}
    >
      <Headline small={admitted && name !== ''}>
        {headline(entry, voice)}
        <GroupCount entry={entry} />
      </Headline>
      {name && <GuestName large={admitted} name={name} />}
      {!admitted && product && <ProductTitle>{product}</ProductTitle>}
      {!result?.position && !result?.signed && <Code text={shortened(entry.read.code)} />}
      <Facts entry={entry} />
      {admitted && <Notes entry={entry} />}
      {once && <p class={style.why}>{unbroken(once)}</p>}
      {result?.reason_explanation && look === 'refused' && (
        <p class={style.why}>{result.reason_explanation}</p>
      )}
      {look === 'failed' && entry.failure && <p class={style.why}>{entry.failure}</p>}
      {step && <NextStep>{step}</NextStep>}
      <CertaintyMark entry={entry} />
    </ResultLayout>
  )
}

function ResultButtons({ entry, admitted }: { readonly entry: Entry; readonly admitted: boolean }) {
  const { desk, voice, actions } = useApp()
  const { t } = voice
  const look = lookOf(entry)
  return (
    <>
      {look === 'failed' && (
        <Button kind="primary" icon="turn" onPress={() => actions.retry(entry)}>
          {t('retry')}
        </Button>
      )}
      {look === 'refused' && searchable.has(entry.result?.reason) && (
        <Button kind="primary" icon="search" onPress={actions.search}>
          {t('ready.search')}
        </Button>
      )}
      {!movesOn(desk.state.value) && (
        <Button icon="next" onPress={actions.close}>
          {t('continue')}
        </Button>
      )}
      <GuestButton entry={entry} />
      {admitted && entry.result?.position && !movesOn(desk.state.value) && (
        <PrintButtons position={entry.result.position.id} name={who(entry, voice)} />
      )}
      {admitted && entry.result?.can_undo && desk.state.value.view.stays && (
        <Button icon="undo" disabled={entry.undo !== 'none'} onPress={() => void desk.undo(entry)}>
          {t('undo.this')}
        </Button>
      )}
    </>
  )
}

function CertaintyMark({ entry }: { readonly entry: Entry }) {
  const { t } = useApp().voice
  const certainty = certaintyOf(entry)
  if (!certainty) return null
  return (
    <p class={style.certainty} data-certainty={certainty}>
      <Icon name={certainty === 'offline' ? 'unlinked' : 'link'} />
      {t(`certainty.${certainty}`)}
    </p>
  )
}

function shapeOf(entry: Entry): ShapeName {
  const look = lookOf(entry)
  return look === 'ok' && entry.direction === 'exit' ? 'exit' : look
}

function GroupCount({ entry }: { readonly entry: Entry }) {
  const { desk, voice } = useApp()
  if (entry.read.group === undefined) return null
  const { done, of } = groupCount(desk.state.value.entries, entry.read.group)
  return <small class={style.group}> {voice.t('group', { done, of })}</small>
}

function Facts({ entry }: { readonly entry: Entry }) {
  const { desk, voice } = useApp()
  const list = listOfTicket(entry, desk.state.value.station?.settings)
  const seat = entry.result?.position?.seat
  const extras = addons(entry, voice)
  if (!seat && !list && extras.length === 0) return null
  return (
    <dl class={style.facts}>
      {list && (
        <div data-list>
          <dt>{voice.t('alert.list')}</dt>
          <dd>{list}</dd>
        </div>
      )}
      {seat && (
        <div>
          <dt>{voice.t('ticket.seat')}</dt>
          <dd>
            <bdi>{seat.name}</bdi>
          </dd>
        </div>
      )}
      {extras.length > 0 && (
        <div>
          <dt>{voice.t('ticket.addons')}</dt>
          <dd>{beside(extras, ', ', voice.language)}</dd>
        </div>
      )}
    </dl>
  )
}

function Notes({ entry }: { readonly entry: Entry }) {
  const { voice } = useApp()
  const texts = entry.result?.checkin_texts ?? []
  if (!entry.result?.require_attention && texts.length === 0) return null
  return (
    <ul class={style.notes}>
      {entry.result?.require_attention && (
        <li>
          <Icon name="person" />
          {voice.t('result.attention')}
        </li>
      )}
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

/** The parts of a line, each of which breaks only where it would not fit in a line of its own. */
const unbroken = (text: string) =>
  text.split(' · ').map((part, index) => (
    <>
      {index > 0 && ' · '}
      <span>{part}</span>
    </>
  ))

const shortened = (code: string): string =>
  code.length > 48 ? `${code.slice(0, 30)} … ${code.slice(-12)}` : code
