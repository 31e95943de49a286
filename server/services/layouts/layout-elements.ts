import { type PageElement, pageElements } from '../../../schema/page-elements.ts'
import { invalid, Refusal } from '../../errors.ts'
import { check, isObject } from '../../resource/input.ts'

const mostProblems = 20

const wrong = (messages: readonly string[]): Refusal => invalid({ layout: messages.slice(0, mostProblems) })

/** The elements of a page that were sent as a list or as JSON text; 400 on `layout` for what is none. */
export function readElements(sent: unknown): readonly PageElement[] {
  const list = typeof sent === 'string' ? parsed(sent) : sent
  if (!Array.isArray(list)) throw wrong(['A layout is a list of elements.'])
  const problems = list.flatMap((element, index) =>
    problemsOf(element).map((problem) => `Element ${index + 1}: ${problem}`),
  )
  if (problems.length > 0) throw wrong(problems)
  return list as PageElement[]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(['This is not valid JSON.'])
  }
}

function problemsOf(element: unknown): string[] {
  if (!isObject(element)) return ['This is not an object.']
  const schema = Object.hasOwn(pageElements, String(element.type)) && pageElements[String(element.type)]
  if (!schema) return [`There is no type "${element.type}".`]
  try {
    check(schema, element)
    return []
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.body === null) throw cause
    return Object.entries(cause.body).flatMap(([part, messages]) =>
      (messages as string[]).map((message) => `${part}: ${message}`),
    )
  }
}

const byId = /^question_(\d+)$/

/** Elements that ask for answers by the ids of questions, with other ids. */
export const withOtherQuestions = (
  elements: readonly PageElement[],
  other: (question: number) => number | undefined,
): readonly PageElement[] =>
  elements.map((element) => {
    const id = byId.exec(element.content ?? '')?.[1]
    const question = id === undefined ? undefined : other(Number(id))
    return question === undefined ? element : { ...element, content: `question_${question}` }
  })
