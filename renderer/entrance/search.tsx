import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Settings } from '../../schema/bodies/station-state.ts'
import { findsByContact } from '../../schema/security-profiles.ts'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import { Tool } from '../parts/tool.tsx'
import { HiddenTitle } from '../parts/visually-hidden.tsx'
import { directionOf } from '../scanning/desk-state.ts'
import { FoundOrders } from './found-orders.tsx'
import { foundOrders } from './found-tickets.ts'
import { firstPages, lastSearch, type SearchOutcome, withNextPage } from './last-search.ts'
import style from './search.module.css'

const pause = 250
const fewest = 2

/** Finds tickets by name, order code or e-mail, and admits them by hand. */
export function Search() {
  const { desk, voice, actions } = useApp()
  const { t } = voice
  const panel = useRef<HTMLElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const settings = desk.state.value.station?.settings
  const text = actions.sought.value.trim()
  const { outcome, loading, showMore } = useOutcome(text, settings)
  const keys = useRowKeys({ panel, input, outcome, text })
  // What is left of an earlier search is nothing yet to do with this one.
  const shown: SearchOutcome = text.length < fewest ? { name: 'idle' } : outcome.value
  const ids = settings?.lists.map(({ id }) => id) ?? []
  const orders =
    shown.name === 'found' ? foundOrders(shown.found.results, ids, directionOf(desk.state.value)) : []

  return (
    <search class={style.search} ref={panel} onKeyDown={keys.move} aria-label={t('search.label')}>
      <HiddenTitle>{t('search.label')}</HiddenTitle>
      <div class={style.ask}>
        <Icon name="search" />
        <input
          ref={input}
          type="text"
          inputMode="search"
          enterkeyhint="search"
          autocomplete="off"
          spellcheck={false}
          aria-label={t('search.label')}
          placeholder={t(
            findsByContact(settings?.profile ?? 'full') ? 'search.placeholder' : 'search.placeholder.names',
          )}
          value={actions.sought.value}
          onInput={(event) => {
            keys.forgetEnter()
            actions.sought.value = event.currentTarget.value
          }}
        />
        <Tool wordless icon="close" label={t('close')} onPress={actions.close} />
      </div>
      <p class={style.outcome} role="status">
        {words(shown, voice.t)}
      </p>
      <FoundOrders orders={orders} text={text}>
        {hasMore(shown) && (
          <Button icon="next" data-row disabled={loading.value} onPress={() => void showMore()}>
            {t('search.show-more')}
          </Button>
        )}
      </FoundOrders>
    </search>
  )
}

/** Asks the server for the text, as soon as nobody types any more. */
function useOutcome(text: string, settings: Settings | null | undefined) {
  const { api } = useApp()
  const { outcome } = lastSearch
  const loading = useSignal(false)

  useEffect(() => {
    if (!settings || text.length < fewest) {
      outcome.value = { name: 'idle' }
      return
    }
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const before = outcome.value
      if (before.name !== 'found') outcome.value = { name: 'looking' }
      const page = before.name === 'found' && before.text === text ? before.page : 1
      const answer = await firstPages(
        (one) => api.search({ ...settings, text, page: one }, abort.signal),
        page,
      )
      if (!abort.signal.aborted)
        outcome.value = answer.ok ? { name: 'found', text, page, found: answer.value } : { name: 'failed' }
    }, pause)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text, settings?.lists.map(({ id }) => id).join()])

  /** Adds the next page, unless another text was asked for meanwhile. */
  async function showMore(): Promise<void> {
    const before = outcome.value
    if (before.name !== 'found' || !settings || loading.value) return
    loading.value = true
    const page = before.page + 1
    const ask = (one: number) => api.search({ ...settings, text: before.text, page: one })
    const answer = await withNextPage(ask, before.found, page)
    loading.value = false
    if (outcome.value !== before) return
    if (!answer.ok) outcome.value = { name: 'failed' }
    else outcome.value = { ...before, page, found: answer.value }
  }

  return { outcome, loading, showMore }
}

const hasMore = (outcome: SearchOutcome): boolean =>
  outcome.name === 'found' && outcome.found.count > outcome.found.results.length

interface SearchPanel {
  readonly panel: RefObject<HTMLElement | null>
  readonly input: RefObject<HTMLInputElement | null>
  readonly outcome: ReadonlySignal<SearchOutcome>
  readonly text: string
}

/** Keeps the focus in the panel, and moves it between the field and the rows by arrow keys and Enter. */
function useRowKeys({ panel, input, outcome, text }: SearchPanel) {
  /** Whether the first row is to get the focus as soon as the whole text is searched for. */
  const entered = useRef(false)
  const focused = document.activeElement

  useLayoutEffect(() => {
    const guest = panel.current?.querySelector<HTMLElement>(`[data-guest="${lastSearch.guest.value}"]`)
    lastSearch.guest.value = null
    if (guest) guest.focus()
    else input.current?.focus({ preventScroll: true })
  }, [])

  // What had the focus may be gone from the list: keys go on to the field then, not nowhere.
  useLayoutEffect(() => {
    if (focused?.isConnected === false) input.current?.focus({ preventScroll: true })
  })

  useLayoutEffect(() => {
    if (!isFound(outcome.value, text) || !entered.current) return
    entered.current = false
    if (document.activeElement === input.current) rowsIn(panel.current)[0]?.focus()
  }, [outcome.value])

  const move = (event: KeyboardEvent) => {
    const toFirst = event.key === 'Enter' && event.target === input.current
    if (toFirst && !isFound(outcome.value, text)) {
      // Who is listed was found for another text: the next Enter must not admit them.
      event.preventDefault()
      entered.current = true
      return
    }
    const rows = rowsIn(panel.current)
    const step = stepOf(event.key)
    if ((step === 0 && !toFirst) || rows.length === 0) return
    event.preventDefault()
    const focusedRow =
      document.activeElement instanceof HTMLElement ? rows.indexOf(document.activeElement) : -1
    const at = toFirst ? 0 : focusedRow + step
    const target = at < 0 ? input.current : rows[Math.min(at, rows.length - 1)]
    target?.focus()
  }

  const forgetEnter = () => {
    entered.current = false
  }

  return { move, forgetEnter }
}

const stepOf = (key: string): number => (key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0)

const isFound = (outcome: SearchOutcome, text: string): boolean =>
  outcome.name === 'found' && outcome.text === text

const rowsIn = (panel: HTMLElement | null): readonly HTMLElement[] => [
  ...(panel?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
]

function words(outcome: SearchOutcome, t: ReturnType<typeof useApp>['voice']['t']): string {
  switch (outcome.name) {
    case 'idle':
      return t('search.hint')
    case 'looking':
      return t('search.looking')
    case 'failed':
      return t('search.failed')
    case 'found': {
      const { count, results } = outcome.found
      if (count > results.length) return t('search.more', { shown: results.length, count })
      return count === 0 ? t('search.nobody') : t('search.found', { count })
    }
  }
}
