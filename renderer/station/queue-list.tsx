import type { QueueState, ShownFact } from '../../schema/station-link.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import { count } from '../text/format.ts'
import { Aside, Box, Count } from './box.tsx'
import { ExportLink } from './export-link.tsx'
import style from './queue-list.module.css'
import { factText, reasonText, timeText } from './wording.ts'

const tabs: readonly QueueState[] = ['waiting', 'parked', 'done']

/** What happened here and is reported to the upstream server: what waits, what it refused, and what it has taken. */
export function QueueList() {
  const { connection, voice } = useApp()
  const { t, language } = voice
  const { tab, queue, link, busy } = connection.state.value
  const counts: Readonly<Record<QueueState, number | null>> = {
    waiting: link?.queue ?? null,
    parked: link?.parked ?? null,
    done: tab === 'done' ? (queue?.count ?? null) : null,
  }
  const facts = queue?.results ?? []
  return (
    <Box title={t('queue.title')}>
      <fieldset class={style.tabs} aria-label={t('queue.which')}>
        {tabs.map((one) => (
          <button
            type="button"
            key={one}
            aria-pressed={one === tab}
            data-tab={one}
            onClick={() => connection.choose(one)}
          >
            {t(`queue.${one}`)}
            {counts[one] !== null && <Count>{count(counts[one], language)}</Count>}
          </button>
        ))}
      </fieldset>
      {tab === 'parked' && facts.length > 0 && <p>{t('queue.parked-means')}</p>}
      {queue && facts.length === 0 && <Aside>{t(`queue-none.${tab}`)}</Aside>}
      <ul class={style.facts} data-queue={tab}>
        {facts.map((fact) => (
          <FactLine key={fact.nonce} fact={fact} />
        ))}
      </ul>
      {queue && queue.count > facts.length && (
        <Aside>{t('queue.more', { shown: facts.length, count: queue.count })}</Aside>
      )}
      <Buttons>
        {tab !== 'done' && facts.length > 0 && (
          <Button icon="turn" disabled={busy.has('retry')} onPress={() => void connection.retry(null)}>
            {t('queue.retry-all')}
          </Button>
        )}
        <ExportLink />
      </Buttons>
    </Box>
  )
}

function FactLine({ fact }: { readonly fact: ShownFact }) {
  const { connection, voice } = useApp()
  const { t } = voice
  const why = reasonText(fact, voice)
  const what = factText(fact, voice)
  return (
    <li class={style.fact} data-fact={fact.state}>
      <span>
        <strong>{what}</strong>
        <small>
          <time dateTime={fact.at}>{timeText(fact.at, voice)}</time>
          {fact.attempts > 1 && ` · ${t('queue.attempts', { count: fact.attempts })}`}
        </small>
        {fact.state !== 'done' && why && (
          <small class={style.why}>
            <Icon name="warn" />
            {why}
          </small>
        )}
      </span>
      {fact.state === 'parked' && (
        <Button
          icon="turn"
          title={t('queue.retry-one', { what })}
          disabled={connection.state.value.busy.has('retry')}
          onPress={() => void connection.retry([fact.nonce])}
        >
          {t('retry')}
        </Button>
      )}
    </li>
  )
}
