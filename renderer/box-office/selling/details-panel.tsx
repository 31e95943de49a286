import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button, Buttons } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { FieldRow } from '../../parts/field.tsx'
import { ObjectionText } from '../../parts/objection.tsx'
import { QuestionField } from '../../questions/question-field.tsx'
import { useTill } from '../context.ts'
import type { TillState } from '../till-state.ts'
import style from './details-panel.module.css'
import { type AskedField, type AskedPage, askedPages, isOpenPage, objectionToField } from './sale-details.ts'

/** The page of what is asked before the sale that is shown, and how many there are; null for none. */
export function shownPage({ asking, catalogue, lines }: TillState) {
  const pages = asking ? askedPages(catalogue, lines) : []
  const page = asking && pages[asking.page]
  return page ? { page, number: asking.page, of: pages.length, pays: asking.pays } : null
}

/** What is asked about one ticket or the buyer, one page after the other. */
export function DetailsPanel() {
  const shown = shownPage(useTill().state)
  return shown && <PageForm key={shown.number} {...shown} />
}

type PageProps = NonNullable<ReturnType<typeof shownPage>>

function PageForm({ page, number, of, pays }: PageProps) {
  const { till, state, t, named } = useTill()
  const { timeZone } = useApp().voice
  const isTried = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  const focus = (key: string | undefined) =>
    form.current?.querySelector<HTMLElement>(`[data-asked="${key}"] :is(input, textarea, button)`)?.focus()
  useLayoutEffect(() => focus((firstOpen(page, timeZone) ?? page.fields[0])?.key), [])

  const goTo = (next: number | null) => till.send({ type: 'asking', page: next })
  const isLast = number + 1 === of
  const goOn = () => {
    isTried.value = isOpenPage(page, timeZone)
    if (isTried.value) focus(firstOpen(page, timeZone)?.key)
    else if (!isLast) goTo(number + 1)
    else if (pays) till.pay()
    else goTo(null)
  }

  const product = state.catalogue?.products.find(({ id }) => id === page.position?.item)
  const variation = product?.variations.find(({ id }) => id === page.position?.variation)
  const title = [named(product?.name), named(variation?.name)].filter(Boolean).join(' · ')
  return (
    <section class={style.details} aria-label={t('till.details')} data-page={number + 1}>
      <header>
        <h1>{page.ticket ? title : t('till.buyer')}</h1>
        {of > 1 && <span>{t('till.details-page', { page: number + 1, of })}</span>}
      </header>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          goOn()
        }}
      >
        {page.fields.map((field) => (
          <Asked key={field.key} page={page} field={field} isTried={isTried.value} />
        ))}
        <Buttons>
          <Button kind="primary" icon={isLast ? 'check' : 'next'}>
            {t(!isLast ? 'next' : pays ? 'till.pay' : 'till.details-done')}
          </Button>
          <Button icon="back" onPress={() => goTo(number === 0 ? null : number - 1)}>
            {t('back')}
          </Button>
        </Buttons>
      </form>
    </section>
  )
}

const firstOpen = ({ fields, details }: AskedPage, timeZone: string): AskedField | undefined =>
  fields.find((field) => objectionToField(field, details[field.key] ?? '', timeZone))

interface AskedProps {
  readonly page: AskedPage
  readonly field: AskedField
  readonly isTried: boolean
}

function Asked({ page: { ticket, details }, field, isTried }: AskedProps) {
  const { till, t, named } = useTill()
  const { timeZone } = useApp().voice
  const text = details[field.key] ?? ''
  const name = `asked-${field.key}`
  const objection = isTried ? objectionToField(field, text, timeZone) : null
  const type = (typed: string) => till.send({ type: 'detailed', ticket, field: field.key, text: typed })
  const question = 'question' in field ? field.question : null
  return (
    <div class={style.field} data-asked={field.key}>
      <h2 id={name}>
        {'question' in field ? named(field.question.question) : t(`till.asked.${field.key}`)}
        {question?.required === false && <small> {t('asking.optional')}</small>}
      </h2>
      {question?.help_text && <p>{named(question.help_text)}</p>}
      {question ? (
        <QuestionField
          {...{ name, question, text, invalid: objection !== null, onText: type }}
          // What is pressed again is taken back.
          onChosen={(chosen) => type(chosen === text ? '' : chosen)}
        />
      ) : (
        <FieldRow
          type="text"
          inputMode={field.key === 'email' || field.key === 'attendee_email' ? 'email' : 'text'}
          autocomplete="off"
          maxLength={254}
          aria-labelledby={name}
          aria-describedby={`${name}-objection`}
          aria-invalid={objection !== null}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
        />
      )}
      <ObjectionText id={`${name}-objection`} class={style.objection ?? ''}>
        {objection && t(objection.key, { limit: objection.limit ?? '' })}
      </ObjectionText>
    </div>
  )
}
