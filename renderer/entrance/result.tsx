import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Shape, type ShapeName } from '../parts/shape.tsx'
import { type Entry, groupCount } from '../scanning/entries.ts'
import { useAround } from '../scanning/surroundings.ts'
import { movesOn } from './state.ts'
import { lookOf } from './verdict.ts'
import { addons, certaintyOf, headline, nextStep, used, what, who } from './wording.ts'

const longName = 26
/** Reasons where the ticket may well be found by name. */
const searchable = new Set<string | null | undefined>(['invalid', 'ambiguous', 'revoked', 'error'])

/** What became of a scan, over the whole screen: colour, shape and words at once. */
export function Result({ entry }: { readonly entry: Entry }) {
  const { desk, voice, actions } = useAround()
  const { t } = voice
  const look = lookOf(entry)
  const result = entry.result
  const name = who(entry, voice)
  const admitted = look === 'ok' || look === 'attention'
  const step = nextStep(entry, voice)
  const once = used(entry, voice)
  const certainty = certaintyOf(entry)
  return (
    <section
      class="result"
      data-result={look}
      data-reason={result?.reason ?? undefined}
      aria-label={t('result.label')}
    >
      <Shape name={shapeOf(entry)} />
      <div class="words">
        <h1 class={admitted && name ? 'verdict' : 'verdict large'}>
          {headline(entry, voice)}
          <GroupCount entry={entry} />
        </h1>
        {name && (
          <p class={admitted ? `name large${name.length > longName ? ' long' : ''}` : 'name'}>{name}</p>
        )}
        {(name || result?.signed) && <p class="product">{what(entry, voice)}</p>}
        {!result?.position && !result?.signed && <p class="code">{shortened(entry.read.code)}</p>}
        <Facts entry={entry} />
        {admitted && <Notes entry={entry} />}
        {once && <p class="used">{unbroken(once)}</p>}
        {result?.reason_explanation && look === 'refused' && <p class="why">{result.reason_explanation}</p>}
        {look === 'failed' && entry.failure && <p class="why">{entry.failure}</p>}
        {step && <p class="step">{step}</p>}
        {certainty && (
          <p class="certainty" data-certainty={certainty}>
            <Icon name={certainty === 'alone' ? 'unlinked' : 'link'} />
            {t(`certainty.${certainty}`)}
          </p>
        )}
        <div class="buttons">
          {look === 'failed' && (
            <Button kind="primary" icon="turn" onPress={() => actions.retry(entry)}>
              {t('retry')}
            </Button>
          )}
          {look === 'refused' && searchable.has(result?.reason) && (
            <Button kind="primary" icon="search" onPress={actions.search}>
              {t('ready.search')}
            </Button>
          )}
          {!movesOn(desk.state.value) && (
            <Button icon="next" onPress={actions.close}>
              {t('continue')}
            </Button>
          )}
          {admitted && result?.can_undo && desk.state.value.view.stays && (
            <Button icon="undo" disabled={entry.undo !== 'none'} onPress={() => void desk.undo(entry)}>
              {t('undo.this')}
            </Button>
          )}
        </div>
      </div>
      {movesOn(desk.state.value) && <div class="passing" data-look={look} />}
    </section>
  )
}

function shapeOf(entry: Entry): ShapeName {
  const look = lookOf(entry)
  return look === 'ok' && entry.direction === 'exit' ? 'exit' : look
}

function GroupCount({ entry }: { readonly entry: Entry }) {
  const { desk, voice } = useAround()
  if (entry.read.group === undefined) return null
  const { done, of } = groupCount(desk.state.value.entries, entry.read.group)
  return <small class="group"> {voice.t('group', { done, of })}</small>
}

function Facts({ entry }: { readonly entry: Entry }) {
  const { voice } = useAround()
  const seat = entry.result?.position?.seat
  const extras = addons(entry, voice)
  if (!seat && extras.length === 0) return null
  return (
    <dl class="facts">
      {seat && (
        <div>
          <dt>{voice.t('ticket.seat')}</dt>
          <dd>{seat.name}</dd>
        </div>
      )}
      {extras.length > 0 && (
        <div>
          <dt>{voice.t('ticket.addons')}</dt>
          <dd>{extras.join(', ')}</dd>
        </div>
      )}
    </dl>
  )
}

function Notes({ entry }: { readonly entry: Entry }) {
  const { voice } = useAround()
  const texts = entry.result?.checkin_texts ?? []
  if (!entry.result?.require_attention && texts.length === 0) return null
  return (
    <ul class="notes">
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
