import type { CheckinQuestion } from '../../schema/bodies/scan-result.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { ObjectionText } from '../parts/objection.tsx'
import { inOrder, objectionTo } from '../questions/answers.ts'
import { QuestionField } from '../questions/question-field.tsx'
import { localized } from '../text/translate.ts'
import type { Kiosk } from './kiosk.ts'
import { pageLook } from './page-look.tsx'
import { StartOver } from './pages.tsx'
import { ScreenKeys } from './screen-keys.tsx'

interface Props {
  readonly kiosk: Kiosk
  readonly questions: readonly CheckinQuestion[]
}

/** A question with a text as long as this is something to read and to accept. */
const waiverFrom = 160

/** Whether a question is a waiver: a yes that is required, with a long text to it. */
const isWaiver = ({ type, required, help_text }: CheckinQuestion, language: string): boolean =>
  type === 'B' && required && localized(help_text, language).length >= waiverFrom

const typedKinds: ReadonlySet<string> = new Set(['S', 'T', 'N', 'TEL'])

/** The questions of a ticket, one page each. */
export function Questions({ kiosk, questions }: Props) {
  const { voice, language } = useApp()
  const { t, timeZone } = voice
  const { step, drafts, isTried } = kiosk.state.value
  const ordered = inOrder(questions)
  const question = ordered[step]
  if (!question) return null
  const draft = drafts[question.id] ?? ''
  const objection = isTried ? objectionTo(question, draft, timeZone) : null
  const draw = (text: string) => kiosk.send({ type: 'drafted', question: question.id, text })
  const answer = (text: string) =>
    kiosk.send({
      ...{ type: 'answered', question: question.id, text },
      isGood: objectionTo(question, text, timeZone) === null,
    })
  const waiver = isWaiver(question, language)
  const isAtOnce = question.type === 'B' || question.type === 'C' || question.type === 'F'
  return (
    <form
      key={question.id}
      class={pageLook.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        answer(draft)
      }}
    >
      {ordered.length > 1 && <p>{t('asking.step', { step: step + 1, of: ordered.length })}</p>}
      <h1 id="question" tabIndex={-1}>
        {localized(question.question, language)}
        {!question.required && <small> {t('asking.optional')}</small>}
      </h1>
      {question.help_text && (
        <p class={waiver ? pageLook.waiver : pageLook.hint} tabIndex={waiver ? 0 : undefined}>
          {localized(question.help_text, language)}
        </p>
      )}
      {!waiver && (
        <QuestionField
          question={question}
          text={draft}
          invalid={objection !== null}
          onText={draw}
          onChosen={answer}
        />
      )}
      <ObjectionText id="objection" class={pageLook.objection}>
        {objection ? t(objection.key, { limit: objection.limit ?? '' }) : ''}
      </ObjectionText>
      {typedKinds.has(question.type) && (
        <ScreenKeys text={draft} onText={draw} isNumber={question.type === 'N' || question.type === 'TEL'} />
      )}
      <Buttons class={pageLook.buttons}>
        {waiver && (
          <>
            <Button kind="primary" icon="check" onPress={() => answer('true')}>
              {t('kiosk.waiver.accept')}
            </Button>
            <Button icon="close" onPress={() => kiosk.send({ type: 'declined' })}>
              {t('kiosk.waiver.decline')}
            </Button>
          </>
        )}
        {!isAtOnce && (
          <Button kind="primary" icon="next">
            {t('next')}
          </Button>
        )}
        {!question.required && (
          <Button icon="next" onPress={() => answer('')}>
            {t('skip')}
          </Button>
        )}
        {step > 0 && (
          <Button icon="back" onPress={() => kiosk.send({ type: 'stepped-back' })}>
            {t('back')}
          </Button>
        )}
        <StartOver kiosk={kiosk} />
      </Buttons>
    </form>
  )
}
