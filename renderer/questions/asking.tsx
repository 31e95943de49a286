import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { CheckinQuestion } from '../../schema/bodies/scan-result.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Objection } from '../parts/objection.tsx'
import type { Entry } from '../scanning/entries.ts'
import { what, who } from '../scanning/wording.ts'
import { localized } from '../text/translate.ts'
import { allAnswers, inOrder, objectionTo } from './answers.ts'
import style from './asking.module.css'
import { QuestionField } from './question-field.tsx'

/** The questions of a ticket, one after the other. What was answered stays when another scan comes in between. */
export function Asking({ entry }: { readonly entry: Entry }) {
  const { voice, actions, desk } = useApp()
  const { t } = voice
  const questions = inOrder(entry.result?.questions ?? [])
  const step = useSignal(firstOpen(questions, entry))
  const tried = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  const question = questions[step.value]

  useLayoutEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('input, textarea')
    const target = field ?? form.current?.querySelector<HTMLElement>('h1')
    target?.focus({ preventScroll: true })
  }, [step.value])

  if (!question) return null
  const draft = entry.drafts[question.id] ?? ''
  const draw = (text: string) => desk.send({ type: 'drafted', key: entry.key, question: question.id, text })

  const goOn = (text: string) => {
    draw(text)
    tried.value = objectionTo(question, text) !== null
    if (tried.value) return
    const drafts = { ...entry.drafts, [question.id]: text }
    if (step.value + 1 < questions.length) step.value++
    else actions.answer(entry, allAnswers(questions, drafts))
  }

  const objection = tried.value ? objectionTo(question, draft) : null
  const sentBefore = entry.asked.answers?.[question.id]
  const rejected = !objection && sentBefore !== undefined && sentBefore !== '' && sentBefore === draft
  const message = objection
    ? t(objection.key, { limit: objection.limit ?? '' })
    : rejected
      ? t('answer.rejected')
      : ''
  const choosesAtOnce = question.type === 'B' || question.type === 'C'

  return (
    <section class={style.asking} data-result="question" aria-label={t('result.label')}>
      <header>
        <p class={style.guest}>{[who(entry, voice), what(entry, voice)].filter(Boolean).join(' · ')}</p>
        {questions.length > 1 && (
          <p class={style.steps}>{t('asking.step', { step: step.value + 1, of: questions.length })}</p>
        )}
      </header>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          goOn(draft)
        }}
      >
        <h1 id="question" tabIndex={-1}>
          {localized(question.question, voice.language)}
          {!question.required && <small> {t('asking.optional')}</small>}
        </h1>
        {question.help_text && <p class={style.help}>{localized(question.help_text, voice.language)}</p>}
        <QuestionField
          key={question.id}
          question={question}
          text={draft}
          invalid={message !== ''}
          onText={draw}
          onChosen={goOn}
        />
        <Objection id="objection" class={style.objection}>
          {message}
        </Objection>
        <Buttons class={style.buttons}>
          {step.value > 0 && (
            <Button
              icon="back"
              onPress={() => {
                tried.value = false
                step.value--
              }}
            >
              {t('back')}
            </Button>
          )}
          {!question.required && (
            <Button icon="next" onPress={() => goOn('')}>
              {t('skip')}
            </Button>
          )}
          {!choosesAtOnce && question.type !== 'F' && (
            <Button kind="primary" icon={step.value + 1 < questions.length ? 'next' : 'check'}>
              {t(step.value + 1 < questions.length ? 'next' : 'asking.done')}
            </Button>
          )}
          <Button kind="quiet" icon="close" onPress={actions.close}>
            {t('asking.leave')}
          </Button>
        </Buttons>
      </form>
    </section>
  )
}

/** Where to begin: at the first question without an answer that may still do, or at the last one. */
function firstOpen(questions: readonly CheckinQuestion[], entry: Entry): number {
  const open = questions.findIndex((each) => {
    const answer = entry.drafts[each.id]
    return answer === undefined || answer === entry.asked.answers?.[each.id]
  })
  return open < 0 ? questions.length - 1 : open
}
