import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { CheckinQuestion } from '../../schema/bodies/scan-result.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { ObjectionText } from '../parts/objection.tsx'
import type { Entry } from '../scanning/entries.ts'
import { type Voice, what, who } from '../scanning/wording.ts'
import { beside } from '../text/direction.ts'
import { localized } from '../text/translate.ts'
import { allAnswers, inOrder, objectionTo } from './answers.ts'
import style from './asking.module.css'
import { QuestionField } from './question-field.tsx'

/** The questions of a ticket, one after the other. What was answered stays when another scan comes in between. */
export function Asking({ entry }: { readonly entry: Entry }) {
  const { actions, desk, voice } = useApp()
  const questions = inOrder(entry.result?.questions ?? [])
  const step = useSignal(firstOpen(questions, entry))
  const tried = useSignal(false)
  const question = questions[step.value]
  if (!question) return null
  const draw = (text: string) => desk.send({ type: 'drafted', key: entry.key, question: question.id, text })

  const goOn = (text: string) => {
    draw(text)
    tried.value = objectionTo(question, text, voice.timeZone) !== null
    if (tried.value) return
    const drafts = { ...entry.drafts, [question.id]: text }
    if (step.value + 1 < questions.length) step.value++
    else actions.answer(entry, allAnswers(questions, drafts))
  }

  const goBack = () => {
    tried.value = false
    step.value--
  }

  return (
    <QuestionForm
      entry={entry}
      question={question}
      step={step.value}
      of={questions.length}
      tried={tried.value}
      onText={draw}
      onAnswer={goOn}
      onBack={goBack}
    />
  )
}

interface QuestionFormProps {
  readonly entry: Entry
  readonly question: CheckinQuestion
  readonly step: number
  readonly of: number
  /** Whether the draft was to be the answer, so that what is wrong with it is said. */
  readonly tried: boolean
  readonly onText: (text: string) => void
  readonly onAnswer: (text: string) => void
  readonly onBack: () => void
}

function QuestionForm(props: QuestionFormProps) {
  const { entry, question, step, of, tried, onText, onAnswer } = props
  const { voice } = useApp()
  const { t } = voice
  const form = useRef<HTMLFormElement>(null)
  const draft = entry.drafts[question.id] ?? ''
  const message = messageOn(draft, { entry, question, tried, voice })

  useLayoutEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('input, textarea')
    const target = field ?? form.current?.querySelector<HTMLElement>('h1')
    target?.focus({ preventScroll: true })
  }, [step])

  return (
    <section class={style.asking} data-result="question" aria-label={t('result.label')}>
      <header>
        <p class={style.guest} dir="auto">
          {beside([who(entry, voice), what(entry, voice)], ' · ', voice.language)}
        </p>
        {of > 1 && <p class={style.steps}>{t('asking.step', { step: step + 1, of })}</p>}
      </header>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onAnswer(draft)
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
          onText={onText}
          onChosen={onAnswer}
        />
        <ObjectionText id="objection" class={style.objection}>
          {message}
        </ObjectionText>
        <QuestionButtons {...props} />
      </form>
    </section>
  )
}

function QuestionButtons({ question, step, of, onAnswer, onBack }: QuestionFormProps) {
  const { voice, actions } = useApp()
  const { t } = voice
  // A yes or a choice is the answer as soon as it is given, and files cannot be given here.
  const needsNoSubmit = question.type === 'B' || question.type === 'C' || question.type === 'F'
  const isLast = step + 1 === of
  return (
    <Buttons class={style.buttons}>
      {step > 0 && (
        <Button icon="back" onPress={onBack}>
          {t('back')}
        </Button>
      )}
      {!question.required && (
        <Button icon="next" onPress={() => onAnswer('')}>
          {t('skip')}
        </Button>
      )}
      {!needsNoSubmit && (
        <Button kind="primary" icon={isLast ? 'check' : 'next'}>
          {t(isLast ? 'asking.done' : 'next')}
        </Button>
      )}
      <Button kind="quiet" icon="close" onPress={actions.close}>
        {t('asking.leave')}
      </Button>
    </Buttons>
  )
}

interface DraftContext extends Pick<QuestionFormProps, 'entry' | 'question' | 'tried'> {
  readonly voice: Voice
}

/** What is to be said against a draft: what this page sees itself, or that the server has rejected it. */
function messageOn(draft: string, { entry, question, tried, voice }: DraftContext): string {
  const { t, timeZone } = voice
  const objection = tried ? objectionTo(question, draft, timeZone) : null
  if (objection) return t(objection.key, { limit: objection.limit ?? '' })
  const sentBefore = entry.asked.answers?.[question.id]
  const isRejected = sentBefore !== undefined && sentBefore !== '' && sentBefore === draft
  return isRejected ? t('answer.rejected') : ''
}

/** Where to begin: at the first question without an answer that may still do, or at the last one. */
function firstOpen(questions: readonly CheckinQuestion[], entry: Entry): number {
  const open = questions.findIndex((each) => {
    const answer = entry.drafts[each.id]
    return answer === undefined || answer === entry.asked.answers?.[each.id]
  })
  return open < 0 ? questions.length - 1 : open
}
